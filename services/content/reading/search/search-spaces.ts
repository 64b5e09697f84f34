import type { Caller } from '../../../../shared/contract/caller.js';
import type { QueryOf } from '../../../../shared/contract/operation.js';
import { toVisitor, type Visitor } from '../../../../shared/expression/visitor.js';
import { decodeCursor, encodeCursor, notOfThisList, type Page } from '../../../../shared/lists/paging.js';
import type { ScopeHits, SearchTerm } from '../../../../shared/store/search-port.js';
import { queryTerms } from '../../../../shared/text/tokens.js';
import { sha256 } from '../../../../shared/values/ids.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { spaces } from '../../core/nodes/model.js';
import { pageSearch } from '../../core/revisions/model.js';
import type { organizationSearchOperations } from '../contract/organization-search.js';
import type { SearchSpaces, SpaceHits } from '../contract.js';
import { visitorOfCaller } from '../pages/visitors/visitor-view-cache.js';
import { type Hit, presentHits } from './hits.js';
import { pagesOfSpace, type SearchSpaceResult } from './resources.js';
import { type Asked, evaluationMs, inIndex, maxHits, readableHits, type SearchDependencies } from './search.js';

/** Pages in an answer for an organization; each space has one at least. */
const pagesOfAnswer = 100;
/** Pages of each space that are looked at for a visitor, who may not see all of them. */
const candidates = 100;
/** Spaces whose titles are compared with the query, letter by letter, to put them in order. */
const maxSorted = 50;
/** Spaces that are loaded ahead of a search; more would put out of memory what others read. */
const maxPrewarmed = 20;
/** Spaces evaluated or presented at once. */
const lanes = 8;

interface ManySpaces extends Asked {
  /** Spaces that the caller may read and that are not deleted. */
  spaces: string[];
  visitor: Visitor | undefined;
  offset: number;
  limit: number;
  /** Pages to show of each space, by the number of spaces in the answer; 10 by default. */
  pagesIn?: (shown: number) => number;
}

interface FoundSpace {
  space: string;
  title: string;
  hits: Hit[];
}

/** Spaces with pages that hold every word, those with the best page first; with the best pages of each. */
async function searchMany(
  deps: SearchDependencies,
  { spaces: scopes, query, terms, visitor, offset, limit, pagesIn = () => pagesOfSpace }: ManySpaces,
): Promise<{ count: number; items: SpaceHits[] }> {
  const each = visitor ? candidates : pagesOfSpace;
  const asked = { query, terms };
  const indexed = await deps.store.search(pageSearch, { scopes, ...inIndex(asked), each });
  // Which spaces a visitor finds, and in which order, is known when the pages are evaluated; of many spaces, others see what the index holds.
  const seen =
    visitor || indexed.length <= maxSorted
      ? (await spacesSeen(deps, indexed, { ...asked, visitor })).sort(byBestHit)
      : undefined;
  const end = offset + limit;
  const shown = seen?.slice(offset, end) ?? (await spacesSeen(deps, indexed.slice(offset, end), { ...asked, visitor }));
  const pages = pagesIn(shown.length);
  const found = await inLanes(shown, async ({ space, title, hits }) => ({
    space,
    title,
    score: hits[0]?.score ?? 0,
    pages: await presentHits(deps, { space, hits: hits.slice(0, pages), terms, first: 0 }),
  }));
  const items = withRanks(found, offset);
  return { count: visitor && seen ? seen.length : indexed.length, items };
}

/** Spaces whose pages know their rank among all that are shown; those of the answers before count one page for each space. */
function withRanks(found: SpaceHits[], offset: number): SpaceHits[] {
  const pages = found.flatMap((of) => of.pages).sort((a, b) => b.score - a.score);
  for (const [at, page] of pages.entries()) page.rank = offset + at + 1;
  return found;
}

/** The spaces with hits that are pages by now, for a visitor with those that it sees; the first ones have the most time. */
async function spacesSeen(
  deps: SearchDependencies,
  found: ScopeHits[],
  { visitor, ...asked }: Asked & Pick<ManySpaces, 'visitor'>,
): Promise<FoundSpace[]> {
  const until = performance.now() + evaluationMs;
  const ids = found.map(({ scope }) => scope);
  const documents = await deps.store.getMany(spaces, ids, { fields: ['organization', 'title'] });
  const hitsOf = new Map(found.map(({ scope, hits }) => [scope, hits]));
  const seen = await inLanes(documents, async ({ _id: space, organization, title }) => {
    const indexed = hitsOf.get(space) ?? [];
    return { space, title, hits: await readableHits(deps, { organization, space, ...asked, visitor, until }, indexed) };
  });
  return seen.filter(({ hits }) => hits.length > 0);
}

const bestOf = ({ hits }: FoundSpace): number => hits[0]?.score ?? 0;
const byBestHit = (a: FoundSpace, b: FoundSpace): number => bestOf(b) - bestOf(a) || (a.space < b.space ? -1 : 1);

/** Runs a few at once, in order, so that a search of two thousand spaces leaves room for other requests. */
async function inLanes<T, R>(items: T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length);
  const entries = items.entries();
  const lane = async () => {
    for (const [at, item] of entries) results[at] = await run(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

/** Searches spaces that another service names, and that the caller may read as it knows. */
export async function searchSpaces(
  deps: SearchDependencies,
  { spaces: ids, query, limit, offset, claims }: SearchSpaces,
): Promise<{ count: number; items: SpaceHits[] }> {
  const terms = queryTerms(query);
  if (terms.length === 0) return { count: 0, items: [] };
  const active = await activeOf(deps, ids);
  return searchMany(deps, { spaces: active, query, terms, visitor: claims && toVisitor(claims), offset, limit });
}

/** Loads what a search of the first of these spaces reads besides the index. */
export async function prewarmSearch(
  deps: SearchDependencies,
  { spaces: ids, claims }: Pick<SearchSpaces, 'spaces' | 'claims'>,
): Promise<void> {
  const visitor = claims && toVisitor(claims);
  const first = (await activeOf(deps, ids)).slice(0, maxPrewarmed);
  await inLanes(first, (space) => deps.views.current(space, visitor));
}

async function activeOf({ store }: Pick<SearchDependencies, 'store'>, ids: string[]): Promise<string[]> {
  const known = await store.getMany(spaces, [...new Set(ids)], { fields: ['deletedAt'] });
  return known.filter(({ deletedAt }) => deletedAt === null).map(({ _id }) => _id);
}

interface OrganizationSearch {
  organization: string;
  query: QueryOf<typeof organizationSearchOperations.searchOrganizationContent>;
  caller: Caller;
}

/** Searches the spaces of an organization that the caller may read. */
export async function searchOrganization(
  deps: SearchDependencies & HasTrees,
  { organization, query: { query, page, limit: asked }, caller }: OrganizationSearch,
): Promise<Page<SearchSpaceResult>> {
  const terms = queryTerms(query);
  const offset = page === undefined ? 0 : positionIn(page, terms);
  if (terms.length === 0) return { count: 0, items: [] };
  const limit = Math.max(0, Math.min(asked, maxHits - offset));
  const pagesIn = (shown: number) => Math.min(pagesOfSpace, Math.max(1, Math.floor(pagesOfAnswer / shown)));
  const { count, items } = await searchMany(deps, {
    spaces: await readableSpaces(deps, organization, caller),
    query,
    terms,
    visitor: visitorOfCaller(caller),
    offset,
    limit,
    pagesIn,
  });
  const found = items.map(presentSpaceHits);
  const end = offset + limit;
  return limit > 0 && end < Math.min(count, maxHits)
    ? { next: { page: encodeCursor([keyOf(terms), end]) }, count, items: found }
    : { count, items: found };
}

const presentSpaceHits = ({ space, title, score, pages }: SpaceHits): SearchSpaceResult => ({
  type: 'space',
  id: space,
  title,
  score,
  pages,
});

/** A user may read spaces by the content tree, a visitor those that its token names. */
export async function readableSpaces({ trees }: HasTrees, organization: string, caller: Caller): Promise<string[]> {
  if (caller.kind !== 'content')
    return (await trees.nodesAccessibleTo(caller, organization, 'space')).map(({ node }) => node.id);
  const roles = await trees.rolesOn(organization, caller, caller.spaces);
  return caller.spaces.filter((_, at) => roles[at] !== null);
}

/** Distinguishes the pages of a search from those of another. */
const keyOf = (terms: SearchTerm[]): string => sha256(JSON.stringify(terms)).slice(0, 16);

function positionIn(page: string, terms: SearchTerm[]): number {
  const [key, position] = decodeCursor(page, 2);
  if (key !== keyOf(terms) || typeof position !== 'number' || !Number.isInteger(position) || position < 0)
    throw notOfThisList();
  return position;
}
