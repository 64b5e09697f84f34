import type { ContentCaller } from '../../../shared/contract/caller.js';
import { listedPages } from '../../../shared/values/listed-pages.js';
import { showMarkdown, type TreeEntry } from '../../content/contract.js';
import type { SiteSpace } from '../../sites/resources.js';
import type { ListedPage } from '../feeds/links.js';
import { encodedPath } from '../marks/fill-marks.js';
import { addressesOf, siteSpacesOf } from '../site/addresses.js';
import type { ReaderDependencies, SiteRequest } from '../site/reader-context.js';

/** Site spaces that one answer for machines goes through. */
const maxSiteSpaces = 50;

/** A page of a site, for machines. */
export interface SitePage extends ListedPage {
  space: string;
  path: string;
  noRobotsIndex: boolean;
  updatedAt?: string;
}

/** The pages of one site space, in the order of its navigation. */
export interface SitePart {
  title: string;
  siteSpace: SiteSpace;
  /** Where it begins, absolute. */
  url: string;
  pages: SitePage[];
}

/** The site spaces whose pages an answer is about: all of the site where it is asked at its start, else the one that is visited. */
export function partsAsked({ visit }: SiteRequest): SiteSpace[] {
  const { shown } = visit;
  const all = siteSpacesOf(visit);
  const isAtStart = shown.basePath === shown.siteBasePath;
  const readable = all.filter(({ space }) => visit.visitor.spaces.includes(space.id));
  return (isAtStart ? readable : readable.filter(({ id }) => id === shown.siteSpace)).slice(0, maxSiteSpaces);
}

/** Where a site space begins, as this visitor reaches it. */
export function startOf(asked: SiteRequest, { id, urls }: SiteSpace): string {
  const { visit, url } = asked;
  const addresses = addressesOf(visit, asked);
  if (id === visit.shown.siteSpace) return new URL(addresses.page(''), url).href;
  return new URL(urls.published ? addresses.local(urls.published) : visit.shown.siteBasePath, url).href;
}

export async function partOf(deps: ReaderDependencies, asked: SiteRequest, siteSpace: SiteSpace): Promise<SitePart> {
  const { visitor } = asked.visit;
  const url = startOf(asked, siteSpace);
  const tree = await deps.trees.treeOf(visitor, siteSpace.space.id);
  const pages = pagesIn(tree.pages, { space: siteSpace.space.id, url });
  return { title: siteSpace.title, siteSpace, url, pages };
}

/** Every part that an answer is about. */
export const listedParts = (deps: ReaderDependencies, asked: SiteRequest): Promise<SitePart[]> =>
  Promise.all(partsAsked(asked).map((siteSpace) => partOf(deps, asked, siteSpace)));

const kinds = {
  isPage: ({ kind, noIndex }: TreeEntry) => kind === 'document' && !noIndex,
  isGroup: ({ kind }: TreeEntry) => kind === 'group',
};

const pagesIn = (entries: readonly TreeEntry[], at: { space: string; url: string }): SitePage[] =>
  Array.from(listedPages(entries, kinds), ({ page, depth, groups }) => {
    const { title, path, description, noRobotsIndex, updatedAt } = page;
    return {
      title,
      path,
      space: at.space,
      url: at.url + encodedPath(path),
      depth,
      groups,
      noRobotsIndex: noRobotsIndex === true,
      ...(description === undefined ? {} : { description }),
      ...(updatedAt === undefined ? {} : { updatedAt }),
    };
  });

/** A page as Markdown; null where the path has none. */
export async function markdownOf(
  { callAs }: ReaderDependencies,
  visitor: ContentCaller,
  at: { space: string; path: string },
): Promise<{ title: string; path: string; markdown: string } | null> {
  return (await callAs(visitor)(showMarkdown, { visitor, ...at })).decode();
}
