import type { DocumentNode, DocumentRef, InlineNode } from '../document/document-model.js';
import { addressOfRef } from './link-targets.js';
import { hasMark, type InlinePlace, inlineText, type Leaf, type MarkType } from './text-inlines.js';

/** A part of written inlines: the sign of a mark, text to be escaped, or text that is written as it is. */
type Piece = { kind: 'open' | 'close' | 'raw' | 'text'; value: string };

const lineBreak: Piece = { kind: 'raw', value: '\\\n' };

const SIGNS: Record<Exclude<MarkType, 'code'>, string> = { bold: '**', italic: '_', strikethrough: '~~' };
const signed = ['bold', 'italic', 'strikethrough'] as const;

export function writeInlines(nodes: DocumentNode[], place: InlinePlace): string {
  const pieces = inlinePieces(nodes, place);
  return pieces.map((piece, at) => (piece.kind === 'text' ? writeTextPiece(pieces, at, place) : piece.value)).join('');
}

export const escapeText = (value: string, place: InlinePlace): string =>
  writeTextPiece([{ kind: 'text', value }], 0, place);

function inlinePieces(nodes: DocumentNode[], place: InlinePlace): Piece[] {
  const pieces: Piece[] = [];
  const open: Exclude<MarkType, 'code'>[] = [];
  const closeDownTo = (count: number) => {
    for (const type of open.splice(count).reverse()) pieces.push({ kind: 'close', value: SIGNS[type] });
  };
  for (const node of nodes) {
    if (node.object === 'inline') {
      closeDownTo(0);
      pieces.push({ kind: 'raw', value: writeInline(node, place) });
    } else if (node.object === 'text') {
      for (const leaf of node.leaves) {
        const other = open.findIndex((type) => !hasMark(leaf, type));
        if (other >= 0) closeDownTo(other);
        for (const type of signed) {
          if (!hasMark(leaf, type) || open.includes(type)) continue;
          open.push(type);
          pieces.push({ kind: 'open', value: SIGNS[type] });
        }
        pieces.push(...leafPieces(leaf, place));
      }
    }
  }
  closeDownTo(0);
  return pieces;
}

function leafPieces(leaf: Leaf, place: InlinePlace): Piece[] {
  if (leaf.text === '') return [];
  if (hasMark(leaf, 'code')) return [{ kind: 'raw', value: writeCodeSpan(leaf.text, place) }];
  return leaf.text
    .split('\n')
    .flatMap((value, at): Piece[] => [
      ...(at > 0 ? [lineBreak] : []),
      ...(value === '' ? [] : [{ kind: 'text', value } as const]),
    ]);
}

function writeCodeSpan(value: string, place: InlinePlace): string {
  const runs = new Set((value.match(/`+/g) ?? []).map((run) => run.length));
  let length = 1;
  while (runs.has(length)) length++;
  const ticks = '`'.repeat(length);
  const stripped = value.startsWith(' ') && value.endsWith(' ') && value.trim() !== '';
  const padding = value.startsWith('`') || value.endsWith('`') || stripped ? ' ' : '';
  const written = place === 'cell' ? value.replaceAll('|', '\\|') : value;
  return ticks + padding + written + padding + ticks;
}

function writeInline({ type, data, nodes = [] }: InlineNode, place: InlinePlace): string {
  if (type === 'box') return data.checked === true ? '[x] ' : '[ ] ';
  const ref = data.ref as DocumentRef;
  if (type === 'mention' && ref.kind === 'user') return `[@${ref.user}](${addressOfRef(ref)})`;
  const address = addressOfRef(ref) ?? '';
  return isBareAddress(address, nodes) ? `<${address}>` : `[${writeInlines(nodes, place)}](${escapeAddress(address)})`;
}

/** An address that is its own text. */
const isBareAddress = (address: string, nodes: DocumentNode[]) =>
  /^https?:\/\//i.test(address) &&
  inlineText(nodes) === address &&
  nodes.every((node) => node.object === 'text' && node.leaves.every((leaf) => leaf.marks.length === 0));

const escapeAddress = (address: string) => address.replace(/[()[\]*_~]/g, '\\$&').replace(/&(?=[#A-Za-z])/g, '&amp;');

const SPACE = /\s/;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const STARTS_WORD = /^[\p{L}\p{N}]./su;

/** The text of a piece, escaped so that its neighbours stay what they are. */
function writeTextPiece(pieces: Piece[], at: number, place: InlinePlace): string {
  const { value } = pieces[at] as Piece;
  const [before, after] = [pieces[at - 1], pieces[at + 1]];
  // After a break, and after the box of a task.
  const atStart = before === undefined || (before.kind === 'raw' && /\s$/.test(before.value));
  const atEnd = after === undefined || after === lineBreak;
  const points = [...value];
  const first = points[0] ?? '';
  const last = points.at(-1) ?? '';
  const startEntity =
    (SPACE.test(first) && (atStart || before?.kind === 'open')) || (before?.kind === 'close' && !allowsMarkEnd(first));
  const endEntity =
    (SPACE.test(last) && (atEnd || after?.kind === 'close')) ||
    (after?.kind === 'open' && !allowsMarkEnd(last) && !opensAfterLetter(pieces, at + 1));
  const from = startEntity ? 1 : 0;
  const to = Math.max(from, points.length - (endEntity ? 1 : 0));
  const inner = escapeMarkup(points.slice(from, to).join(''), place, after !== undefined && to === points.length);
  const start = startEntity || !atStart ? inner : escapeBlockStart(inner);
  return (
    (startEntity ? encodeEntity(first) : '') + start + (endEntity && points.length > from ? encodeEntity(last) : '')
  );
}

const encodeEntity = (char: string) => `&#${char.codePointAt(0)};`;

/** Whether the sign of a mark may end before this character in every version of CommonMark, and begin after it. */
const allowsMarkEnd = (char: string) => SPACE.test(char) || PUNCTUATION.test(char);

/** Whether the sign of a mark at `at` may begin after a letter: a single one, which is no `_`, before a letter that is no entity. */
function opensAfterLetter(pieces: Piece[], at: number): boolean {
  const [sign, next] = [pieces[at], pieces[at + 1]];
  return sign?.value !== '_' && next?.kind === 'text' && STARTS_WORD.test(next.value);
}

/** Also what programs take for an address where ours does not: they may take what follows for a part of it. */
const MARKUP = /[\\*_~[\]`<|#]|&(?=[#A-Za-z])|!(?=\[|$)|(?:ftp|xmpp|https?)(?=:)|www(?=\.)/gi;

function escapeMarkup(value: string, place: InlinePlace, beforeMore: boolean): string {
  return value.replace(MARKUP, (sign, at: number) => {
    switch (sign) {
      case '<':
        return '&lt;';
      case '&':
        return '&amp;';
      case '`':
        return '&#96;';
      case '|':
        return place === 'cell' ? '&#124;' : '\\|';
      case '#':
        return place === 'line' ? '\\#' : sign;
      case '!':
        return beforeMore || at < value.length - 1 ? '\\!' : sign;
      default:
        return sign.length > 1 ? `${sign}\\` : `\\${sign}`;
    }
  });
}

/** A line of text does not begin a list, a quote, a heading, a table or the line below a heading. */
const escapeBlockStart = (line: string) =>
  line.replace(/^(?:[-+=>#:]|(\d{1,9})(?=[.)]))/, (start, digits?: string) =>
    digits === undefined ? `\\${start}` : `${digits}\\`,
  );
