import { failureOf } from '../../../shared/errors/errors.js';
import { sha256 } from '../../../shared/values/ids.js';
import { decodeShownPage, showPage } from '../../content/contract.js';
import type { ReaderAnswer } from '../contract.js';
import { markdownUrl } from '../feeds/links.js';
import { llmsFull, llmsTxt } from '../feeds/llms.js';
import { markdownPage } from '../feeds/markdown-page.js';
import { robotsTxt } from '../feeds/robots.js';
import { rssFeed } from '../feeds/rss.js';
import { maxSitemapEntries, sitemapIndex, sitemapPages } from '../feeds/sitemap.js';
import { type Filling, fillMarks } from '../marks/fill-marks.js';
import { addressesOf, visitedSiteSpace } from '../site/addresses.js';
import { cacheControlOf, isRead } from '../site/answers.js';
import { fillingOf } from '../site/filling.js';
import type { ReaderDependencies, SiteRequest } from '../site/reader-context.js';
import { customizationOf, localeOfVisit } from '../site/site-model.js';
import { track } from '../tracking/track.js';
import { wordsOf } from '../words/languages.js';
import { bcp47, formatDate } from '../words/locales.js';
import { mcpAnswer } from './mcp-answers.js';
import { listedParts, markdownOf, partOf, partsAsked, type SitePage, startOf } from './site-pages.js';

/** Bytes of a part of `llms-full.txt`. */
const maxPartBytes = 1024 * 1024;

type Answer = (deps: ReaderDependencies, asked: SiteRequest, found: string[]) => Promise<ReaderAnswer | undefined>;

/** Everything that a site has for machines, by the path below a site space. */
const feeds: [path: RegExp, answer: Answer][] = [
  [/^llms\.txt$/, llmsAnswer],
  [/^llms-full\.txt(?:\/(\d{1,9}))?$/, llmsFullAnswer],
  [/^sitemap\.xml$/, sitemapAnswer],
  [/^sitemap-pages\.xml$/, sitemapPagesAnswer],
  [/^robots\.txt$/, robotsAnswer],
  [/^(?:(.+)\/)?rss\.xml$/, rssAnswer],
  [/^(.+)\.md$/, markdownAnswer],
];

const mcpPaths = ['~mcp', '~gitbook/mcp'];

/** Undefined for an address that is none of these, and for one that has nothing: a page may be there. */
export async function feedAnswer(deps: ReaderDependencies, asked: SiteRequest): Promise<ReaderAnswer | undefined> {
  const { pathname } = asked.visit.shown;
  if (mcpPaths.includes(pathname)) return mcpAnswer(deps, asked);
  if (!isRead(asked.request)) return undefined;
  for (const [pattern, answer] of feeds) {
    const found = pattern.exec(pathname);
    if (found) return answer(deps, asked, found.slice(1));
  }
  return undefined;
}

interface Text {
  type: string;
  body: string;
  headers?: Record<string, string>;
}

const textAnswer = (asked: SiteRequest, { type, body, headers = {} }: Text): ReaderAnswer => ({
  status: 200,
  headers: { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': cacheControlOf(asked), ...headers },
  body,
  name: sha256(body).slice(0, 32),
  kind: 'feed',
});

async function llmsAnswer(deps: ReaderDependencies, asked: SiteRequest): Promise<ReaderAnswer> {
  const { visit } = asked;
  const parts = await listedParts(deps, asked);
  const sections = parts.map(({ title, pages }) => ({
    title,
    pages: pages.map((page) => ({ ...page, url: markdownUrl(page.url) })),
  }));
  await track(deps, asked, { type: 'llms_request' }, asked.url);
  const title = customizationOf(visit).title ?? visit.site.site.title;
  return textAnswer(asked, { type: 'text/plain', body: llmsTxt({ site: { title }, sections }) });
}

async function llmsFullAnswer(
  deps: ReaderDependencies,
  asked: SiteRequest,
  [start = '0']: string[],
): Promise<ReaderAnswer | undefined> {
  const from = Number(start);
  const pages = (await listedParts(deps, asked)).flatMap((part) => part.pages);
  if (from > 0 && from >= pages.length) return undefined;
  const { visit, url } = asked;
  const partUrl = (position: number) => new URL(`${visit.shown.basePath}llms-full.txt/${position}`, url).href;
  const whole = fullPages(deps, asked, pages.slice(from));
  const { text } = await llmsFull(whole, { from, maxBytes: maxPartBytes, partUrl });
  if (from === 0) await track(deps, asked, { type: 'llms_request' }, url);
  return textAnswer(asked, { type: 'text/plain', body: text });
}

async function* fullPages(deps: ReaderDependencies, { visit: { visitor } }: SiteRequest, pages: SitePage[]) {
  for (const { title, url, space, path } of pages) {
    const found = await markdownOf(deps, visitor, { space, path });
    yield { title, url, markdown: found?.markdown ?? '' };
  }
}

async function sitemapAnswer(_: ReaderDependencies, asked: SiteRequest): Promise<ReaderAnswer> {
  const urls = partsAsked(asked).map((siteSpace) => `${startOf(asked, siteSpace)}sitemap-pages.xml`);
  return textAnswer(asked, { type: 'application/xml', body: sitemapIndex(urls) });
}

async function sitemapPagesAnswer(deps: ReaderDependencies, asked: SiteRequest): Promise<ReaderAnswer | undefined> {
  const { visit } = asked;
  const own = visitedSiteSpace(visit);
  if (!own) return undefined;
  const { pages } = await partOf(deps, asked, own);
  const entries = pages
    .filter(({ noRobotsIndex }) => !noRobotsIndex)
    .slice(0, maxSitemapEntries)
    .map(({ url, updatedAt }) => ({ url, lastmod: updatedAt }));
  return textAnswer(asked, { type: 'application/xml', body: sitemapPages(entries) });
}

async function robotsAnswer(_: ReaderDependencies, asked: SiteRequest): Promise<ReaderAnswer> {
  const { visit, url } = asked;
  const sitemapUrl = new URL(`${visit.shown.siteBasePath}sitemap.xml`, url).href;
  const { visibility } = visit.site.site;
  const indexed = !visit.visitor.preview && visit.shown.shareKey === undefined;
  return textAnswer(asked, { type: 'text/plain', body: robotsTxt({ visibility, sitemapUrl, indexed }) });
}

async function rssAnswer(
  deps: ReaderDependencies,
  asked: SiteRequest,
  [path = '']: string[],
): Promise<ReaderAnswer | undefined> {
  const { visit, url } = asked;
  const { visitor } = visit;
  const found = decodeShownPage(await deps.callAs(visitor)(showPage, { visitor, path }));
  if (!found?.page || !found.body || found.body.updates.length === 0) return undefined;
  const { page, body } = found;
  const locale = localeOfVisit(visit);
  const absolute = (address: string) => new URL(address, url).href;
  const local = addressesOf(visit, asked);
  const words = await wordsOf(locale);
  const model = { basePath: visit.shown.basePath, words, formatDate: (iso: string) => formatDate(locale, iso) };
  const here = fillingOf({ model, body, addresses: local });
  const filling: Filling = {
    ...here,
    page: (target, anchor) => absolute(here.page(target, anchor)),
    file: (file) => absolute(here.file(file)),
    outside(position) {
      const target = here.outside(position);
      return target && { ...target, href: absolute(target.href) };
    },
    search: (query) => absolute(here.search(query)),
  };
  const pageUrl = absolute(local.page(page.path));
  await track(deps, asked, { type: 'rss_request', page: page.id }, url);
  const feed = rssFeed({
    title: page.title,
    description: page.description,
    pageUrl,
    feedUrl: url.origin + url.pathname,
    language: bcp47(locale),
    items: body.updates.map((update) => ({
      ...update,
      url: `${pageUrl}#${encodeURI(update.id)}`,
      html: fillMarks(update.html, filling),
    })),
  });
  return textAnswer(asked, { type: 'application/rss+xml', body: feed });
}

async function markdownAnswer(
  deps: ReaderDependencies,
  asked: SiteRequest,
  [name = '']: string[],
): Promise<ReaderAnswer | undefined> {
  const { visit } = asked;
  const { shown, visitor } = visit;
  const path = name === 'index' ? '' : name.replace(/\/index$/, '');
  const found =
    (await markdownOf(deps, visitor, { space: shown.space, path: name }).catch(nothing)) ??
    (await markdownOf(deps, visitor, { space: shown.space, path }).catch(nothing));
  if (!found) return undefined;
  const canonical = addressesOf(visit, asked).canonical(found.path);
  const { headers, body } = markdownPage({ markdown: found.markdown, url: canonical });
  await track(deps, asked, { type: 'page_markdown_request' }, asked.url);
  return {
    ...textAnswer(asked, { type: 'text/markdown', body }),
    headers: { 'Cache-Control': cacheControlOf(asked), ...headers },
  };
}

function nothing(error: unknown): null {
  if (failureOf(error).status === 404) return null;
  throw error;
}
