import type { BlockNode, DocumentNode, DocumentRef } from '../document/document-model.js';
import { parseInlines } from '../markdown/inlines/inline.js';
import { parseMarkdown } from '../markdown/markdown.js';
import type { Block, Inline, Markdown } from '../markdown/syntax.js';
import { refOfAddress } from './link-targets.js';
import {
  textCode,
  textDivider,
  textHeading,
  textList,
  textListItem,
  textParagraph,
  textQuote,
  textTable,
} from './text-blocks.js';
import { inlineText, type MarkType, newLeaf, newLink } from './text-inlines.js';

/** A text read from Markdown, with the findings that decide whether it is safe. */
export interface MarkdownReading {
  nodes: BlockNode[];
  /** The texts of its code, without spans that hold pipes. */
  codes: string[];
  /** It has backticks that are no code or are in code, or spans of code in which HTML may begin at the start of a line. */
  doubtful: boolean;
  /** It has links to addresses that a text may not link to; they are shown as text. */
  refusedLinks: boolean;
}

interface Reader extends MarkdownReading {
  page: Markdown;
}

/** Reads GitHub-flavored Markdown without HTML and footnotes. Never throws; linear in the length of the source. */
export function readMarkdown(source: string): MarkdownReading {
  const page = parseMarkdown(source.replace(/\r\n?/g, '\n'), true);
  const refusedLinks = [...page.definitions.values()].some(({ url }) => !refOfAddress(url));
  const reader: Reader = { page, nodes: [], codes: [], doubtful: false, refusedLinks };
  reader.nodes = readBlocks(page.blocks, reader);
  return reader;
}

const readBlocks = (blocks: Block[], reader: Reader) => blocks.map((block) => readBlock(block, reader));

function readBlock(block: Block, reader: Reader): BlockNode {
  switch (block.kind) {
    case 'heading':
      return textHeading(block.depth, readInlines(block.text, reader));
    case 'rule':
      return textDivider();
    case 'code':
      reader.codes.push(block.value);
      return textCode(block.info.split(/\s/, 1)[0] ?? '', block.value.split('\n'));
    case 'quote':
      return textQuote(readBlocks(block.children, reader));
    case 'list':
      return readList(block, reader);
    case 'table': {
      const [titles = [], ...rows] = block.rows;
      const width = Math.max(...block.rows.map((row) => row.length));
      const columns = Array.from({ length: width }, (_, at) => ({
        title: inlineText(readInlines(titles[at] ?? '', reader)),
        align: block.align[at],
      }));
      return textTable(
        columns,
        rows.map((row) => row.map((cell) => readInlines(cell, reader))),
      );
    }
    default:
      return textParagraph(readInlines('text' in block ? block.text : '', reader));
  }
}

const CHECKBOX = /^\[([ xX])\](?:\s+|$)/;

function readList({ ordered, start, items }: Extract<Block, { kind: 'list' }>, reader: Reader): BlockNode {
  let tasks = false;
  const nodes = items.map(({ children }) => {
    const [first, ...others] = children;
    const box = first?.kind === 'paragraph' ? CHECKBOX.exec(first.text) : undefined;
    if (!box || first?.kind !== 'paragraph') return textListItem(readBlocks(children, reader), undefined);
    tasks = true;
    const rest: Block = { kind: 'paragraph', text: first.text.slice(box[0].length) };
    return textListItem(readBlocks([rest, ...others], reader), box[1] !== ' ');
  });
  return textList(tasks ? 'list-tasks' : ordered ? 'list-ordered' : 'list-unordered', start, nodes);
}

const HTML_LINE = /^<[A-Za-z/!?]/m;

const readInlines = (source: string, reader: Reader): DocumentNode[] => {
  const out: DocumentNode[] = [];
  if (HTML_LINE.test(source)) reader.doubtful = true;
  writeEachInline(parseInlines(source, reader.page), { reader, out, marks: new Set(), inLink: false });
  return out;
};

interface Writer {
  reader: Reader;
  out: DocumentNode[];
  marks: ReadonlySet<MarkType>;
  inLink: boolean;
}

const MARKS = { emphasis: 'italic', strong: 'bold', strike: 'strikethrough' } as const;

function writeEachInline(inlines: Inline[], writer: Writer): void {
  for (const inline of inlines) writeInline(inline, writer);
}

function writeInline(inline: Inline, writer: Writer): void {
  switch (inline.kind) {
    case 'text':
      if (inline.value.includes('`')) writer.reader.doubtful = true;
      writeText(inline.value.replaceAll('\n', ' '), writer);
      return;
    case 'break':
      writeText('\n', writer);
      return;
    case 'code-span':
      if (inline.value.includes('`')) writer.reader.doubtful = true;
      if (!inline.value.includes('|')) writer.reader.codes.push(inline.value);
      writeText(inline.value, { ...writer, marks: new Set([...writer.marks, 'code']) });
      return;
    case 'emphasis':
    case 'strong':
    case 'strike':
      writeEachInline(inline.children, { ...writer, marks: new Set([...writer.marks, MARKS[inline.kind]]) });
      return;
    case 'link':
      if (isPlaceholder(inline)) writeRefusedText(`<${inline.url}>`, writer);
      else writeLink(inline.url, inline.children, writer);
      return;
    case 'image':
      writeLink(inline.url, [{ kind: 'text', value: inline.alt }], writer);
      return;
    default:
  }
}

/** `<name:kind>` in angles, which no text may link to. */
const isPlaceholder = ({ url, place }: Extract<Inline, { kind: 'link' }>) =>
  place === undefined && !/^(?:https?|mailto):/i.test(url) && !refOfAddress(url);

function writeRefusedText(value: string, writer: Writer): void {
  writer.reader.refusedLinks = true;
  writeText(value, writer);
}

function writeText(value: string, { out, marks }: Writer): void {
  out.push({ object: 'text', leaves: [newLeaf(value, marks)] });
}

/** A link; inside another one, and with an address that a text may not link to, its text alone. */
function writeLink(url: string, children: Inline[], writer: Writer): void {
  const ref: DocumentRef | undefined = refOfAddress(url);
  if (!ref) writer.reader.refusedLinks = true;
  if (!ref || writer.inLink) {
    writeEachInline(children, writer);
    return;
  }
  const nodes: DocumentNode[] = [];
  writeEachInline(children, { ...writer, out: nodes, inLink: true });
  writer.out.push(newLink(ref, nodes));
}
