import { writeHeadingText } from '../summary/entry-texts.js';
import type { ListedPage } from '../summary/listed-pages.js';
import { type EntryPiece, joinPieces, type Piece } from '../summary/summary-pieces.js';
import { linesForItem, reindentLines } from './item-lines.js';
import { newOpenItems, type OpenItems } from './open-items.js';
import type { Placement } from './summary-placements.js';
import type { SummaryStyle } from './summary-style.js';

export interface Written {
  pieces: Piece[];
  /** Entries that stay where they are and list no page. */
  fixed: ReadonlySet<Piece>;
  placements: Placement[];
  style: SummaryStyle;
}

interface Output {
  style: SummaryStyle;
  lines: string[];
  /** The number of blank lines at the end. */
  blanks: number;
  open: OpenItems;
  /** The kind of the last line that is not blank. */
  last: 'start' | 'text' | 'divider' | 'group' | 'item';
  /** Whether the next item would be in a group. */
  inGroup: boolean;
  /** Whether a blank line is beside the last item; undefined where nothing says so. */
  loose: boolean | undefined;
  /** The pieces after the last entry that stayed in place, not written yet. */
  pending: Following | undefined;
}

interface Following {
  /** Undefined where an entry was that is not in this place any more. */
  pieces: (Piece | undefined)[];
  /** The index of the next one to write. */
  from: number;
  dividers: number;
  /** Whether an item that stays in place is next. */
  beforeItem: boolean;
}

/** The lines of a table of contents: the placed pages, and between the entries that stay in place what was between them. */
export function writeSummaryLines({ pieces, fixed, placements, style }: Written): string[] {
  const kept = new Set<Piece>(placements.flatMap(({ entry }) => (entry?.isKept ? [entry.piece] : [])));
  const following = piecesByEntryBefore(pieces, kept, fixed);
  const out: Output = {
    style,
    lines: [],
    blanks: 0,
    open: newOpenItems(),
    last: 'start',
    inGroup: false,
    loose: undefined,
    pending: following.get(undefined),
  };
  for (const placement of placements) {
    writeLeadIn(out, placement);
    addEntry(out, placement);
    if (placement.entry?.isKept) addPending(out, following.get(placement.entry.piece));
  }
  if (out.pending)
    addPieces(out, withoutEndedDividers(takePending(out, out.pending, out.pending.pieces.length), false), {
      atEnd: true,
    });
  return out.lines;
}

/** The pieces between the entries that stay in place, by the entry before them. */
function piecesByEntryBefore(
  pieces: Piece[],
  kept: ReadonlySet<Piece>,
  fixed: ReadonlySet<Piece>,
): Map<Piece | undefined, Following> {
  const all = new Map<Piece | undefined, Following>();
  let before: Piece | undefined;
  let between: (Piece | undefined)[] = [];
  const endStretch = (next?: EntryPiece) => {
    const dividers = between.filter((piece) => piece?.kind === 'divider').length;
    const beforeItem = next !== undefined && next.part.kind !== 'group';
    all.set(before, { pieces: between, from: 0, dividers, beforeItem });
    between = [];
  };
  for (const piece of pieces) {
    if (piece.kind === 'entry' && kept.has(piece)) {
      endStretch(piece);
      before = piece;
    } else between.push(piece.kind !== 'entry' || fixed.has(piece) ? piece : undefined);
  }
  endStretch();
  return all;
}

function addPending(out: Output, next: Following | undefined): void {
  if (!out.pending || !next) out.pending = next;
  else {
    out.pending.pieces.push(undefined);
    for (const piece of next.pieces) out.pending.pieces.push(piece);
    out.pending.dividers += next.dividers;
    out.pending.beforeItem = next.beforeItem;
  }
}

/** Writes what stands between the last entry and the next one. */
function writeLeadIn(out: Output, placement: Placement): void {
  const { page, inGroup, entry } = placement;
  const endsGroup = out.inGroup && page.type !== 'group' && !inGroup;
  const { pending } = out;
  const to = pending && endOfLeadIn(out, pending, placement);
  const isWhole = to !== undefined && to === pending?.pieces.length;
  const isBetweenItems = out.last === 'item' && page.type !== 'group';
  const taken = pending && to !== undefined ? withoutEndedDividers(takePending(out, pending, to), endsGroup) : [];
  // The blank lines around what is gone are not those between items.
  const isGap = isBetweenItems && taken.includes(undefined) && taken.every((piece) => !piece || piece.kind === 'blank');
  if (!isGap) addPieces(out, taken);
  if (endsGroup && out.inGroup) addDivider(out);
  // The first item of a group or of all has the blank lines of the one whose place it takes.
  const isFirst = isWhole && pending.beforeItem && !isBetweenItems;
  const isAsWritten = entry?.isKept ? isWhole && !isGap : taken.length > 0 && out.blanks > 0;
  if (!isFirst && !isAsWritten) fillBlanksTo(out, blanksBefore(out, placement));
}

function takePending(out: Output, pending: Following, to: number): (Piece | undefined)[] {
  const pieces = pending.pieces.slice(pending.from, to);
  if (to === pending.pieces.length) out.pending = undefined;
  // Text that follows keeps its distance.
  else pending.from = indexBeforeBlanks(pending.pieces, pending.from, to);
  return pieces;
}

/** The index up to which pieces are written before the next entry; undefined when it comes right after the last one. */
function endOfLeadIn(out: Output, pending: Following, placement: Placement): number | undefined {
  const { pieces, from } = pending;
  const { page, inGroup, entry } = placement;
  if (entry?.isKept) {
    const to = endOfPlace(out, pending, placement);
    return to < pieces.length ? indexBeforeBlanks(pieces, from, to) : to;
  }
  if (out.inGroup && page.type !== 'group' && !inGroup && pending.dividers > 0) {
    const divider = findIndexFrom(pieces, from, ({ kind }) => kind === 'divider');
    if (divider < pieces.length) return indexAfterBlanks(pieces, divider + 1);
  }
  if (out.last === 'item') return undefined;
  const end = findIndexFrom(pieces, from, ({ kind }) => kind === 'entry' || (inGroup && kind === 'divider'));
  return end < pieces.length ? indexBeforeBlanks(pieces, from, end) : end;
}

function findIndexFrom(pieces: (Piece | undefined)[], from: number, is: (piece: Piece) => boolean): number {
  for (let at = from; at < pieces.length; at++) {
    const piece = pieces[at];
    if (piece && is(piece)) return at;
  }
  return pieces.length;
}

/** The index of the first piece after which the page would not be in its place any more. */
function endOfPlace({ open }: Output, { pieces, from }: Following, { parent, inGroup }: Placement): number {
  if (!parent && !inGroup) return pieces.length;
  return findIndexFrom(pieces, from, (piece) => (parent ? !open.staysOpen(parent, piece) : piece.kind === 'divider'));
}

const isBlankPiece = (piece: Piece | undefined): boolean => !piece || piece.kind === 'blank';

function indexBeforeBlanks(pieces: (Piece | undefined)[], from: number, to: number): number {
  let at = to;
  while (at > from && isBlankPiece(pieces[at - 1])) at--;
  return at;
}

function indexAfterBlanks(pieces: (Piece | undefined)[], from: number): number {
  let at = from;
  while (at < pieces.length && isBlankPiece(pieces[at])) at++;
  return at;
}

/** Removes the dividers that ended a group and no longer do. */
function withoutEndedDividers(pieces: (Piece | undefined)[], endsGroup: boolean): (Piece | undefined)[] {
  let isOpen = endsGroup;
  return pieces.map((piece) => {
    if (piece?.kind !== 'divider') return piece;
    const stays = isOpen || !piece.ends;
    isOpen = false;
    return stays ? piece : undefined;
  });
}

function addPieces(out: Output, pieces: (Piece | undefined)[], { atEnd = false } = {}): void {
  for (const piece of joinPieces(pieces, { atEnd, atStart: out.lines.length === 0 })) addPiece(out, piece);
}

function addPiece(out: Output, piece: Piece): void {
  if (piece.kind === 'blank') {
    addBlankPiece(out, piece.lines);
    return;
  }
  if (piece.kind === 'entry') {
    const indent = out.open.besides(piece.indent);
    const lines = reindentLines({ piece, lines: piece.lines }, indent, piece.marker);
    addLines(out, lines);
    out.open.add(lines, { indent, marker: piece.marker, piece, holder: pageHoldingBelow(out, piece.part, indent) });
    out.last = 'item';
    out.loose = piece.loose;
    return;
  }
  addLines(out, piece.lines);
  if (piece.kind === 'divider') {
    out.open.read(piece.lines);
    out.last = 'divider';
    out.inGroup = false;
  } else if (piece.kind === 'text') {
    out.open.addText(piece.lines, piece.within);
    out.last = 'text';
  }
}

/** The page that holds what is below an entry that is no page. */
function pageHoldingBelow({ open }: Output, part: EntryPiece['part'], indent: string): ListedPage | undefined | null {
  const { target, problem } = part.kind === 'item' ? part.entry : {};
  // With an item below, it would be a page without a file.
  return problem || (target?.kind === 'file' && !target.anchor) ? null : open.holderAt(indent);
}

function addDivider(out: Output): void {
  fillBlanksTo(out, 1);
  addPiece(out, { kind: 'divider', lines: [out.style.divider], ends: true });
  fillBlanksTo(out, 1);
}

function addLines(out: Output, lines: string[]): void {
  for (const line of lines) out.lines.push(line);
  out.blanks = 0;
}

function addBlankPiece(out: Output, lines: string[]): void {
  for (const line of lines) out.lines.push(line);
  out.blanks++;
  out.open.read(lines);
}

function fillBlanksTo(out: Output, count: number): void {
  while (out.blanks < count) addBlankPiece(out, ['']);
}

function blanksBefore({ style, lines, last, loose }: Output, { page, entry }: Placement): number {
  if (lines.length === 0) return 0;
  if (page.type === 'group') return last === 'item' ? style.beforeGroup : 1;
  if (last === 'group') return style.afterGroup;
  if (last !== 'item') return 1;
  return ((entry?.isKept ? entry.piece.loose : undefined) ?? loose ?? style.loose) ? 1 : 0;
}

function addEntry(out: Output, placement: Placement): void {
  const { page, entry } = placement;
  if (page.type === 'group') {
    const lines = entry?.lines ?? [`${out.style.heading} ${writeHeadingText(page)}`];
    out.open.read(lines);
    addLines(out, lines);
    out.last = 'group';
    out.inGroup = true;
    out.loose = undefined;
    return;
  }
  const isAfterItem = out.last === 'item' && out.blanks === 0;
  const { indent, marker, lines } = linesForItem(placement, { ...out, isAfterItem });
  const holder = page.type === 'document' ? page : placement.parent;
  out.open.add(lines, { holder, indent, marker, piece: entry?.piece });
  addLines(out, lines);
  out.last = 'item';
  if (entry?.isKept) out.loose = entry.piece.loose;
}
