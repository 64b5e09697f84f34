import { writeItemText } from '../summary/entry-texts.js';
import { indentColumns } from '../summary/summary-lines.js';
import type { EntryPiece } from '../summary/summary-pieces.js';
import type { OpenItems } from './open-items.js';
import type { Placement } from './summary-placements.js';
import type { SummaryStyle } from './summary-style.js';

/** Where the next item is written. */
interface ItemPlace {
  open: OpenItems;
  style: SummaryStyle;
  /** Whether an item is in the line before. */
  isAfterItem: boolean;
}

interface ItemLines {
  indent: string;
  marker: string;
  lines: string[];
}

/** The lines of an item below its page: of an entry those it has, with another indentation only where that is needed. */
export function linesForItem(placement: Placement, place: ItemPlace): ItemLines {
  const indent = chooseIndent(placement, place);
  const marker = chooseMarker(placement, place);
  const { page, entry } = placement;
  if (entry) return { indent, marker, lines: reindentLines(entry, indent, marker) };
  const [first = '', ...others] = writeItemText(page, place.style).split('\n');
  const under = (indent + marker).replace(/\S/g, ' ');
  return { indent, marker, lines: [indent + marker + first, ...others.map((line) => under + line)] };
}

function chooseIndent({ parent, entry }: Placement, { open, style }: ItemPlace): string {
  const own = entry?.isKept ? entry.piece.indent : undefined;
  if (own !== undefined && open.holderAt(own) === parent) return own;
  const sibling = open.below(parent);
  if (sibling && sibling.indent.length <= MAX_INDENT) return sibling.indent;
  const item = parent && open.itemOf(parent);
  if (!item) return style.indent;
  if (item.indent.length > MAX_INDENT) return '';
  return item.indent + (style.unit ?? ' '.repeat(Math.max(2, item.marker.trimEnd().length + 1)));
}

/** A longer indent is not copied to other lines. */
const MAX_INDENT = 400;

/** The marker of the entry, else that of the item beside it. A list that begins in the paragraph of the item above begins with 1. */
function chooseMarker({ parent, entry }: Placement, { open, style, isAfterItem }: ItemPlace): string {
  const sibling = open.below(parent);
  if (entry) {
    const isFirst = parent !== undefined && !sibling && isAfterItem;
    return isFirst ? withMarkerNumber(entry.piece.marker, 1) : entry.piece.marker;
  }
  const model = sibling?.marker ?? (parent && open.itemOf(parent)?.marker) ?? style.marker;
  const number = sibling ? Number.parseInt(sibling.marker, 10) + (style.sameNumbers ? 0 : 1) : 1;
  return withMarkerNumber(model, number);
}

const withMarkerNumber = (marker: string, number: number): string =>
  marker.replace(/^\d+/, String(Math.min(number, GREATEST_NUMBER)));

const GREATEST_NUMBER = 999_999_999;

/** The lines of an entry with another indentation and marker; the other lines keep their distance to the marker. */
export function reindentLines(
  { piece, lines }: { piece: EntryPiece; lines: string[] },
  indent: string,
  marker: string,
): string[] {
  const [first = '', ...others] = lines;
  const start = indent + marker + first.slice(piece.indent.length + piece.marker.length);
  if (indent === piece.indent) return [start, ...others];
  const shift = indentColumns(indent) - indentColumns(piece.indent);
  const shifted = others.map((line) => {
    const text = line.trimStart();
    const space = line.slice(0, line.length - text.length);
    // Such a line continues the paragraph of the item wherever it is.
    if (text === '' || indentColumns(space) <= indentColumns(piece.indent)) return line;
    if (space.startsWith(piece.indent) && !space.includes('\t', piece.indent.length))
      return indent + line.slice(piece.indent.length);
    return ' '.repeat(Math.max(indentColumns(space) + shift, 0)) + text;
  });
  return [start, ...shifted];
}
