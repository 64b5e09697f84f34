import { scanDestination, scanInlineTarget, scanTitle, skipLinkSpace } from '../../markdown/link-syntax.js';
import type { LinkPlace } from '../../markdown/syntax.js';
import type { OutlinePage } from '../outline/outline-pages.js';
import { slugOf } from '../paths.js';
import { type AddressStyle, writeEntryAddress, writeLinkTitle } from '../summary/entry-addresses.js';
import {
  escapeForHeading,
  escapeForItem,
  escapeForLink,
  titleWithEmoji,
  writeHeadingAnchor,
  writeHeadingText,
  writeItemText,
  writeYamlTitle,
} from '../summary/entry-texts.js';
import type { EntryDifference, ListedPage } from '../summary/listed-pages.js';
import type { EntryPiece } from '../summary/summary-pieces.js';

/** The change of an entry. */
export interface EntryEdit {
  page: ListedPage;
  /** The page that it is read as now. */
  read: OutlinePage | undefined;
  difference: EntryDifference;
  style: AddressStyle;
  /** Writes the text of the entry anew, instead of replacing what differs in it. */
  anew: boolean;
}

type Text = Extract<EntryPiece['part'], { kind: 'item' }>;

/** The lines of an item with its text changed; the marker, the indentation and other lines stay. */
export function editItemLines(piece: EntryPiece, part: Text, edit: EntryEdit): string[] {
  const { page, difference, style, anew } = edit;
  const titled = !anew && page.type === 'computed' && !difference.target && setComputedTitle(piece, part, page.title);
  if (titled) return titled;
  const inPlace = anew || page.type === 'computed' ? undefined : editItemText(part, edit);
  // The YAML of a computed page is replaced with its text.
  return replaceItemText(piece, page.type === 'computed' ? '' : part.text, inPlace ?? writeItemText(page, style));
}

function editItemText({ text, link }: Text, { page, read, difference, style }: EntryEdit): string | undefined {
  if (!link || (page.file === undefined && !page.target && difference.target)) return undefined;
  const emoji = read?.type === 'document' ? read.emoji : undefined;
  const title = difference.title ? escapeForLink(titleWithEmoji(page, emoji)) : text.slice(link.from, link.to);
  const target = editLinkTarget(text, link, { page, difference, style });
  return `${text.slice(0, link.from)}${title}]${target}${text.slice(link.end)}`;
}

/** The new text after the brackets of a link. */
function editLinkTarget(
  text: string,
  link: LinkPlace,
  { page, difference, style }: Pick<EntryEdit, 'page' | 'difference' | 'style'>,
): string {
  const open = link.to + 1;
  const isSame = !difference.target && !difference.linkTitle;
  const isFullReference = text[open] === '[' && link.end > open + 2;
  if (isSame && (isFullReference || text[open] === '(')) return text.slice(open, link.end);
  const added = writeLinkTitle(page);
  if (text[open] !== '(') return `(${writeEntryAddress(page, style) || '<>'}${added})`;
  const from = skipLinkSpace(text, open + 1);
  const scanned = scanInlineTarget(text, open) && scanDestination(text, from);
  const to = scanned ? scanned.end : link.end - 1;
  const own = { ...style, angled: text[from] === '<', absolute: /^<?\//.test(text.slice(from, from + 2)) };
  const address = difference.target ? writeEntryAddress(page, own) : text.slice(from, to) || '<>';
  const titleFrom = skipLinkSpace(text, to);
  const titleTo = (scanned && scanTitle(text, titleFrom)?.end) ?? to;
  const tail = difference.linkTitle ? added : text.slice(to, titleTo);
  return text.slice(open, from) + address + tail + text.slice(titleTo, link.end);
}

/** A computed page has its title from its text, else from its YAML. */
function setComputedTitle(piece: EntryPiece, { text }: Text, title: string): string[] | undefined {
  const plain = escapeForItem(title);
  if (text !== '') return plain === undefined ? undefined : replaceItemText(piece, text, plain);
  const fence = piece.lines.findIndex((line) => /(?:```|~~~)\s*ya?ml/i.test(line));
  const next = piece.lines[fence + 1];
  if (fence < 0 || next === undefined) return undefined;
  const indent = next.slice(0, next.length - next.trimStart().length);
  const present = piece.lines.findIndex((line, at) => at > fence && line.startsWith(`${indent}title:`));
  const line = `${indent}${writeYamlTitle(title)}${lineEndOf(next)}`;
  const [from, to] = present < 0 ? [fence + 1, fence + 1] : [present, present + 1];
  return [...piece.lines.slice(0, from), line, ...piece.lines.slice(to)];
}

/** The lines of an item with another text instead of `text`, the lines of which stand below each other. */
function replaceItemText({ lines, indent, marker }: EntryPiece, text: string, changed: string): string[] {
  const before = text.split('\n');
  const prefix = indent.length + marker.length;
  const first = before[0] ?? '';
  const from = first === '' ? -1 : lines.findIndex((line, at) => line.includes(first, at === 0 ? prefix : 0));
  const end = lineEndOf(lines[0] ?? '');
  const under = `${indent}${' '.repeat(marker.length)}`;
  const after = changed.split('\n');
  if (from < 0) {
    const start = (lines[0] ?? '').slice(0, prefix);
    return after.map((line, at) => (at === 0 ? start : under) + line + end);
  }
  const made = after.map((line, at) => {
    const old = lines[from + at] ?? '';
    const part = before[at];
    if (part === undefined || !old.includes(part)) return under + line + end;
    const place = old.indexOf(part, from + at === 0 ? prefix : 0);
    return old.slice(0, place) + line + old.slice(place + part.length);
  });
  return [...lines.slice(0, from), ...made, ...lines.slice(from + before.length)];
}

const lineEndOf = (line: string): string => /(?:\r\n?|\n)?$/.exec(line)?.[0] ?? '';

/** The line of a group's heading with another title or slug. */
export function editHeadingLine({ lines, part }: EntryPiece, { page, difference, anew }: EntryEdit): string[] {
  const [line = ''] = lines;
  const end = lineEndOf(line);
  const sign = /^[ \t]{0,99}#{2,6}[ \t]{1,99}/.exec(line)?.[0];
  if (sign === undefined || lines.length > 1) return [`## ${writeHeadingText(page)}${end}`];
  if (anew) return [`${sign}${writeHeadingText(page)}${end}`];
  const content = withoutClosingHashes(line.slice(sign.length, line.length - end.length));
  const slug = part.kind === 'group' ? part.entry.slug : undefined;
  const anchorFrom = slug === undefined ? content.length : content.toLowerCase().lastIndexOf('<a');
  const written = content.slice(0, anchorFrom).trimEnd();
  const keepsAnchor = slug !== undefined && slugOf(slug, 'group') === page.slug;
  const anchor = keepsAnchor ? content.slice(written.length) : writeHeadingAnchor(page.title, page.slug);
  const title = difference.title ? escapeForHeading(page.title) : written;
  return [sign + title + anchor + line.slice(sign.length + content.length)];
}

/** The content of a heading without the `#` that close it. */
function withoutClosingHashes(content: string): string {
  const text = content.trimEnd();
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return end < text.length && /\s/.test(text[end - 1] ?? ' ') ? text.slice(0, end).trimEnd() : text;
}
