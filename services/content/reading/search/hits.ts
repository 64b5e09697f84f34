import type { HasStore } from '../../../../shared/store/port.js';
import type { SearchTerm } from '../../../../shared/store/search-port.js';
import { tokenize } from '../../../../shared/text/tokens.js';
import { isTurnOver, nextTurn } from '../../../../shared/work/slices.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import type { PageSection } from '../../format/document/stored-page.js';
import { sectionsToSearch } from '../../format/workers/searched-sections.js';
import { pageUrl } from '../pages/pages.js';
import type { SearchItem } from './resources.js';
import { sectionsIn } from './search-index.js';

const sectionsShown = 5;
/** Characters. */
const snippetLength = 300;

/** A page that a search found, with the sections that its reader sees. */
export interface Hit {
  /** The content that the page is in, as its reader sees it. */
  view: RevisionView;
  page: PageEntry;
  score: number;
  /** Absent for a page that every reader sees as it is stored. */
  sections?: PageSection[];
}

/** Hits whose sections are loaded at once. */
const atOnce = 4;

/** Hits with their best sections, in their order. `first`: the rank of the first one. */
export async function presentHits(
  { store, baseUrl }: HasStore & { baseUrl: string },
  { space, hits, terms, first }: { space: string; hits: Hit[]; terms: SearchTerm[]; first: number },
): Promise<SearchItem[]> {
  const presented: SearchItem[] = [];
  for (let start = 0; start < hits.length; start += atOnce) {
    const part = hits.slice(start, start + atOnce);
    const plain = part.filter(({ sections }) => !sections).map(({ page }) => page);
    const stored = await sectionsIn(store, space, plain);
    for (const hit of part) {
      const { page, sections } = hit;
      // Reading a page and comparing it with the query takes a while.
      if (isTurnOver()) await nextTurn();
      const searched = sections ?? sectionsToSearch(stored.get(page.id) ?? []);
      presented.push(presentHit({ ...hit, baseUrl, space, terms, rank: first + presented.length }, searched));
    }
  }
  return presented;
}

export const matches = (token: string, term: SearchTerm) =>
  term.prefix ? token.startsWith(term.token) : token === term.token;

/** The number of terms that a section holds; terms in its heading count twice. */
function sectionScore(section: PageSection, terms: SearchTerm[]): number {
  const heading = tokenize(section.title ?? '');
  const body = tokenize(section.text);
  const holds = (tokens: string[]) => terms.filter((term) => tokens.some((token) => matches(token, term))).length;
  return 2 * holds(heading) + holds(body);
}

interface HitPage extends Omit<Hit, 'sections'> {
  baseUrl: string;
  space: string;
  terms: SearchTerm[];
  rank: number;
}

/** From the top to the parent of a page. */
function ancestorsOf({ view, page }: Pick<Hit, 'view' | 'page'>): { title: string }[] {
  const ancestors: { title: string }[] = [];
  const parentOf = (id: string) => view.pageById.get(view.parentById.get(id) ?? '');
  for (let parent = parentOf(page.id); parent; parent = parentOf(parent.id)) ancestors.unshift({ title: parent.title });
  return ancestors;
}

interface FoundSection {
  section: PageSection;
  index: number;
  score: number;
}

function presentHit(hit: HitPage, sections: PageSection[]): SearchItem {
  const { baseUrl, space, page, terms, score, rank } = hit;
  const found = sections
    .map((section, index) => ({ section, index, score: sectionScore(section, terms) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, sectionsShown);
  return {
    id: page.id,
    title: page.title,
    description: page.description ?? '',
    path: page.path,
    score,
    rank,
    ancestors: ancestorsOf(hit),
    sections: found.map((of) => presentSection(hit, of)),
    urls: { app: pageUrl(baseUrl, space, page.path) },
  };
}

function presentSection({ baseUrl, space, page, terms }: HitPage, { section, index, score }: FoundSection) {
  const path = section.anchor ? `${page.path}#${section.anchor}` : page.path;
  return {
    id: `${page.id}-${section.anchor ?? index}`,
    title: section.title ?? page.title,
    path,
    score,
    body: snippet(section.text, terms),
    urls: { app: pageUrl(baseUrl, space, path) },
  };
}

/** The part of a text around the first matching word. */
function snippet(text: string, terms: SearchTerm[]): string {
  const lower = text.toLowerCase();
  const positions = terms.map(({ token }) => lower.indexOf(token)).filter((position) => position >= 0);
  const first = positions.length > 0 ? Math.min(...positions) : 0;
  const start = Math.max(0, first - snippetLength / 4);
  const part = text.slice(start, start + snippetLength).trim();
  return `${start > 0 ? '…' : ''}${part}${start + snippetLength < text.length ? '…' : ''}`;
}
