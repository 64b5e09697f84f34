import type { QueryOf } from '../../../shared/contract/operation.js';
import { invalid } from '../../../shared/errors.js';
import { type Visitor, visitorOf } from '../../../shared/expression/visitor.js';
import { decodeCursor, encodeCursor, type Page } from '../../../shared/paging.js';
import type { SearchStatistics, SearchTerm, Store } from '../../../shared/store/port.js';
import { sumOfStatistics } from '../../../shared/store/score.js';
import { queryTerms, tokenize } from '../../../shared/text/tokens.js';
import { unlessTaskFailed } from '../../../shared/work/workers.js';
import type { searchOperations } from '../contract/search.js';
import type { SearchSpaces, SpaceHits } from '../contract.js';
import type { ContentDependencies } from '../dependencies.js';
import { inputsOf } from '../page-work/expression-inputs.js';
import { documentId, headingOf, pageDocuments, pageSearch, type Section } from '../revisions/model.js';
import type { PageEntry, RevisionView } from '../revisions/revision-view.js';
import { type SpaceDocument, spaces } from '../tree/model.js';
import { type Hit, matches, presentHits } from './hits.js';
import type { SearchItem } from './resources.js';

/** Hits that can be paged through. */
const deepest = 1000;
/** Pages of each space in the result of a search of many spaces. */
const pagesOfSpace = 10;
/** Pages of each space that are looked at for a visitor, who may not see all of them. */
const candidates = 100;
/** Spaces searched at once. */
const lanes = 8;
/** For the evaluation of pages in one search; the best hits are first. */
const evaluationMs = 3000;

type Dependencies = Pick<ContentDependencies, 'store' | 'views' | 'work' | 'baseUrl'>;

interface PageSearch {
  organization: string;
  space: string;
  terms: SearchTerm[];
  limit: number;
  visitor: Visitor | undefined;
  /** When the evaluation of pages ends, by `performance.now()`. */
  until: number;
  /** Of all spaces searched, so that the scores of their pages compare; by default of the space. */
  statistics?: SearchStatistics;
}

interface Found {
  hits: Hit[];
  /** All matching pages, also beyond the hits. */
  count: number;
}

export async function searchSpace(
  deps: Dependencies,
  {
    organization,
    space,
    query: { query, page, limit },
    visitor,
  }: Pick<PageSearch, 'organization' | 'space' | 'visitor'> & {
    query: QueryOf<typeof searchOperations.searchSpaceContent>;
  },
): Promise<Page<SearchItem>> {
  const terms = queryTerms(query);
  if (terms.length === 0) return { count: 0, items: [] };
  const start = page === undefined ? 0 : positionOf(page);
  const { hits, count } = await findPages(deps, {
    organization,
    space,
    terms,
    limit: deepest,
    visitor,
    until: performance.now() + evaluationMs,
  });
  const items = await presentHits(deps, { space, hits: hits.slice(start, start + limit), terms });
  const more = limit > 0 && start + limit < hits.length;
  return more ? { next: { page: encodeCursor([start + limit]) }, count, items } : { count, items };
}

/** The pages of a space that hold every term, best first; for a visitor, without the pages that it may not see. */
async function findPages(
  { store, views, work }: Dependencies,
  { organization, space, terms, limit, visitor, until, statistics }: PageSearch,
): Promise<Found> {
  const view = await views.current(space, visitor);
  const { hits, total } = await store.search(pageSearch, space, terms, limit, statistics);
  const known = hits.flatMap(({ id, score }): Hit[] => {
    const page = view.pageById.get(id);
    return page ? [{ page, score }] : [];
  });
  const visible = visitor
    ? await visibleHits({ store, work }, { organization, view, hits: known, terms, visitor, until })
    : known;
  // How many pages match beyond the hits would also count pages that a visitor does not see.
  return { hits: visible, count: visitor ? visible.length : total - (hits.length - visible.length) };
}

interface Candidates extends Pick<PageSearch, 'organization' | 'terms' | 'until'> {
  view: RevisionView;
  hits: Hit[];
  visitor: Visitor;
}

/**
 * Keeps the hits whose evaluated text holds every term: the index also holds text that the visitor does not see. Leaves out
 * those that cannot be evaluated in time.
 */
async function visibleHits(
  { store, work }: Pick<Dependencies, 'store' | 'work'>,
  { organization, view, hits, terms, visitor: { claims }, until }: Candidates,
): Promise<Hit[]> {
  const { space, variables } = view.revision;
  const visible: Hit[] = [];
  for (const hit of hits) {
    const { document, plain } = hit.page;
    if (plain || document === undefined) {
      visible.push(hit);
      continue;
    }
    const withinMs = until - performance.now();
    if (withinMs <= 0) continue;
    const found = await store.get(pageDocuments, documentId(space, document), { fields: ['source'] });
    const inputs = inputsOf(claims, variables, hit.page.variables);
    const page = { source: found?.source ?? '', title: headingOf(hit.page), inputs };
    const sections = await work.sections(page, organization, { withinMs }).catch(unlessTaskFailed);
    if (sections && holdsAll(hit.page, sections, terms)) visible.push({ ...hit, sections });
  }
  return visible;
}

function holdsAll({ title, description = '' }: PageEntry, sections: Section[], terms: SearchTerm[]): boolean {
  const texts = [title, description, ...sections.flatMap((section) => [section.title ?? '', section.text])];
  const tokens = texts.flatMap(tokenize);
  return terms.every((term) => tokens.some((token) => matches(token, term)));
}

/** Spaces with pages that hold every word, ordered by their best page; with the best pages of each. */
export async function searchSpaces(
  deps: Dependencies,
  { spaces: ids, query, limit, offset, claims }: SearchSpaces,
): Promise<{ count: number; items: SpaceHits[] }> {
  const terms = queryTerms(query);
  if (terms.length === 0) return { count: 0, items: [] };
  const fields = ['organization', 'title', 'deletedAt'] satisfies (keyof SpaceDocument)[];
  const known = (await deps.store.getMany(spaces, [...new Set(ids)], { fields })).filter(
    ({ deletedAt }) => deletedAt === null,
  );
  const visitor = claims && visitorOf(claims);
  const until = performance.now() + evaluationMs;
  const { holding, statistics } = await statisticsOf(deps.store, known, terms);
  const found: { space: string; title: string; hits: Hit[] }[] = [];
  await inLanes(holding, async ({ _id, organization, title }) => {
    const most = visitor ? candidates : pagesOfSpace;
    const { hits } = await findPages(deps, {
      organization,
      space: _id,
      terms,
      limit: most,
      visitor,
      until,
      statistics,
    });
    if (hits.length > 0) found.push({ space: _id, title, hits: hits.slice(0, pagesOfSpace) });
  });
  const best = ({ hits }: { hits: Hit[] }) => Math.max(...hits.map(({ score }) => score));
  found.sort((a, b) => best(b) - best(a) || (a.space < b.space ? -1 : 1));
  const shown = found.slice(offset, offset + limit).map(async ({ space, title, hits }) => ({
    space,
    title,
    pages: await presentHits(deps, { space, hits, terms }),
  }));
  return { count: found.length, items: await Promise.all(shown) };
}

/** The spaces that hold every term, and how rare the terms are in all searched spaces, so that scores compare. */
async function statisticsOf<S extends { _id: string }>(store: Store, searched: S[], terms: SearchTerm[]) {
  const all: SearchStatistics[] = new Array(searched.length);
  await inLanes([...searched.entries()], async ([at, { _id }]) => {
    all[at] = await store.searchStatistics(pageSearch, _id, terms);
  });
  const holding = searched.filter((_, at) => all[at]?.matching.every((count) => count > 0));
  return { holding, statistics: sumOfStatistics(all) };
}

/** Runs a few at once, so that a search of two thousand spaces leaves room for other requests. */
async function inLanes<T>(items: T[], run: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) await run(items[at] as T);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

function positionOf(page: string): number {
  const [position] = decodeCursor(page, 1);
  if (typeof position !== 'number' || !Number.isInteger(position) || position < 0)
    throw invalid('page: not a page of this search; use next.page of the previous answer');
  return position;
}
