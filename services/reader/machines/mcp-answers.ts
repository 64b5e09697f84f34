import type { ReaderAnswer } from '../contract.js';
import { handleMcp } from '../feeds/mcp/handle-mcp.js';
import type { McpSite } from '../feeds/mcp/mcp-site.js';
import { encodedPath } from '../marks/fill-marks.js';
import { visitedSiteSpace } from '../site/addresses.js';
import type { ReaderDependencies, SiteRequest } from '../site/reader-context.js';
import { customizationOf } from '../site/site-model.js';
import { searchSite } from '../site/site-search.js';
import { track } from '../tracking/track.js';
import { listedParts, markdownOf, partsAsked, startOf } from './site-pages.js';

/** Pages of a list that one answer has. */
const pagesAtOnce = 200;

/** Answers programs that speak the Model Context Protocol. */
export async function mcpAnswer(deps: ReaderDependencies, asked: SiteRequest): Promise<ReaderAnswer> {
  const { request } = asked;
  const { method, headers, body = '' } = request;
  if (method === 'POST') await track(deps, asked, { type: 'mcp_request' }, asked.url);
  const answer = await handleMcp({ method, headers, body }, mcpSiteOf(deps, asked));
  return { ...answer, kind: 'mcp' };
}

function mcpSiteOf(deps: ReaderDependencies, asked: SiteRequest): McpSite {
  const { visit, url, visitor } = asked;
  const absolute = (address: string) => new URL(address, url).href;
  const { shown, site } = visit;
  const own = visitedSiteSpace(visit);
  return {
    title: customizationOf(visit).title ?? site.site.title,
    url: own ? startOf(asked, own) : absolute(shown.basePath),
    open: visitor.isAnonymous && site.site.visibility === 'public' && visit.visitor.preview === undefined,
    async search(query) {
      const { results } = await searchSite(deps, asked, { query, scope: 'site' });
      return results.map(({ title, href, body, sections }) => ({
        title,
        url: absolute(href),
        excerpt: [body, ...sections.map((section) => section.body)].filter(Boolean).join('\n') || undefined,
      }));
    },
    async readPage(path) {
      const found = await pageAt(deps, asked, path);
      return found?.markdown ?? null;
    },
    async listPages(cursor) {
      const from = cursor === undefined ? 0 : Number(cursor);
      if (!Number.isSafeInteger(from) || from < 0) return null;
      const parts = await listedParts(deps, asked);
      const all = parts.flatMap(({ pages }) => pages);
      if (from > all.length) return null;
      const pages = all.slice(from, from + pagesAtOnce);
      const next = from + pages.length;
      return { pages, ...(next < all.length ? { next: String(next) } : {}) };
    },
  };
}

/** The page at a path of the site: in the site space whose address is the longest part of it. */
async function pageAt(deps: ReaderDependencies, asked: SiteRequest, path: string) {
  const { visitor, shown } = asked.visit;
  const { href } = new URL(`${shown.basePath}${encodedPath(path)}`, asked.url);
  const starts = partsAsked(asked)
    .map(({ space, ...rest }) => ({ space: space.id, start: startOf(asked, { space, ...rest }) }))
    .filter(({ start }) => `${href}/`.startsWith(start))
    .sort((one, other) => other.start.length - one.start.length);
  for (const { space, start } of starts) {
    const within = decodeURIComponent(href.slice(start.length));
    const found = await markdownOf(deps, visitor, { space, path: within });
    if (found) return found;
  }
  return null;
}
