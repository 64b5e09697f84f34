import type { PerField, SearchEntry, SearchHit, SearchStatistics, SearchTerm } from './port.js';

/** The matches of one query term; `K` is an adapter's key of an entry. */
export interface TermMatches<K> {
  /** How often the matching tokens occur in each entry; a prefix sums all its tokens. */
  frequencies: Map<K, PerField>;
  /** For a prefix: the entries that hold the token as a whole word. */
  exact?: ReadonlySet<K>;
}

export interface Candidate {
  id: string;
  /** The tokens of the title, joined by single spaces. */
  title: string;
  /** Number of tokens in each field. */
  lengths: PerField;
}

/** More occurrences of a term do not raise the score; adapters may stop counting there. */
export const MAX_FREQUENCIES: PerField = [4, 8, 20];

/** Further matches are counted but not returned. */
export const MAX_RANKED = 1000;

const FIELDS = [0, 1, 2] as const;
const WEIGHTS: PerField = [8, 3, 1];
/** How much the length of a field matters: titles are short by nature, bodies are not. */
const LENGTH_INFLUENCE: PerField = [0.3, 0.5, 0.75];
const SATURATION = 1.2;
/** Low enough that a whole word beats the start of a longer one, all else equal. */
const PREFIX_ONLY = 0.5;

/** Counts each token in the fields of an entry, up to MAX_FREQUENCIES. */
export function tally(entry: SearchEntry): Map<string, [number, number, number]> {
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
export function candidateOf(entry: SearchEntry): Candidate {
  return {
    id: entry.id,
    title: entry.title.join(' '),
    lengths: [entry.title.length, entry.headings.length, entry.body.length],
  };
}

/** The keys that every term matches. */
export function matchingAll<K>(matches: readonly TermMatches<K>[]): K[] {
  const [rarest, ...others] = matches.map((match) => match.frequencies).sort((a, b) => a.size - b.size);
  if (!rarest) return [];
  return [...rarest.keys()].filter((key) => others.every((frequencies) => frequencies.has(key)));
}

/** The statistics of one scope, from the matches that a search has read. */
export const statisticsOf = <K>(
  matches: readonly TermMatches<K>[],
  { entries, lengths }: Omit<SearchStatistics, 'matching'>,
): SearchStatistics => ({ entries, lengths, matching: matches.map(({ frequencies }) => frequencies.size) });

/** The statistics of several scopes as if they were one. */
export function sumOfStatistics(all: readonly SearchStatistics[]): SearchStatistics {
  const sum = (pick: (one: SearchStatistics) => number) => all.reduce((total, one) => total + pick(one), 0);
  return {
    entries: sum(({ entries }) => entries),
    lengths: [sum(({ lengths }) => lengths[0]), sum(({ lengths }) => lengths[1]), sum(({ lengths }) => lengths[2])],
    matching: (all[0]?.matching ?? []).map((_, at) => sum(({ matching }) => matching[at] ?? 0)),
  };
}

/**
 * Ranks the candidates (see `matchingAll`) by BM25F, best first, then by id. A title that is exactly the query scores above
 * all others. Scores with the same statistics are comparable, also across scopes.
 */
export function rank<K>(
  terms: readonly SearchTerm[],
  matches: readonly TermMatches<K>[],
  candidates: ReadonlyMap<K, Candidate>,
  statistics: SearchStatistics,
  limit: number,
): { hits: SearchHit[]; total: number } {
  const wanted = terms.map((term) => term.token).join(' ');
  const weights = statistics.matching.map((matching) => rarity(statistics.entries, matching));
  const highest = weights.reduce((sum, weight) => sum + weight * (SATURATION + 1), 0);
  const scored: SearchHit[] = [];
  for (const [key, candidate] of candidates) {
    const norms = FIELDS.map((field) => lengthNorm(field, candidate.lengths, statistics));
    let score = candidate.title === wanted ? highest : 0;
    matches.forEach((match, at) => {
      const frequencies = match.frequencies.get(key);
      if (!frequencies) return;
      const whole = !terms[at]?.prefix || match.exact?.has(key);
      score += (weights[at] ?? 0) * saturated(frequencies, norms) * (whole ? 1 : PREFIX_ONLY);
    });
    scored.push({ id: candidate.id, score });
  }
  scored.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  return { hits: scored.slice(0, Math.min(limit, MAX_RANKED)), total: scored.length };
}

function rarity(entries: number, matching: number): number {
  return Math.log(1 + (Math.max(entries, matching) - matching + 0.5) / (matching + 0.5));
}

function lengthNorm(field: 0 | 1 | 2, lengths: PerField, statistics: SearchStatistics): number {
  const average = statistics.lengths[field] / Math.max(statistics.entries, 1);
  const influence = LENGTH_INFLUENCE[field];
  return average > 0 ? 1 - influence + (influence * lengths[field]) / average : 1;
}

function saturated(frequencies: PerField, norms: readonly number[]): number {
  let weighted = 0;
  for (const field of FIELDS) {
    const frequency = Math.min(frequencies[field], MAX_FREQUENCIES[field]);
    weighted += (WEIGHTS[field] * frequency) / (norms[field] ?? 1);
  }
  return (weighted * (SATURATION + 1)) / (SATURATION + weighted);
}
