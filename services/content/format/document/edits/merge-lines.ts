import { splitLines } from '../../space/source-parts.js';
import { diffHunks, type Hunk } from './hunks.js';

export type Side = 'ours' | 'theirs';

/** Texts that both sides changed, as written. */
export type SourceConflict =
  | { kind: 'front-matter'; key: string; base?: string; ours?: string; theirs?: string }
  /** `line` is the 1-based line of the base where its lines stand, or would stand. */
  | { kind: 'lines'; line: number; base: string[]; ours: string[]; theirs: string[] };

export interface MergedSource {
  source: string;
  conflicts: SourceConflict[];
}

export interface Merge {
  base: string;
  ours: string;
  theirs: string;
  /** The side that conflicts take; without it they take ours and are listed. */
  choose?: Side | undefined;
}

const LINE_END = /\r\n?|\n/;

/** Merges texts by line; `firstLine` is the number of the base's first line. Changes of the same lines are conflicts. */
export function mergeLines({ base, ours, theirs, choose }: Merge, firstLine: number): MergedSource {
  const lineEnd = (LINE_END.exec(base) ?? LINE_END.exec(ours) ?? LINE_END.exec(theirs))?.[0] ?? '\n';
  const old = splitForMerge(base, lineEnd);
  const sides = { ours: splitForMerge(ours, lineEnd), theirs: splitForMerge(theirs, lineEnd) };
  const out: string[][] = [];
  const conflicts: SourceConflict[] = [];
  let done = 0;
  for (const { from, to, changes } of groupIntoRegions(changesOfSides(old, sides))) {
    out.push(old.lines.slice(done, from));
    done = to;
    const sideRange = (side: Side) => rangeInSide(changes[side], from, to);
    const sideLines = (side: Side) => sides[side].lines.slice(...sideRange(side));
    const sideText = (side: Side) => sides[side].written.slice(...sideRange(side));
    const settled = sideToTake(changes, sideLines);
    out.push(sideLines(settled ?? choose ?? 'ours'));
    if (settled || choose) continue;
    const [ours, theirs] = [sideText('ours'), sideText('theirs')];
    conflicts.push({ kind: 'lines', line: firstLine + from, base: old.written.slice(from, to), ours, theirs });
  }
  out.push(old.lines.slice(done));
  const isEnded = sides.ours.isEnded === old.isEnded ? sides.theirs.isEnded : sides.ours.isEnded;
  const text = out.map((lines) => lines.join('')).join('');
  return { source: isEnded ? text : text.replace(/(?:\r\n?|\n)$/, ''), conflicts };
}

interface Text {
  /** The lines with their ends. */
  written: string[];
  /** The same; the last one always has an end, so that it equals others. Whether a text has that end is merged on its own. */
  lines: string[];
  isEnded: boolean;
}

function splitForMerge(source: string, lineEnd: string): Text {
  const written = splitLines(source);
  const last = written.at(-1);
  const isEnded = last === undefined || /[\r\n]$/.test(last);
  return { written, lines: isEnded ? written : written.with(-1, last + lineEnd), isEnded };
}

interface Change extends Hunk {
  side: Side;
  lines: string[];
}

/** The changes of both sides in the order of the base; insertions come before changes of the line that follows. */
function changesOfSides(old: Text, sides: Record<Side, Text>): Change[] {
  const changes: Change[] = [];
  for (const side of ['ours', 'theirs'] as const) {
    const { lines } = sides[side];
    for (const hunk of diffHunks(old.lines, lines))
      changes.push({ ...hunk, side, lines: lines.slice(hunk.sideFrom, hunk.sideTo) });
  }
  return changes.sort((a, b) => a.from - b.from || a.to - b.to);
}

interface Region {
  from: number;
  to: number;
  changes: Record<Side, Change[]>;
}

/** Groups the changes that have to be judged together. */
function groupIntoRegions(changes: Change[]): Region[] {
  const regions: Region[] = [];
  for (const change of changes) {
    const last = regions.at(-1);
    const meets = last !== undefined && touchesRegion(last, change);
    const region = meets ? last : { from: change.from, to: change.to, changes: { ours: [], theirs: [] } };
    region.to = Math.max(region.to, change.to);
    region.changes[change.side].push(change);
    if (!meets) regions.push(region);
  }
  return regions;
}

/** Whether a change has a line of the base in common with a region, inserts at the same place, or is part of it already. */
function touchesRegion({ from, to, changes }: Region, change: Change): boolean {
  if (change.from < to || (change.from === from && change.to === from)) return true;
  const other = changes[change.side === 'ours' ? 'theirs' : 'ours'].at(-1);
  return change.from === to && other !== undefined && (isPartOfChange(change, other) || isPartOfChange(other, change));
}

/** Whether an insertion beside the lines that the other side changed is among its lines there, as after a merge of both. */
function isPartOfChange({ from, to, lines }: Change, whole: Change): boolean {
  if (from < to || whole.from === whole.to) return false;
  const isAt = (start: number) => start >= 0 && lines.every((line, at) => line === whole.lines[start + at]);
  return (from === whole.from && isAt(0)) || (from === whole.to && isAt(whole.lines.length - lines.length));
}

/** The side that has all changes of a region; undefined when they are in conflict. */
function sideToTake({ ours, theirs }: Region['changes'], lines: (side: Side) => string[]): Side | undefined {
  if (theirs.length === 0 || areAllPartOf(theirs, ours)) return 'ours';
  if (ours.length === 0 || areAllPartOf(ours, theirs)) return 'theirs';
  return lines('ours').join('') === lines('theirs').join('') ? 'ours' : undefined;
}

function areAllPartOf(changes: Change[], [whole, ...others]: Change[]): boolean {
  if (!whole || others.length > 0 || !changes.every((change) => isPartOfChange(change, whole))) return false;
  return changes.reduce((sum, { lines }) => sum + lines.length, 0) <= whole.lines.length;
}

/** Where the lines of a side begin and end that stand for lines `from` up to `to` of the base. */
function rangeInSide(changes: Change[], from: number, to: number): [number, number] {
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) return [0, 0];
  return [first.sideFrom - (first.from - from), last.sideTo + (to - last.to)];
}
