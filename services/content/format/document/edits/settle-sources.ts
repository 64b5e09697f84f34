import { splitLines } from '../../space/source-parts.js';
import { diffHunks, type Hunk } from './hunks.js';
import { mergeSources } from './merge-sources.js';

/** A place where both sides changed the source, each differently. */
export interface SourceChoice {
  /** Where `mine` stands in the merged source, in characters. */
  at: number;
  /** The lines that it stands for, with those beside them that changed as well. */
  base: string;
  mine: string;
  theirs: string;
}

export interface SettledSource {
  /** With my side in all conflicts. */
  merged: string;
  conflicts: SourceChoice[];
}

/**
 * Merges what a writer and others made of a source, for the writer to settle: putting `theirs` in the place of each `mine` gives the merge that takes their
 * side everywhere.
 */
export function settleSources({ base, mine, theirs }: { base: string; mine: string; theirs: string }): SettledSource {
  const sides = { base, ours: mine, theirs };
  const plain = mergeSources(sides);
  const { source: merged } = plain;
  if (plain.conflicts.length === 0) return { merged, conflicts: [] };
  const { source: other } = mergeSources({ ...sides, choose: 'theirs' });
  if (merged === other) return { merged, conflicts: [] };
  const [lines, otherLines, baseLines] = [splitLines(merged), splitLines(other), splitLines(base)];
  const starts = lineStarts(lines);
  const fromBase = diffHunks(baseLines, lines);
  const conflicts = diffHunks(lines, otherLines).map(({ from, to, sideFrom, sideTo }) => ({
    at: starts[from] as number,
    base: baseLines.slice(...rangeInBase(fromBase, from, to)).join(''),
    mine: lines.slice(from, to).join(''),
    theirs: otherLines.slice(sideFrom, sideTo).join(''),
  }));
  return { merged, conflicts };
}

function lineStarts(lines: string[]): number[] {
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) as number) + line.length);
  return starts;
}

/** The lines of the base that lines of the other text stand for; hunks go from the one to the other. */
function rangeInBase(hunks: Hunk[], from: number, to: number): [from: number, to: number] {
  const lineInBase = (at: number, edge: 'from' | 'to'): number => {
    let shift = 0;
    for (const hunk of hunks) {
      if (hunk.sideFrom > at) break;
      if (at <= hunk.sideTo && (edge === 'from' ? at < hunk.sideTo || hunk.sideFrom === at : true)) return hunk[edge];
      shift = hunk.to - hunk.sideTo;
    }
    return at + shift;
  };
  return [lineInBase(from, 'from'), lineInBase(to, 'to')];
}
