import type { PerField, ScopeHits, SearchEntry, SearchHit, SearchTerm } from './search-port.js';

/** The matches of one query term; `K` is an adapter's key of an entry. */
export interface TermMatches<K> {
  /** How often the matching tokens occur in each entry; a prefix sums all its tokens. */
  frequencies: Map<K, PerField>;
  /** For a prefix: the entries that hold the token as a whole word. */
  exact?: ReadonlySet<K>;
}

/** Statistics of the entries of all searched scopes. */
export interface Totals {
  entries: number;
  /** Number of tokens of all entries, by field. */
  lengths: PerField;
}

/** An entry that every term matches. */
export interface Candidate {
  scope: string;
  id: string;
  /** The tokens of the title, joined by single spaces. */
  title: string;
  /** Number of tokens in each field. */
  lengths: PerField;
}

/** More occurrences of a term do not raise the score; adapters may stop counting there. */
export const MAX_FREQUENCIES: PerField = [4, 8, 20];

/** Further matches of a scope are counted but not returned. */
const MAX_RANKED = 1000;

/** Keys looked at in a step, which takes less than a millisecond. */
const STEP = 2_000;

const FIELDS = [0, 1, 2] as const;
const WEIGHTS: PerField = [8, 3, 1];
/** Weight of a field's length: titles are short by nature, bodies are not. */
const LENGTH_INFLUENCE: PerField = [0.3, 0.5, 0.75];
const SATURATION = 1.2;
/** Low enough that a whole word beats the start of a longer one, all else equal. */
const PREFIX_ONLY = 0.5;

/** Counts each token in the fields of an entry, up to MAX_FREQUENCIES. */
export function countTokens(entry: SearchEntry): Map<string, [number, number, number]> {
  const counts = new Map<string, [number, number, number]>();
  const fields = [entry.title, entry.headings, entry.body] as const;
  for (const field of FIELDS) {
    const max = MAX_FREQUENCIES[field];
    for (const token of fields[field]) {
      const count = counts.get(token);
      if (!count) {
        const fresh: [number, number, number] = [0, 0, 0];
        fresh[field] = 1;
        counts.set(token, fresh);
      } else if (count[field] < max) count[field] += 1;
    }
  }
  return counts;
}

/** The part of an entry that `rank` needs. */
export function candidateOf(entry: SearchEntry): Omit<Candidate, 'scope'> {
  return {
    id: entry.id,
    title: entry.title.join(' '),
    lengths: [entry.title.length, entry.headings.length, entry.body.length],
  };
}

/** The keys that every term matches, found in steps. */
export function* matchingAll<K>(matches: readonly TermMatches<K>[]): Generator<void, K[]> {
  const [rarest, ...others] = matches.map((match) => match.frequencies).sort((a, b) => a.size - b.size);
  const keys: K[] = [];
  let looked = 0;
  for (const key of rarest?.keys() ?? []) {
    if (others.every((frequencies) => frequencies.has(key))) keys.push(key);
    if (++looked % STEP === 0) yield;
  }
  return keys;
}

interface Ranking<K> {
  terms: readonly SearchTerm[];
  /** See `SearchQuery`. */
  title?: string | undefined;
  matches: readonly TermMatches<K>[];
  candidates: ReadonlyMap<K, Candidate>;
  totals: Totals;
  /** Hits that are returned of each scope. */
  each: number;
}

/**
 * Ranks the candidates (see `matchingAll`) by BM25F, best first, then by id, in steps. A title that is exactly the query scores above
 * all others; one that begins with it, or else holds it, scores more. Scopes come in the order of their best hits, then by name.
 */
export function* rankCandidates<K>(ranking: Ranking<K>): Generator<void, ScopeHits[]> {
  const { terms, matches, candidates, totals, each } = ranking;
  const max = Math.min(each, MAX_RANKED);
  const closeness = titleCloseness(ranking);
  const weights = matches.map(({ frequencies }) => tokenRarity(totals.entries, frequencies.size));
  const highest = weights.reduce((sum, weight) => sum + weight * (SATURATION + 1), 0);
  const found = new Map<string, ScopeHits & { best: SearchHit }>();
  let looked = 0;
  for (const [key, { scope, id, title, lengths }] of candidates) {
    const norms = FIELDS.map((field) => lengthNorm(field, lengths, totals));
    let score = highest * closeness(title);
    matches.forEach((match, at) => {
      const frequencies = match.frequencies.get(key);
      if (!frequencies) return;
      const whole = !terms[at]?.prefix || match.exact?.has(key);
      score += (weights[at] ?? 0) * saturatedWeight(frequencies, norms) * (whole ? 1 : PREFIX_ONLY);
    });
    const hit = { id, score };
    const of = found.get(scope) ?? { scope, hits: [], total: 0, best: hit };
    if (of.total === 0) found.set(scope, of);
    of.total += 1;
    if (isBefore(hit, of.best)) of.best = hit;
    of.hits.push(hit);
    // Hits that cannot be among the best any more are dropped now and then, so that no list grows with all matches.
    if (of.hits.length > 2 * max + 100) keepBest(of.hits, max);
    if (++looked % (STEP / 10) === 0) yield;
  }
  const scopes = [...found.values()].sort((a, b) => b.best.score - a.best.score || (a.scope < b.scope ? -1 : 1));
  for (const { hits } of scopes) {
    keepBest(hits, max);
    yield;
  }
  return scopes.map(({ scope, hits, total }) => ({ scope, hits, total }));
}

/** How close a title is to the query, in highest scores of its words. */
function titleCloseness({ terms, title: named }: Pick<Ranking<unknown>, 'terms' | 'title'>): (title: string) => number {
  const asked = named ?? terms.map(({ token }) => token).join(' ');
  return (title) => {
    if (title === asked) return 2;
    if (title.startsWith(`${asked} `)) return 0.5;
    return ` ${title} `.includes(` ${asked} `) ? 0.25 : 0;
  };
}

const byRank = (a: SearchHit, b: SearchHit) => b.score - a.score || (a.id < b.id ? -1 : 1);
const isBefore = (one: SearchHit, other: SearchHit) => byRank(one, other) < 0 && one !== other;

function keepBest(hits: SearchHit[], max: number): void {
  hits.sort(byRank);
  hits.length = Math.min(hits.length, max);
}

function tokenRarity(entries: number, matching: number): number {
  return Math.log(1 + (Math.max(entries, matching) - matching + 0.5) / (matching + 0.5));
}

function lengthNorm(field: 0 | 1 | 2, lengths: PerField, totals: Totals): number {
  const average = totals.lengths[field] / Math.max(totals.entries, 1);
  const influence = LENGTH_INFLUENCE[field];
  return average > 0 ? 1 - influence + (influence * lengths[field]) / average : 1;
}

function saturatedWeight(frequencies: PerField, norms: readonly number[]): number {
  let weighted = 0;
  for (const field of FIELDS) {
    const frequency = Math.min(frequencies[field], MAX_FREQUENCIES[field]);
    weighted += (WEIGHTS[field] * frequency) / (norms[field] ?? 1);
  }
  return (weighted * (SATURATION + 1)) / (SATURATION + weighted);
}
