import { pagesOfSpace, type SearchSpaceResult } from '../../content/resources.js';
import { sitesContract } from '../../sites/contract.js';
import type { SearchResult } from '../parts/page-model.js';
import { addressesOf, sectionTitles, siteSpacesOf } from './addresses.js';
import type { ReaderDependencies, SiteRequest } from './reader-context.js';

/** A query, and the place to search. */
export interface SearchFor {
  query: string;
  scope: 'site' | 'section';
}

/** A result, with what the events of visitors name it by. */
export interface FoundPage extends SearchResult {
  spaceId: string;
  pageId: string;
}

interface Found {
  results: FoundPage[];
  /** There may be more than these. */
  isCut: boolean;
}

/** Characters of a query. */
const maxQuery = 512;
const maxResults = 30;

/** The pages of a site that hold all words of a query, the best first. */
export async function searchSite(
  { callAs }: ReaderDependencies,
  asked: SiteRequest,
  { query, scope }: SearchFor,
): Promise<Found> {
  const { visit } = asked;
  const words = query.trim().slice(0, maxQuery);
  if (words === '') return { results: [], isCut: false };
  const { shown, visitor } = visit;
  const all = siteSpacesOf(visit);
  const inSection = all.filter(({ section, id }) => section === shown.siteSection && id === shown.siteSpace);
  const path = { organizationId: shown.organization, siteId: shown.site };
  const scoped =
    scope === 'section'
      ? { mode: 'specific' as const, siteSpaceIds: inSection.map(({ id }) => id) }
      : { mode: 'default' as const, includedSiteSpaces: [shown.siteSpace] };
  const body = { query: words, scope: scoped };
  const { items } = await callAs(visitor)(sitesContract.searchSiteContent, { path, body });
  const addresses = addressesOf(visit, asked);
  const titles = sectionTitles(visit);
  const placeOf = ({ id, title }: SearchSpaceResult) => {
    const section = all.find(({ space }) => space.id === id)?.section;
    return (section === undefined ? undefined : titles.get(section)) ?? title;
  };
  const found = items
    .flatMap((space) => space.pages.map((page) => ({ space, page })))
    .sort((one, other) => one.page.rank - other.page.rank);
  const results = found
    .slice(0, maxResults)
    .flatMap(({ space, page }) => resultOf(space, page, { addresses, crumbs: all.length > 1 ? [placeOf(space)] : [] }));
  return { results, isCut: found.length > maxResults || items.some(({ pages }) => pages.length === pagesOfSpace) };
}

interface Placed {
  addresses: ReturnType<typeof addressesOf>;
  crumbs: string[];
}

function resultOf(
  { id }: SearchSpaceResult,
  page: SearchSpaceResult['pages'][number],
  { addresses, crumbs }: Placed,
): FoundPage[] {
  const href = addresses.target({ kind: 'page', space: id, path: page.path, title: page.title });
  if (href === null) return [];
  const sections = page.sections ?? [];
  return [
    {
      spaceId: id,
      pageId: page.id,
      title: page.title,
      href,
      crumbs: [...crumbs, ...page.ancestors.map(({ title }) => title)],
      ...(page.description === '' ? {} : { body: page.description }),
      sections: sections
        .filter(({ title }) => title !== '' && title !== page.title)
        .map(({ title, body, path }) => ({ title, body, href: href + fragmentOf(path) })),
    },
  ];
}

/** The path of a section is that of its page, with its anchor. */
const fragmentOf = (path: string): string => (path.includes('#') ? path.slice(path.indexOf('#')) : '');
