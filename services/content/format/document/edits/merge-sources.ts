import { isDeepStrictEqual } from 'node:util';
import { replaceEntries } from '../../space/front-matter/front-matter-edits.js';
import { type FrontMatterEntry, frontMatterEntries } from '../../space/front-matter/front-matter-entries.js';
import { locateParts } from '../../space/source-parts.js';
import { type Merge, type MergedSource, mergeLines, type Side, type SourceConflict } from './merge-lines.js';

export type { Merge, MergedSource, Side, SourceConflict };

/**
 * Merges what two sides changed in a page's source since `base`: the front matter by keys where all three are keys, the rest by
 * lines. Lines changed by one side merge also when they touch.
 */
export function mergeSources({ base, ours, theirs, choose }: Merge): MergedSource {
  const unchanged = mergeTrivially({ base, ours, theirs });
  if (unchanged !== undefined) return { source: unchanged, conflicts: [] };
  const whole = { base, ours, theirs, choose };
  return mergeParts(whole) ?? mergeLines(whole, 1);
}

/** The result when the sides are equal or one of them changed nothing. */
function mergeTrivially({ base, ours, theirs }: Merge): string | undefined {
  if (ours === theirs || theirs === base) return ours;
  return ours === base ? theirs : undefined;
}

function mergeParts({ base, ours, theirs, choose }: Merge): MergedSource | undefined {
  const [oldParts, ourParts, theirParts] = [splitHeadAndBody(base), splitHeadAndBody(ours), splitHeadAndBody(theirs)];
  const head = mergeFrontMatters({ base: oldParts.head, ours: ourParts.head, theirs: theirParts.head, choose });
  if (!head) return undefined;
  const firstLine = 1 + (oldParts.head.match(/\r\n?|\n/g)?.length ?? 0);
  const bodies = { base: oldParts.body, ours: ourParts.body, theirs: theirParts.body, choose };
  const body = mergeLines(bodies, firstLine);
  const source = head.source + body.source;
  // A body may not begin with what looks like front matter, nor on the last line of it.
  if (locateParts(source).yaml?.to !== locateParts(head.source).yaml?.to) return undefined;
  return { source, conflicts: [...head.conflicts, ...body.conflicts] };
}

function splitHeadAndBody(source: string): { head: string; body: string } {
  const { body } = locateParts(source);
  return { head: source.slice(0, body), body: source.slice(body) };
}

/** Merges front matters key by key; undefined when that would lose something. */
function mergeFrontMatters({ base, ours, theirs, choose }: Merge): MergedSource | undefined {
  const unchanged = mergeTrivially({ base, ours, theirs });
  if (unchanged !== undefined) return { source: unchanged, conflicts: [] };
  const [old, our, their] = [entriesByKey(base), entriesByKey(ours), entriesByKey(theirs)];
  if (!old || !our || !their) return undefined;
  const conflicts: SourceConflict[] = [];
  const chosen: { key: string; entry: FrontMatterEntry | undefined }[] = [];
  for (const key of new Set([...our.entries.keys(), ...their.entries.keys()])) {
    const three = { base: old.entries.get(key), ours: our.entries.get(key), theirs: their.entries.get(key) };
    const side = changedSide(three);
    if (!side && !choose) conflicts.push(frontMatterConflict(key, three));
    chosen.push({ key, entry: three[side ?? choose ?? 'ours'] });
  }
  // Comments stand outside the entries: the side that changed them is the one to start from.
  const fromOurs = their.rest === old.rest || their.rest === our.rest;
  if (!fromOurs && our.rest !== old.rest) return undefined;
  const [start, present] = fromOurs ? [ours, our.entries] : [theirs, their.entries];
  const edits = chosen.filter(({ key, entry }) => entry?.text !== present.get(key)?.text);
  const source = replaceEntries(start, new Map(edits.map(({ key, entry }) => [key, entry])));
  return source === undefined ? undefined : { source, conflicts };
}

/** The entries of a front matter and the lines of text outside of them; undefined without keys or with equal ones. */
function entriesByKey(head: string): { entries: Map<string, FrontMatterEntry>; rest: string } | undefined {
  const list = frontMatterEntries(head);
  const entries = new Map(list?.map((entry) => [entry.key, entry]));
  if (!list || entries.size < list.length) return undefined;
  const { yaml = { from: 0, to: 0 } } = locateParts(head);
  let rest = '';
  let done = yaml.from;
  for (const { from, to } of list) {
    rest += head.slice(done, from);
    done = to;
  }
  rest += head.slice(done, yaml.to);
  return { entries, rest: rest.trim().replace(/\s*[\r\n]\s*/g, '\n') };
}

interface ThreeEntries {
  base: FrontMatterEntry | undefined;
  ours: FrontMatterEntry | undefined;
  theirs: FrontMatterEntry | undefined;
}

type Compare = (a: FrontMatterEntry | undefined, b: FrontMatterEntry | undefined) => boolean;

const isSameText: Compare = (a, b) => a?.text === b?.text;
const isSameValue: Compare = (a, b) => (a && b ? isDeepStrictEqual(a.value, b.value) : a === b);

/** The side whose entry counts; undefined when both changed its value. */
function changedSide({ base, ours, theirs }: ThreeEntries): Side | undefined {
  for (const same of [isSameText, isSameValue]) {
    if (same(ours, theirs) || same(theirs, base)) return 'ours';
    if (same(ours, base)) return 'theirs';
  }
  return undefined;
}

function frontMatterConflict(key: string, { base, ours, theirs }: ThreeEntries): SourceConflict {
  return {
    kind: 'front-matter',
    key,
    ...(base && { base: base.text }),
    ...(ours && { ours: ours.text }),
    ...(theirs && { theirs: theirs.text }),
  };
}
