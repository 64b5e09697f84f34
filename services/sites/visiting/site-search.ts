import { resolveAccess } from '../../../shared/contract/access.js';
import type { Caller } from '../../../shared/contract/caller.js';
import type { BodyOf, QueryOf } from '../../../shared/contract/operation.js';
import type { Call } from '../../../shared/contract/service.js';
import { invalid } from '../../../shared/errors/errors.js';
import { decodeCursor, encodeCursor, type Page } from '../../../shared/lists/paging.js';
import type { HasStore } from '../../../shared/store/port.js';
import { prewarmSearch, searchSpaces } from '../../content/contract.js';
import { type SearchSpaceResult, spaceKind } from '../../content/resources.js';
import type { publishedOperations } from '../contract/visiting.js';
import type { Claims } from '../publishing/adaptive-schema.js';
import { type SiteDocument, siteOf } from '../site/model.js';
import { type PlacedSiteSpace, type Structure, siteSpacesOf } from '../structure/structure.js';
import type { HasStructureCache } from '../structure/structure-cache.js';
import type { HasVisibleSites } from './visible-site-cache.js';

type SearchBody = BodyOf<typeof publishedOperations.searchSiteContent>;

/** Which site spaces are searched: all, or those with these ids and, where `withDefaults`, the default ones. */
export interface SearchScope {
  all?: true;
  ids: string[];
  withDefaults?: true;
}

/** Where a visitor or a user looks for something in a site. */
export interface Searching {
  call: Call;
  caller: Caller;
  site: SiteDocument;
  scope: SearchScope;
}

/** The spaces of a scope: those that a visitor sees, or that a user may read itself. Ids of unknown site spaces are ignored. */
export async function spacesSearched(
  deps: HasStructureCache & HasVisibleSites,
  { call, caller, site, scope }: Searching,
): Promise<string[]> {
  const visitor = caller.kind === 'content' ? caller : undefined;
  const structure = await structureFor(deps, { site, claims: visitor?.claims });
  const searched = siteSpacesOf(structure).filter(isSearched(scope));
  const spaces = [...new Set(searched.map(({ siteSpace }) => siteSpace.space))];
  return visitor ? spaces : readableBy({ call, caller }, spaces);
}

/** The scope of a search in any of its forms: `scope`, and the older ones that name a mode. */
export function scopeOf(body: SearchBody | Pick<Extract<SearchBody, { scope: unknown }>, 'scope'>): SearchScope {
  const scope = 'scope' in body ? body.scope : body;
  switch (scope.mode) {
    case 'all':
      return { all: true, ids: [] };
    case 'default':
      return { ids: scope.includedSiteSpaces ?? [], withDefaults: true };
    case 'current':
      return { ids: [scope.siteSpaceId], withDefaults: true };
    default:
      return { ids: scope.siteSpaceIds };
  }
}

function isSearched({ all, ids, withDefaults }: SearchScope): (placed: PlacedSiteSpace) => boolean {
  const wanted = new Set(ids);
  return ({ siteSpace, isDefault }) => all || wanted.has(siteSpace.id) || (withDefaults === true && isDefault);
}

interface Search {
  call: Call;
  caller: Caller;
  id: string;
  body: SearchBody;
  query: QueryOf<typeof publishedOperations.searchSiteContent>;
}

/**
 * Finds the pages of a site that contain every word, by space. A visitor finds what it sees, a user what it may read itself; ids of
 * unknown site spaces are ignored.
 */
export async function searchSite(
  deps: HasStore & HasStructureCache & HasVisibleSites,
  { call, caller, id, body, query: { page, limit } }: Search,
): Promise<Page<SearchSpaceResult>> {
  const site = await siteOf(deps.store, id);
  const visitor = caller.kind === 'content' ? caller : undefined;
  const readable = await spacesSearched(deps, { call, caller, site, scope: scopeOf(body) });
  const offset = page === undefined ? 0 : positionOf(page);
  if (readable.length === 0) return { count: 0, items: [] };
  const claims = visitor ? { claims: visitor.claims } : {};
  const { count, items } = await call(searchSpaces, { spaces: readable, query: body.query, limit, offset, ...claims });
  const shown = items.map(({ space, title, score, pages }) => ({
    type: 'space' as const,
    id: space,
    title,
    score,
    pages,
  }));
  const end = offset + limit;
  return end < count && limit > 0
    ? { next: { page: encodeCursor([end]) }, count, items: shown }
    : { count, items: shown };
}

/** Has the content ready that a search of all the site reads. */
export async function prewarmSite(
  deps: HasStore & HasStructureCache & HasVisibleSites,
  { call, caller, id }: Pick<Search, 'call' | 'caller' | 'id'>,
): Promise<void> {
  const site = await siteOf(deps.store, id);
  const spaces = await spacesSearched(deps, { call, caller, site, scope: { all: true, ids: [] } });
  await call(prewarmSearch, { spaces, ...(caller.kind === 'content' ? { claims: caller.claims } : {}) });
}

/** The structure of a site as a visitor with these claims sees it; all of it without claims. */
async function structureFor(
  { visibleSites, structureCache }: HasStructureCache & HasVisibleSites,
  { site, claims }: { site: SiteDocument; claims: Claims | undefined },
): Promise<Structure> {
  return claims ? (await visibleSites.seenBy(site, claims)).structure : structureCache.structureOf(site);
}

async function readableBy({ call, caller }: Pick<Search, 'call' | 'caller'>, ids: string[]): Promise<string[]> {
  const access = await call(resolveAccess(spaceKind), { caller, ids });
  return ids.filter((_, at) => {
    const role = access[at]?.state === 'active' ? access[at]?.role : null;
    return role !== null && role !== undefined;
  });
}

function positionOf(page: string): number {
  const [position] = decodeCursor(page, 1);
  if (typeof position !== 'number' || !Number.isInteger(position) || position < 0)
    throw invalid('page: not a page of this search; use next.page of the previous answer', 'list_page_unknown');
  return position;
}
