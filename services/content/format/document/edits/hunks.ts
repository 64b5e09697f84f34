import { diffArrays } from 'diff';

/** Items `from` up to `to` of the base, which became items `sideFrom` up to `sideTo` of the side; one of both may be empty. */
export interface Hunk {
  from: number;
  to: number;
  sideFrom: number;
  sideTo: number;
}

interface Lists {
  base: string[];
  side: string[];
}

type Pair = [at: number, sideAt: number];

/** Items removed and inserted up to which the shortest edit of a stretch is looked for: the time grows with their square. */
const MAX_EDITS = 400;

/**
 * The differences between two lists, in order, with at least one common item between two hunks. Items that are there once on both sides
 * are the anchors; what stands between two anchors is compared on its own. In O(n log n) for a given MOST_EDITS.
 */
export function diffHunks(base: string[], side: string[]): Hunk[] {
  const lists = { base, side };
  const whole = trimHunk(lists, { from: 0, to: base.length, sideFrom: 0, sideTo: side.length });
  return hunksBetween(whole, anchorPairs(lists, whole, { once: true })).flatMap((stretch) =>
    smallestHunks(lists, trimHunk(lists, stretch)),
  );
}

/** The hunks of a stretch that begins and ends with a difference. */
function smallestHunks(lists: Lists, stretch: Hunk): Hunk[] {
  const { from, to, sideFrom, sideTo } = stretch;
  if (from === to && sideFrom === sideTo) return [];
  if (from === to || sideFrom === sideTo) return [stretch];
  const common = shortestEditPairs(lists, stretch) ?? anchorPairs(lists, stretch, { once: false });
  const parts = hunksBetween(stretch, common).map((part) => trimHunk(lists, part));
  return parts.filter((part) => part.from < part.to || part.sideFrom < part.sideTo);
}

/** The items that the shortest edit leaves, unless it is too long. */
function shortestEditPairs({ base, side }: Lists, { from, to, sideFrom, sideTo }: Hunk): Pair[] | undefined {
  const changes = diffArrays(base.slice(from, to), side.slice(sideFrom, sideTo), { maxEditLength: MAX_EDITS });
  if (!changes) return undefined;
  const common: Pair[] = [];
  let [at, sideAt] = [from, sideFrom];
  for (const { added, removed, count } of changes) {
    for (let nth = 0; nth < count && !added && !removed; nth++) common.push([at + nth, sideAt + nth]);
    if (!added) at += count;
    if (!removed) sideAt += count;
  }
  return common;
}

/** Without the common items at both ends. */
function trimHunk({ base, side }: Lists, hunk: Hunk): Hunk {
  let { from, to, sideFrom, sideTo } = hunk;
  while (from < to && sideFrom < sideTo && base[from] === side[sideFrom]) {
    from++;
    sideFrom++;
  }
  while (from < to && sideFrom < sideTo && base[to - 1] === side[sideTo - 1]) {
    to--;
    sideTo--;
  }
  return { from, to, sideFrom, sideTo };
}

/** The parts of a hunk before, between and after common items. */
function hunksBetween(hunk: Hunk, anchors: Pair[]): Hunk[] {
  let { from, sideFrom } = hunk;
  const out: Hunk[] = [];
  for (const [at, sideAt] of [...anchors, [hunk.to, hunk.sideTo] as const]) {
    out.push({ from, to: at, sideFrom, sideTo: sideAt });
    from = at + 1;
    sideFrom = sideAt + 1;
  }
  return out;
}

/** Common items in the order of both sides, from those that are there `once`, or else equally often: the nth is the nth. */
function anchorPairs({ base, side }: Lists, { from, to, sideFrom, sideTo }: Hunk, { once }: { once: boolean }): Pair[] {
  const places = placesByItem(side, sideFrom, sideTo);
  const pairs: Pair[] = [];
  for (const [item, here] of placesByItem(base, from, to)) {
    const there = places.get(item);
    if (there?.length !== here.length || (once && here.length > 1)) continue;
    for (const [nth, at] of here.entries()) pairs.push([at, there[nth] as number]);
  }
  return longestRisingPairs(pairs.sort(([a], [b]) => a - b));
}

function placesByItem(list: string[], from: number, to: number): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let at = from; at < to; at++) {
    const item = list[at] as string;
    const found = places.get(item);
    if (found) found.push(at);
    else places.set(item, [at]);
  }
  return places;
}

interface Chain {
  pair: Pair;
  before: Chain | undefined;
}

/** The longest list of pairs whose places on the side rise as well (patience sorting). */
function longestRisingPairs(pairs: Pair[]): Pair[] {
  /** For each length, the chain of that length that ends first on the side. */
  const ends: Chain[] = [];
  for (const pair of pairs) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] as Chain).pair[1] < pair[1]) low = middle + 1;
      else high = middle;
    }
    ends[low] = { pair, before: ends[low - 1] };
  }
  const out: Pair[] = [];
  for (let chain = ends.at(-1); chain; chain = chain.before) out.push(chain.pair);
  return out.reverse();
}
