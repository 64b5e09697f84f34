import { toVisitor } from '../../../../shared/expression/visitor.js';
import type { ScopeHits } from '../../../../shared/store/search-port.js';
import { queryTerms, tokenize } from '../../../../shared/text/tokens.js';
import { spaces } from '../../core/nodes/model.js';
import { pageSearch } from '../../core/revisions/model.js';
import type { PageSection } from '../../format/document/stored-page.js';
import { sectionsToSearch } from '../../format/workers/searched-sections.js';
import type { Hit } from '../../reading/search/hits.js';
import { evaluationMs, readableHits, type SearchDependencies } from '../../reading/search/search.js';
import { sectionsIn } from '../../reading/search/search-index.js';
import type { SourceRef } from './model.js';

/** A section that the asker may read, with its text. */
export interface Source extends SourceRef {
  heading: string;
  text: string;
}

export interface Searched {
  organization: string;
  /** Spaces that the asker may read, and that are not deleted. */
  spaces: string[];
  question: string;
  /** The claims of a visitor; without them no page is left out. */
  claims?: Record<string, unknown> | undefined;
  /** The page that the asker reads: its beginning comes first. */
  page?: { space: string; page: string } | undefined;
}

/** Words of a question that are looked up. */
const maxTerms = 16;
/** Spaces and pages that are looked at. */
const maxSpaces = 20;
const maxPages = 24;
const hitsOfSpace = 20;
const maxSections = 12;
/** The part of the score of the best section that others need. */
const least = 0.3;
/** Sections of the page that the asker reads. */
const maxOfPage = 3;
/** Characters of a section; more are cut. */
const maxText = 4000;

/** A word of a question: its beginning, which its other forms share, and its weight: the rarer it is, the more. */
interface Weighted {
  token: string;
  stem: string;
  weight: number;
}

/** The part of a word that its other forms begin with, in most languages. Scripts without spaces have tokens of two characters. */
const stemOf = (token: string): string => token.slice(0, Math.max(3, Math.ceil(token.length * 0.7)));

/** Words of three letters and less say little where words have letters. */
const isLittle = (token: string): boolean => /^\p{sc=Latin}{1,3}$/u.test(token);
const littleWeight = 0.3;

/** Other forms of a word count less than the word. */
const likeness = 0.8;

/**
 * Finds the sections that have most of the rare words of a question, best first. Unlike a search, none has to have all of them: a question has
 * words that no page says.
 */
export async function findSections(
  deps: SearchDependencies,
  { organization, spaces: scopes, question, claims, page }: Searched,
): Promise<Source[]> {
  const terms = queryTerms(question).slice(0, maxTerms);
  const found = await Promise.all(
    terms.map(({ token, prefix }) => {
      const stem = stemOf(token);
      // A single character of a script without spaces is part of many words.
      const isBeginning = token.length > 2 || (prefix && token.length === 1);
      const term = isBeginning ? { token: stem, prefix: true } : { token };
      return deps.store.search(pageSearch, { scopes, terms: [term], each: hitsOfSpace });
    }),
  );
  const weighted = terms.map(({ token }, at) => ({
    token,
    stem: stemOf(token),
    weight: weightOf(token, found[at] ?? []),
  }));
  const visitor = claims && toVisitor(claims);
  const until = performance.now() + evaluationMs;
  const candidates = bestPages(found);
  const documents = await deps.store.getMany(spaces, [...candidates.keys()], { fields: ['deletedAt'] });
  const seen = (space: string, hits: { id: string; score: number }[]) =>
    readableHits(deps, { organization, space, query: question, terms: [], visitor, until }, hits);
  const sources: (Source & { score: number })[] = [];
  for (const { _id: space, deletedAt } of documents) {
    if (deletedAt) continue;
    const hits = await seen(space, candidates.get(space) ?? []);
    sources.push(...(await scoredSections(deps, { space, hits, weighted })).filter(({ score }) => score > 0));
  }
  const best = sources.sort((a, b) => b.score - a.score);
  const enough = least * (best[0]?.score ?? 0);
  const opened = page && scopes.includes(page.space) ? await seen(page.space, [{ id: page.page, score: 1 }]) : [];
  const first = page
    ? (await scoredSections(deps, { space: page.space, hits: opened, weighted })).slice(0, maxOfPage)
    : [];
  const isFirst = new Set(first.map(({ section }) => section));
  return [...first, ...best.filter(({ section, score }) => score >= enough && !isFirst.has(section))]
    .slice(0, maxSections)
    .map(({ score: _, ...source }) => source);
}

function weightOf(token: string, found: ScopeHits[]): number {
  const pages = found.reduce((sum, { total }) => sum + total, 0);
  return (isLittle(token) ? littleWeight : 1) / Math.log2(2 + pages);
}

/** The pages with the most of the words, by space. */
function bestPages(found: ScopeHits[][]): Map<string, { id: string; score: number }[]> {
  const scores = new Map<string, { space: string; id: string; score: number }>();
  for (const { scope, hits } of found.flatMap((scopes) => scopes.slice(0, maxSpaces)))
    for (const { id, score } of hits) {
      const key = `${scope} ${id}`;
      scores.set(key, { space: scope, id, score: (scores.get(key)?.score ?? 0) + score });
    }
  const best = [...scores.values()].sort((a, b) => b.score - a.score).slice(0, maxPages);
  const bySpace = new Map<string, { id: string; score: number }[]>();
  for (const { space, ...hit } of best) bySpace.set(space, [...(bySpace.get(space) ?? []), hit]);
  return bySpace;
}

async function scoredSections(
  { store }: Pick<SearchDependencies, 'store'>,
  { space, hits, weighted }: { space: string; hits: Hit[]; weighted: Weighted[] },
): Promise<(Source & { score: number })[]> {
  const stored = await sectionsIn(
    store,
    space,
    hits.filter(({ sections }) => !sections).map(({ page }) => page),
  );
  return hits.flatMap(({ view, page, sections = sectionsToSearch(stored.get(page.id) ?? []) }) => {
    const ofTitle = scoreOf(page.title, weighted);
    return sections.flatMap((section, index) => {
      const score = ofTitle + sectionScore(section, weighted);
      const text = section.text.trim().slice(0, maxText);
      if (text === '') return [];
      return {
        space,
        revision: view.revision._id,
        page: page.id,
        section: `${page.id}-${section.anchor ?? index}`,
        title: page.title,
        path: section.anchor ? `${page.path}#${section.anchor}` : page.path,
        heading: section.title ?? '',
        text,
        score,
      };
    });
  });
}

/** Words in the heading count twice. */
const sectionScore = ({ title = '', text }: PageSection, weighted: Weighted[]): number =>
  2 * scoreOf(title, weighted) + scoreOf(text, weighted);

function scoreOf(text: string, weighted: Weighted[]): number {
  const tokens = new Set(tokenize(text));
  const all = [...tokens];
  return weighted.reduce((sum, { token, stem, weight }) => {
    if (tokens.has(token)) return sum + weight;
    return token.length > 2 && all.some((each) => each.startsWith(stem)) ? sum + likeness * weight : sum;
  }, 0);
}
