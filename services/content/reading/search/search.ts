import type { QueryOf } from '../../../../shared/contract/operation.js';
import { invalid } from '../../../../shared/errors/errors.js';
import type { Visitor } from '../../../../shared/expression/visitor.js';
import { decodeCursor, encodeCursor, type Page } from '../../../../shared/lists/paging.js';
import { scaleMs } from '../../../../shared/settings/time-scale.js';
import type { HasStore } from '../../../../shared/store/port.js';
import type { SearchHit, SearchTerm } from '../../../../shared/store/search-port.js';
import { queryTerms, titleTokens, tokenize } from '../../../../shared/text/tokens.js';
import { unlessTaskFailed } from '../../../../shared/workers/workers.js';
import { documentId, headingOrTitle, pageDocuments, pageSearch } from '../../core/revisions/model.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import type { PageSection } from '../../format/document/stored-page.js';
import { expressionInputs } from '../../format/workers/expression-inputs.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { searchOperations } from '../contract/search.js';
import type { HasViews } from '../pages/visitors/visitor-view-cache.js';
import { type Hit, matches, presentHits } from './hits.js';
import type { SearchItem } from './resources.js';

/** Hits that can be paged through. */
export const maxHits = 1000;
/** For the evaluation of pages in one search; the best hits are first. */
export const evaluationMs = scaleMs(3000);

export type SearchDependencies = HasStore & HasViews & HasWork & { baseUrl: string };

/** A query as it was typed, and the terms in it. */
export interface Asked {
  query: string;
  terms: SearchTerm[];
}

export interface PageSearch extends Asked {
  organization: string;
  space: string;
  visitor: Visitor | undefined;
  /** When the evaluation of pages ends, by `performance.now()`. */
  until: number;
}

export async function searchSpace(
  deps: SearchDependencies,
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
  const until = performance.now() + evaluationMs;
  const asked = { query, terms };
  const [found] = await deps.store.search(pageSearch, { scopes: [space], ...inIndex(asked), each: maxHits });
  const { hits: indexed = [], total = 0 } = found ?? {};
  const hits = await readableHits(deps, { organization, space, ...asked, visitor, until }, indexed);
  // The number of matches beyond the hits would also count pages that a visitor does not see.
  const count = visitor ? hits.length : total - (indexed.length - hits.length);
  const items = await presentHits(deps, { space, hits: hits.slice(start, start + limit), terms, first: start + 1 });
  const more = limit > 0 && start + limit < hits.length;
  return more ? { next: { page: encodeCursor([start + limit]) }, count, items } : { count, items };
}

/** A query as the index takes it. */
export const inIndex = ({ query, terms }: Asked) => ({ terms, title: titleTokens(query).join(' ') });

/**
 * The hits that are pages of a space by now; for a visitor, without those that it may not see. Titles that are the query letter by
 * letter come first: the index knows neither case nor accents.
 */
export async function readableHits(
  { store, views, work }: SearchDependencies,
  { organization, space, query, terms, visitor, until }: PageSearch,
  indexed: SearchHit[],
): Promise<Hit[]> {
  const view = await views.current(space, visitor);
  const highest = indexed[0]?.score ?? 0;
  const isAsked = ({ title }: PageEntry) => title.trim() === query.trim();
  const hits = indexed
    .flatMap(({ id, score }): Hit[] => {
      const page = view.pageById.get(id);
      return page ? [{ view, page, score: isAsked(page) ? score + highest : score }] : [];
    })
    .sort((a, b) => b.score - a.score);
  return visitor ? evaluatedHits({ store, work }, { organization, view, hits, terms, visitor, until }) : hits;
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
async function evaluatedHits(
  { store, work }: Pick<SearchDependencies, 'store' | 'work'>,
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
    const inputs = expressionInputs(claims, variables, hit.page.variables);
    const page = { source: found?.source ?? '', title: headingOrTitle(hit.page), inputs };
    const sections = await work.sections(page, organization, { withinMs }).catch(unlessTaskFailed);
    if (sections && holdsAll(hit.page, sections, terms)) visible.push({ ...hit, sections });
  }
  return visible;
}

function holdsAll({ title, description = '' }: PageEntry, sections: PageSection[], terms: SearchTerm[]): boolean {
  const texts = [title, description, ...sections.flatMap((section) => [section.title ?? '', section.text])];
  const tokens = texts.flatMap(tokenize);
  return terms.every((term) => tokens.some((token) => matches(token, term)));
}

function positionOf(page: string): number {
  const [position] = decodeCursor(page, 1);
  if (typeof position !== 'number' || !Number.isInteger(position) || position < 0)
    throw invalid('page: not a page of this search; use next.page of the previous answer', 'list_page_unknown');
  return position;
}
