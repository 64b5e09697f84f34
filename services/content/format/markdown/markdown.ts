import {
  atxHeadingAt,
  closesFence,
  fenceAt,
  htmlStartAt,
  isThematicBreak,
  listMarkerAt,
  readDelimiterRow,
  setextDepthAt,
  splitTableCells,
} from './block-starts.js';
import { advanceColumns, type Cursor, measureIndent, newLineCursor, restOfLine, skipIndent } from './line.js';
import { normalizeLabel, scanLabel } from './link-syntax.js';
import {
  addBlock,
  closeContainers,
  closeLeaf,
  forgetTrailingTops,
  type LeafBlock,
  newParser,
  noteTopBlock,
  type Open,
  type Parser,
  takeTableHeader,
} from './open-blocks.js';
import { type Block, MAX_DEPTH, type Markdown } from './syntax.js';
import { readTag, splitTrailingTags } from './tags.js';

/**
 * Parses the body of a page: CommonMark, GFM tables and footnotes, `$$` math and `{% %}` tags. Never throws; linear in the
 * length of the body. Works line by line: first the open containers that the line continues, then the blocks that it starts;
 * the rest is text. `plain`: only what GFM has without HTML and footnotes.
 */
export function parseMarkdown(body: string, plain = false): Markdown {
  const parser = newParser(plain);
  for (let from = 0; from < body.length; ) {
    const newline = body.indexOf('\n', from);
    const to = newline < 0 ? body.length : newline;
    readLine(parser, newLineCursor(body.slice(from, to)));
    parser.line++;
    from = to + 1;
  }
  closeContainers(parser, 1);
  closeLeaf(parser);
  parser.page.lines = parser.line;
  return parser.page;
}

function readLine(parser: Parser, line: Cursor): void {
  const matched = continueContainers(parser, line);
  const all = matched === parser.containers.length;
  if (all && continueLeaf(parser, line)) return;
  const lazy = !all && parser.leaf?.kind === 'paragraph';
  const known = startBlocks(parser, line, matched, lazy);
  if (known < 0) return;
  const continuesLazily = lazy && !line.blank && known === matched && parser.leaf?.kind === 'paragraph';
  if (!continuesLazily) closeContainers(parser, known);
  if (!line.blank) addParagraphText(parser, line);
  else if (parser.leaf?.kind === 'paragraph') closeLeaf(parser);
}

function continueContainers(parser: Parser, line: Cursor): number {
  let matched = 1;
  for (; matched < parser.containers.length; matched++) {
    const open = parser.containers[matched] as Open;
    if (open.kind === 'quote') {
      if (line.indent > 3 || line.text[line.next] !== '>') break;
      skipQuoteMark(line);
    } else if (line.blank) {
      const last = matched === parser.containers.length - 1;
      // An item that starts with a blank line ends at a second blank line.
      if (open.kind === 'item' && last && open.children.length === 0 && !parser.leaf) break;
    } else if (line.indent >= open.indent) {
      advanceColumns(line, open.indent);
    } else break;
  }
  return matched;
}

function skipQuoteMark(line: Cursor): void {
  skipIndent(line);
  advanceColumns(line, 1);
  if (line.indent > 0) advanceColumns(line, 1);
}

/** Adds the line to the open leaf if the leaf continues; true when the line is consumed. */
function continueLeaf(parser: Parser, line: Cursor): boolean {
  const { leaf } = parser;
  switch (leaf?.kind) {
    case 'fence':
      if (line.indent < 4 && closesFence(line.text, line.next, leaf.fence)) closeLeaf(parser);
      else {
        advanceColumns(line, Math.min(line.indent, leaf.indent));
        leaf.lines.push(restOfLine(line));
      }
      return true;
    case 'math':
      return continueMath(parser, leaf, restOfLine(line));
    case 'html':
      return continueHtml(parser, leaf, line);
    case 'indented':
      if (line.indent < 4 && !line.blank) break;
      advanceColumns(line, line.blank ? Math.min(line.indent, 4) : 4);
      leaf.lines.push(restOfLine(line));
      return true;
    case 'tag':
      return continueTag(parser, leaf, line);
    case 'table':
      if (line.blank) break;
      return false;
    case 'paragraph':
      return false;
  }
  if (leaf) closeLeaf(parser);
  return false;
}

type LeafOf<Kind> = Extract<LeafBlock, { kind: Kind }>;

function continueMath(parser: Parser, { line, lines }: LeafOf<'math'>, text: string): boolean {
  const end = text.trimEnd();
  if (end.endsWith('$$')) {
    parser.leaf = undefined;
    const formula = [...lines, end.slice(0, -2)].join('\n').trim();
    addBlock(parser, { kind: 'math-block', formula }, { from: line });
  } else lines.push(text);
  return true;
}

function continueHtml(parser: Parser, leaf: LeafOf<'html'>, line: Cursor): boolean {
  const text = restOfLine(line);
  if (leaf.end || (line.blank && leaf.inPre)) {
    leaf.lines.push(text);
    if (leaf.end?.test(text)) closeLeaf(parser);
    return true;
  }
  if (line.blank || (isTagStart(parser, line) && readTag(line.text, line.next))) {
    closeLeaf(parser);
    return line.blank;
  }
  for (const [, slash] of text.matchAll(/<(\/?)pre(?=[\s>])/gi)) leaf.inPre = slash === '';
  addHtmlLine(parser, leaf.lines, line);
  return true;
}

function addHtmlLine(parser: Parser, lines: string[], line: Cursor): void {
  const { text, tags } = splitTrailingTags(restOfLine(line));
  lines.push(text);
  for (const tag of tags) addBlock(parser, { kind: 'tag', tag });
}

const MAX_TAG_LINES = 50;

/** A tag over several lines; without an end before a blank line it is text. */
function continueTag(parser: Parser, { line: from, lines }: LeafOf<'tag'>, line: Cursor): boolean {
  if (line.blank || lines.length >= MAX_TAG_LINES) {
    closeLeaf(parser);
    return line.blank;
  }
  const before = lines.join('\n');
  const ended = line.text.includes('%}', line.pos) ? readTag(`${before}\n${restOfLine(line)}`, 0) : undefined;
  if (!ended) {
    lines.push(restOfLine(line));
    return true;
  }
  parser.leaf = undefined;
  addBlock(parser, { kind: 'tag', tag: ended.tag }, { from });
  const rest = newLineCursor(`${before}\n${restOfLine(line)}`.slice(ended.end));
  skipIndent(rest);
  if (!rest.blank && startBlocks(parser, rest, parser.containers.length, false) >= 0) addParagraphText(parser, rest);
  return true;
}

const isTagStart = ({ page }: Parser, line: Cursor) => !page.plain && line.text.startsWith('{%', line.next);

/** Opens the containers and the leaf that start on this line. Returns the number of containers, or -1 for a consumed line. */
function startBlocks(parser: Parser, line: Cursor, matched: number, lazy: boolean): number {
  let known = matched;
  for (;;) {
    if (line.blank) return known;
    const paragraph = parser.leaf?.kind === 'paragraph' && known === parser.containers.length;
    if (line.indent >= 4) return startIndentedCode(parser, line, known, paragraph || lazy) ? -1 : known;
    if (startContainer(parser, line, known, paragraph)) {
      known = parser.containers.length;
      lazy = false;
      continue;
    }
    if (!isTagStart(parser, line)) return startLeaf(parser, line, known, paragraph, lazy) ? -1 : known;
    const read = readTag(line.text, line.next);
    if (!read) return startOpenTag(parser, line, known) ? -1 : known;
    closeContainers(parser, known);
    addBlock(parser, { kind: 'tag', tag: read.tag });
    skipIndent(line);
    advanceColumns(line, read.end - line.pos);
    skipIndent(line);
    known = parser.containers.length;
    lazy = false;
    if (line.blank) return -1;
  }
}

function startIndentedCode(parser: Parser, line: Cursor, known: number, inParagraph: boolean): boolean {
  if (inParagraph) return false;
  if (parser.leaf?.kind === 'table' && known === parser.containers.length) {
    parser.leaf.block.rows.push(splitTableCells(restOfLine(line)));
    return true;
  }
  closeContainers(parser, known);
  advanceColumns(line, 4);
  parser.leaf = { kind: 'indented', line: parser.line, lines: [restOfLine(line)] };
  return true;
}

/** Opens a block quote, list item or footnote; beyond the greatest depth the line stays text. */
function startContainer(parser: Parser, line: Cursor, known: number, paragraph: boolean): boolean {
  if (known >= MAX_DEPTH) return false;
  const { text, next } = line;
  const char = text.charCodeAt(next);
  if (char === 62) {
    closeContainers(parser, known);
    skipQuoteMark(line);
    const quote: Block = { kind: 'quote', children: [] };
    addBlock(parser, quote);
    parser.containers.push({ kind: 'quote', children: quote.children, indent: 0 });
    return true;
  }
  if (char === 91 && text[next + 1] === '^' && !parser.page.plain) return startFootnote(parser, line, known);
  const isMarker = char === 42 || char === 43 || char === 45 || (char >= 48 && char <= 57);
  return isMarker && startListItem(parser, line, known, paragraph);
}

function startListItem(parser: Parser, line: Cursor, known: number, paragraph: boolean): boolean {
  const { text, next, indent } = line;
  const marker = listMarkerAt(text, next);
  if (!marker) return false;
  if (!marker.ordered && (isThematicBreak(text, next) || (paragraph && setextDepthAt(text, next)))) return false;
  const empty = text.slice(next + marker.width).trim() === '';
  if (paragraph && (empty || (marker.ordered && marker.start !== 1))) return false;
  closeContainers(parser, known);
  skipIndent(line);
  advanceColumns(line, marker.width);
  const padding = empty || line.indent > 4 ? 1 : line.indent;
  advanceColumns(line, padding);
  if (empty) skipIndent(line);
  const children: Block[] = [];
  const item = { children, line: parser.line, end: parser.line };
  closeLeaf(parser);
  const siblings = (parser.containers[known - 1] as Open).children;
  const last = siblings.at(-1);
  if (last?.kind === 'list' && last.marker === marker.marker && last.ordered === marker.ordered) {
    last.items.push(item);
    forgetTrailingTops(parser);
  } else {
    const { ordered, start, marker: sign } = marker;
    addBlock(parser, { kind: 'list', ordered, start, marker: sign, items: [item] });
  }
  parser.containers.push({ kind: 'item', children, indent: indent + marker.width + padding, item });
  return true;
}

function startFootnote(parser: Parser, line: Cursor, known: number): boolean {
  const label = scanLabel(line.text, line.next);
  if (!label || label.value.length < 2 || /\s/.test(label.value) || line.text[label.end] !== ':') return false;
  closeContainers(parser, known);
  closeLeaf(parser);
  skipIndent(line);
  advanceColumns(line, label.end + 1 - line.pos);
  skipIndent(line);
  const children: Block[] = [];
  const key = normalizeLabel(label.value.slice(1));
  noteTopBlock(parser, parser.line);
  // A second definition of a label is parsed, so that it is not text, but not used.
  if (!parser.page.footnotes.has(key)) {
    parser.page.footnotes.set(key, children);
    parser.page.footnoteLines.set(key, parser.line);
  }
  parser.containers.push({ kind: 'footnote', children, indent: 4 });
  return true;
}

function startOpenTag(parser: Parser, line: Cursor, known: number): boolean {
  if (!/^\{%[ \t]*(?:[A-Za-z@]|$)/.test(line.text.slice(line.next)) || line.text.includes('%}', line.next))
    return false;
  closeContainers(parser, known);
  closeLeaf(parser);
  skipIndent(line);
  parser.leaf = { kind: 'tag', line: parser.line, lines: [restOfLine(line)] };
  return true;
}

function startLeaf(parser: Parser, line: Cursor, known: number, paragraph: boolean, lazy: boolean): boolean {
  const { text, next } = line;
  const startBlock = (block?: Block) => {
    closeContainers(parser, known);
    closeLeaf(parser);
    if (block) addBlock(parser, block);
    return true;
  };
  const table = paragraph ? takeTableHeader(parser, readDelimiterRow(text.slice(next))) : undefined;
  if (table) {
    const from = parser.line - 1;
    parser.leaf = { kind: 'table', line: from, block: table };
    addBlock(parser, table, { keep: true, from });
    return true;
  }
  const char = text[next];
  if (char === '#') {
    const heading = atxHeadingAt(text, next);
    if (heading) return startBlock({ kind: 'heading', ...heading });
  } else if (char === '`' || char === '~') {
    const fence = fenceAt(text, next);
    if (fence && startBlock())
      parser.leaf = { kind: 'fence', line: parser.line, fence, indent: line.indent, lines: [] };
    if (fence) return true;
  } else if (char === '<' && !parser.page.plain) {
    const html = htmlStartAt(text, next);
    if (html && (html.interruptsParagraph || !(paragraph || lazy))) {
      startBlock();
      parser.leaf = { kind: 'html', line: parser.line, end: html.end, inPre: false, lines: [] };
      continueHtml(parser, parser.leaf, line);
      return true;
    }
  } else if (char === '=' || char === '-' || char === '*' || char === '_') {
    const depth = paragraph ? setextDepthAt(text, next) : undefined;
    if (depth && closeLeaf(parser, depth)) return true;
    if (char !== '=' && isThematicBreak(text, next)) return startBlock({ kind: 'rule' });
  } else if (char === '$' && text.slice(next).trimEnd() === '$$' && !parser.page.plain) {
    startBlock();
    parser.leaf = { kind: 'math', line: parser.line, lines: [] };
    return true;
  }
  if (parser.leaf?.kind !== 'table' || known !== parser.containers.length) return false;
  parser.leaf.block.rows.push(splitTableCells(text.slice(next)));
  return true;
}

function addParagraphText(parser: Parser, line: Cursor): void {
  const rest = line.text.slice(line.next);
  const { text, tags } = parser.page.plain ? { text: rest, tags: [] } : splitTrailingTags(rest);
  if (parser.leaf?.kind !== 'paragraph') {
    closeLeaf(parser);
    parser.leaf = { kind: 'paragraph', line: parser.line, lines: [] };
  }
  if (text !== '') parser.leaf.lines.push(text);
  for (const tag of tags) addBlock(parser, { kind: 'tag', tag });
  measureIndent(line);
}
