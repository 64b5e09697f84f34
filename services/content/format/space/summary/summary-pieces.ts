import { splitLines } from '../source-parts.js';
import type { Summary, SummaryPart } from './summary.js';
import { readListMarker } from './summary-lines.js';

/** A piece of the text of a table of contents. Lines have their ends. */
export type Piece = LinesPiece | DividerPiece | EntryPiece;

export interface LinesPiece {
  kind: 'front' | 'blank' | 'text';
  lines: string[];
  /** The innermost item that the text is inside of. */
  within?: EntryPiece | undefined;
}

interface DividerPiece {
  kind: 'divider';
  lines: string[];
  /** Whether it stands between a group and an item at the top. */
  ends: boolean;
}

/** The lines of a group or an item (or of a list marker without text) without those of the items below it. */
export interface EntryPiece {
  kind: 'entry';
  lines: string[];
  part: Exclude<SummaryPart, { kind: 'divider' }>;
  indent: string;
  /** The list marker of an item with the white space after it. */
  marker: string;
  /** Whether a blank line is between it and the next item, else the item before it; undefined when it stands alone. */
  loose?: boolean;
}

export function splitIntoPieces(text: string, { parts, front }: Summary): Piece[] {
  const lines = splitLines(text);
  const pieces: Piece[] = [];
  const items: { piece: EntryPiece; end: number }[] = [];
  const addBetween = (from: number, to: number) => {
    for (let at = from; at < to; at++) {
      const line = lines[at] ?? '';
      while ((items.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= at) items.pop();
      const kind = at < front ? 'front' : line.trim() === '' ? 'blank' : 'text';
      pieces.push({ kind, lines: [line], within: items.at(-1)?.piece });
    }
  };
  let done = 0;
  // An item that begins in the line of another one belongs to it.
  const first = parts.filter((part, at) => part.line !== parts[at - 1]?.line);
  for (const [at, part] of first.entries()) {
    addBetween(done, part.line);
    done = Math.min(part.end, first[at + 1]?.line ?? lines.length, lines.length);
    while (done > part.line + 1 && lines[done - 1]?.trim() === '') done--;
    const own = lines.slice(part.line, done);
    if (part.kind === 'divider') pieces.push({ kind: 'divider', lines: own, ends: false });
    else {
      const piece = newEntryPiece(part, own);
      pieces.push(piece);
      if (part.kind !== 'group') items.push({ piece, end: part.end });
    }
  }
  addBetween(done, lines.length);
  noteGroupEnds(pieces);
  noteItemSpacing(pieces);
  return pieces;
}

function newEntryPiece(part: EntryPiece['part'], lines: string[]): EntryPiece {
  const [line = ''] = lines;
  const indent = line.slice(0, line.length - line.trimStart().length);
  const marker = part.kind === 'group' ? '' : (readListMarker(line.slice(indent.length).replace(/[\r\n]+$/, '')) ?? '');
  return { kind: 'entry', lines, part, indent, marker };
}

function noteGroupEnds(pieces: Piece[]): void {
  let divider: DividerPiece | undefined;
  let inGroup = false;
  for (const piece of pieces) {
    if (piece.kind === 'divider') {
      if (inGroup) divider = piece;
      inGroup = false;
    } else if (piece.kind === 'entry') {
      inGroup = piece.part.kind === 'group' || inGroup;
      if (divider) divider.ends = piece.part.kind !== 'group';
      divider = undefined;
    }
  }
}

function noteItemSpacing(pieces: Piece[]): void {
  let before: EntryPiece | undefined;
  let blanks = 0;
  for (const piece of pieces) {
    if (piece.kind === 'blank') {
      blanks++;
      continue;
    }
    const item = piece.kind === 'entry' && piece.part.kind !== 'group' ? piece : undefined;
    if (item && before) {
      item.loose = blanks > 0;
      before.loose = blanks > 0;
    }
    before = item;
    blanks = 0;
  }
}

/** The pieces without those that are gone (undefined): of the blank lines before and after them, the longer run stays. */
export function joinPieces(pieces: (Piece | undefined)[], { atStart = false, atEnd = false } = {}): Piece[] {
  const all: Piece[] = [];
  let runs: Piece[][] = [[]];
  const addRun = (run: Piece[] | undefined) => {
    for (const blank of run ?? []) all.push(blank);
    runs = [[]];
  };
  const longest = () => runs.reduce((one, other) => (other.length > one.length ? other : one));
  for (const piece of pieces) {
    if (!piece) runs.push([]);
    else if (piece.kind === 'blank') runs.at(-1)?.push(piece);
    else {
      const isGone = runs.length > 1;
      addRun(atStart && all.length === 0 ? runs[0] : longest());
      // A line of text would make a heading of itself and the divider after it.
      if (isGone && all.at(-1)?.kind === 'text') all.push({ kind: 'blank', lines: [''] });
      all.push(piece);
    }
  }
  addRun(atEnd ? runs.at(-1) : longest());
  return all;
}
