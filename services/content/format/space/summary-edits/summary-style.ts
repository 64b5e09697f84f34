import type { AddressStyle } from '../summary/entry-addresses.js';
import { indentColumns } from '../summary/summary-lines.js';
import type { EntryPiece, Piece } from '../summary/summary-pieces.js';

/** The style of a table of contents, for the lines that are new in it. */
export interface SummaryStyle extends AddressStyle {
  lineEnd: string;
  /** The indent of the first item. */
  indent: string;
  marker: string;
  /** The indent of an item below another; undefined when there is none. */
  unit?: string;
  /** Whether blank lines stand between most items. */
  loose: boolean;
  /** Whether all items of ordered lists have the same number. */
  sameNumbers: boolean;
  /** The signs of a group's heading. */
  heading: string;
  /** Blank lines before and after the heading of a group. */
  beforeGroup: number;
  afterGroup: number;
  divider: string;
}

export function readSummaryStyle(
  text: string,
  pieces: Piece[],
  place: Pick<AddressStyle, 'root' | 'summary'>,
): SummaryStyle {
  const entries = pieces.filter((piece) => piece.kind === 'entry');
  const items = entries.filter(({ part }) => part.kind === 'item');
  const unit = indentUnitOf(entries);
  const indent = items[0]?.indent ?? '';
  const addresses = items.map(writtenAddress);
  const spaced = items.filter(({ loose }) => loose !== undefined);
  const numbers = items.map(({ marker }) => Number.parseInt(marker, 10)).filter((number) => !Number.isNaN(number));
  return {
    root: place.root,
    summary: place.summary,
    absolute: appliesToMost(
      addresses.filter((address) => !/^<?[a-z]+:/i.test(address)),
      (address) => /^<?\//.test(address),
    ),
    angled: addresses.some((address) => address.startsWith('<')),
    lineEnd: /\r\n?|\n/.exec(text)?.[0] ?? '\n',
    indent: indent.length <= MAX_UNIT ? indent : '',
    marker: items[0]?.marker ?? '* ',
    ...(unit !== undefined && { unit }),
    loose: appliesToMost(spaced, ({ loose }) => loose === true),
    sameNumbers: numbers.length > 1 && numbers.every((number) => number === numbers[0]),
    ...readHeadingStyle(pieces),
  };
}

/** A longer indent is not copied to new lines. */
const MAX_UNIT = 8;
const MAX_DIVIDER = 80;
const MOST_BLANKS = 3;

const appliesToMost = <T>(all: T[], is: (one: T) => boolean): boolean => 2 * all.filter(is).length > all.length;

function writtenAddress({ part }: EntryPiece): string {
  if (part.kind !== 'item' || !part.link) return '';
  return part.text.slice(part.link.to + 2, part.link.end);
}

function indentUnitOf(entries: EntryPiece[]): string | undefined {
  for (const [at, { part, indent }] of entries.entries()) {
    const before = entries[at - 1];
    if (part.kind !== 'item' || before?.part.kind !== 'item' || !indent.startsWith(before.indent)) continue;
    const unit = indent.slice(before.indent.length);
    if (unit.length <= MAX_UNIT && indentColumns(indent) >= indentColumns(before.indent) + 2) return unit;
  }
  return undefined;
}

function readHeadingStyle(pieces: Piece[]): Pick<SummaryStyle, 'heading' | 'beforeGroup' | 'afterGroup' | 'divider'> {
  const isGroup = (piece: Piece | undefined) => piece?.kind === 'entry' && piece.part.kind === 'group';
  const isItem = (piece: Piece | undefined) => piece?.kind === 'entry' && piece.part.kind === 'item';
  const solid = pieces.filter(({ kind }) => kind !== 'blank');
  const place = new Map(pieces.map((piece, at) => [piece, at]));
  const blanksAfter = (at: number) =>
    (place.get(solid[at + 1] as Piece) ?? 0) - (place.get(solid[at] as Piece) ?? 0) - 1;
  const before = solid.findIndex((piece, at) => isItem(piece) && isGroup(solid[at + 1]));
  const after = solid.findIndex((piece, at) => isGroup(piece) && isItem(solid[at + 1]));
  const group = solid.find(isGroup)?.lines[0] ?? '';
  const divider = pieces.find(({ kind }) => kind === 'divider')?.lines[0]?.trim();
  return {
    heading: /^#{2,6}/.exec(group.trimStart())?.[0] ?? '##',
    beforeGroup: before < 0 ? 1 : Math.min(blanksAfter(before), MOST_BLANKS),
    afterGroup: after < 0 ? 1 : Math.min(blanksAfter(after), MOST_BLANKS),
    divider: divider !== undefined && divider.length <= MAX_DIVIDER ? divider : '***',
  };
}
