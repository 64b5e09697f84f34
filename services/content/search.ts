import { invalid } from '../../shared/errors.js';
import { decodeCursor, encodeCursor, type Page, type PageRequest } from '../../shared/paging.js';
import type { SearchTerm, Store } from '../../shared/store/port.js';
import { documentId, pageSearch, type Section } from './model.js';
import { pageUrl } from './pages.js';
import type { SearchItem } from './resources.js';
import type { PageEntry, Revisions } from './revisions.js';
import { sectionsOf } from './search-index.js';
import { queryTerms, tokenize } from './tokens.js';

/** How deep a search can be paged. */
const deepest = 1000;
const sectionsShown = 5;
const snippetLength = 300;

export interface SearchRules {
  store: Store;
  revisions: Revisions;
  baseUrl: string;
}

export async function searchSpace(
  rules: SearchRules,
  space: string,
  query: string,
  request: PageRequest,
): Promise<Page<SearchItem>> {
  const terms = queryTerms(query);
  if (terms.length === 0) return { count: 0, items: [] };
  const start = request.page === undefined ? 0 : positionOf(request.page);
  const view = await rules.revisions.current(space);
  const { hits, total } = await rules.store.search(pageSearch, space, terms, deepest);
  const pages = hits.flatMap(({ id }) => view.pageById.get(id) ?? []);
  const shown = pages.slice(start, start + request.limit);
  const sections = await sectionsOf(rules.store, space, shown);
  const items = shown.map((page) =>
    presentHit(rules.baseUrl, space, page, sections.get(documentId(space, page.document ?? '')) ?? [], terms),
  );
  const count = total - (hits.length - pages.length);
  const more = request.limit > 0 && start + request.limit < pages.length;
  return more ? { next: { page: encodeCursor([start + request.limit]) }, count, items } : { count, items };
}

function positionOf(page: string): number {
  const [position] = decodeCursor(page, 1);
  if (typeof position !== 'number' || !Number.isInteger(position) || position < 0)
    throw invalid('page: not a page of a search');
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
