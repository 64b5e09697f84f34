import { invalid } from '../../shared/errors.js';
import { decodeCursor, encodeCursor, type Page, type PageRequest } from '../../shared/paging.js';
import type { SearchStatistics, SearchTerm, Store } from '../../shared/store/port.js';
import { sumOfStatistics } from '../../shared/store/score.js';
import { queryTerms, tokenize } from '../../shared/text/tokens.js';
import { type Audience, audienceOf, inputsOf } from './conditions.js';
import { documentId, pageDocuments, pageSearch, type Section, spaces } from './model.js';
import type { PageWork } from './page-work.js';
import { pageUrl } from './pages.js';
import type { SearchItem } from './resources.js';
import type { PageEntry, RevisionView } from './revisions.js';
import { sectionsOf } from './search-index.js';
import type { VisitorViews } from './visitor-views.js';

/** How deep a search can be paged. */
const deepest = 1000;
/** What a search of many spaces shows of each. */
const pagesOfSpace = 10;
/** Of each, where some may be hidden from the visitor. */
const lookedAt = 100;
const lanes = 8;
const sectionsShown = 5;
const snippetLength = 300;

export interface SearchRules {
  store: Store;
  views: VisitorViews;
  work: PageWork;
  baseUrl: string;
}

/** A page that a search found, with what its reader sees of it. */
interface Hit {
  page: PageEntry;
  score: number;
  /** Absent where every reader sees what is stored. */
  sections?: Section[];
}

interface Found {
  hits: Hit[];
  /** All that match, also beyond the hits. */
  count: number;
}

export async function searchSpace(
  rules: SearchRules,
  space: string,
  query: string,
  request: PageRequest,
  audience?: Audience,
): Promise<Page<SearchItem>> {
  const terms = queryTerms(query);
  if (terms.length === 0) return { count: 0, items: [] };
  const start = request.page === undefined ? 0 : positionOf(request.page);
  const { hits, count } = await findPages(rules, space, terms, deepest, audience);
  const items = await presentHits(rules, space, hits.slice(start, start + request.limit), terms);
  const more = request.limit > 0 && start + request.limit < hits.length;
  return more ? { next: { page: encodeCursor([start + request.limit]) }, count, items } : { count, items };
}

/** The pages of a space that hold every term, best first, as far as the audience may know of them. */
async function findPages(
  rules: SearchRules,
  space: string,
  terms: SearchTerm[],
  limit: number,
  audience: Audience | undefined,
  statistics?: SearchStatistics,
): Promise<Found> {
  const view = await rules.views.current(space, audience);
  const { hits, total } = await rules.store.search(pageSearch, space, terms, limit, statistics);
  const known = hits.flatMap(({ id, score }): Hit[] => {
    const page = view.pageById.get(id);
    return page ? [{ page, score }] : [];
  });
  const seen = audience ? await seenBy(rules, view, known, terms, audience) : known;
  return { hits: seen, count: total - (hits.length - seen.length) };
}

/** The index knows all that is written. What a visitor does not see of a page must not find it. */
async function seenBy(
  { store, work }: SearchRules,
  view: RevisionView,
  hits: Hit[],
  terms: SearchTerm[],
  { claims }: Audience,
): Promise<Hit[]> {
  const { space, variables } = view.revision;
  const seen: Hit[] = [];
  for (const hit of hits) {
    const { document, plain } = hit.page;
    if (plain || document === undefined) {
      seen.push(hit);
      continue;
    }
    const found = await store.get(pageDocuments, documentId(space, document), { fields: ['source'] });
    const inputs = inputsOf(claims, variables, hit.page.variables);
    const sections = await work.sections(found?.source ?? '', hit.page.title, inputs);
    if (holdsAll(hit.page, sections, terms)) seen.push({ ...hit, sections });
  }
  return seen;
}

function holdsAll({ title, description = '' }: PageEntry, sections: Section[], terms: SearchTerm[]): boolean {
  const texts = [title, description, ...sections.flatMap((section) => [section.title ?? '', section.text])];
  const tokens = texts.flatMap(tokenize);
  return terms.every((term) => tokens.some((token) => matches(token, term)));
}

async function presentHits(
  { store, baseUrl }: SearchRules,
  space: string,
  hits: Hit[],
  terms: SearchTerm[],
): Promise<SearchItem[]> {
  const stored = await sectionsOf(
    store,
    space,
    hits.filter(({ sections }) => !sections).map(({ page }) => page),
  );
  return hits.map(({ page, sections }) =>
    presentHit(baseUrl, space, page, sections ?? stored.get(page.id) ?? [], terms),
  );
}

export interface SpacesSearch {
  spaces: string[];
  query: string;
  limit: number;
  offset: number;
  claims?: Record<string, unknown> | undefined;
}

export interface SpaceHits {
  space: string;
  title: string;
  pages: SearchItem[];
}

/** Spaces with pages that hold every word, those with the best page first; of each its best pages. */
export async function searchSpaces(
  rules: SearchRules,
  { spaces: ids, query, limit, offset, claims }: SpacesSearch,
): Promise<{ count: number; items: SpaceHits[] }> {
  const terms = queryTerms(query);
  if (terms.length === 0) return { count: 0, items: [] };
  const fields = ['title', 'deletedAt'] as ('title' | 'deletedAt')[];
  const known = (await rules.store.getMany(spaces, [...new Set(ids)], { fields })).filter(
    ({ deletedAt }) => deletedAt === null,
  );
  const audience = claims && audienceOf(claims);
  const { holding, statistics } = await statisticsOf(rules.store, known, terms);
  const found: { space: string; title: string; hits: Hit[] }[] = [];
  await inLanes(holding, async ({ _id, title }) => {
    const { hits } = await findPages(rules, _id, terms, audience ? lookedAt : pagesOfSpace, audience, statistics);
    if (hits.length > 0) found.push({ space: _id, title, hits: hits.slice(0, pagesOfSpace) });
  });
  const best = ({ hits }: { hits: Hit[] }) => Math.max(...hits.map(({ score }) => score));
  found.sort((a, b) => best(b) - best(a) || (a.space < b.space ? -1 : 1));
  const shown = found.slice(offset, offset + limit).map(async ({ space, title, hits }) => ({
    space,
    title,
    pages: await presentHits(rules, space, hits, terms),
  }));
  return { count: found.length, items: await Promise.all(shown) };
}

/** The spaces that hold every term, and what makes the scores of their pages compare: how rare the terms are in all that is searched. */
async function statisticsOf<S extends { _id: string }>(store: Store, searched: S[], terms: SearchTerm[]) {
  const all: SearchStatistics[] = new Array(searched.length);
  await inLanes([...searched.entries()], async ([at, { _id }]) => {
    all[at] = await store.searchStatistics(pageSearch, _id, terms);
  });
  const holding = searched.filter((_, at) => all[at]?.matching.every((count) => count > 0));
  return { holding, statistics: sumOfStatistics(all) };
}

/** A few at once: a search of two thousand spaces leaves room for others. */
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

const matches = (token: string, term: SearchTerm) =>
  term.prefix ? token.startsWith(term.token) : token === term.token;

/** How many of the terms a section holds, its heading counted twice. */
function sectionScore(section: Section, terms: SearchTerm[]): number {
  const heading = tokenize(section.title ?? '');
  const body = tokenize(section.text);
  const holds = (tokens: string[]) => terms.filter((term) => tokens.some((token) => matches(token, term))).length;
  return 2 * holds(heading) + holds(body);
}

function presentHit(
  baseUrl: string,
  space: string,
  page: PageEntry,
  sections: Section[],
  terms: SearchTerm[],
): SearchItem {
  const found = sections
    .map((section, index) => ({ section, index, score: sectionScore(section, terms) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, sectionsShown);
  return {
    id: page.id,
    title: page.title,
    path: page.path,
    sections: found.map(({ section, index }) => presentSection(baseUrl, space, page, section, index, terms)),
    urls: { app: pageUrl(baseUrl, space, page.path) },
  };
}

function presentSection(
  baseUrl: string,
  space: string,
  page: PageEntry,
  section: Section,
  index: number,
  terms: SearchTerm[],
) {
  const path = section.anchor ? `${page.path}#${section.anchor}` : page.path;
  return {
    id: `${page.id}-${section.anchor ?? index}`,
    title: section.title ?? page.title,
    path,
    body: snippet(section.text, terms),
    urls: { app: pageUrl(baseUrl, space, path) },
  };
}

/** The part of a text around the first word that was found. */
function snippet(text: string, terms: SearchTerm[]): string {
  const lower = text.toLowerCase();
  const positions = terms.map(({ token }) => lower.indexOf(token)).filter((position) => position >= 0);
  const first = positions.length > 0 ? Math.min(...positions) : 0;
  const start = Math.max(0, first - snippetLength / 4);
  const part = text.slice(start, start + snippetLength).trim();
  return `${start > 0 ? '…' : ''}${part}${start + snippetLength < text.length ? '…' : ''}`;
}
