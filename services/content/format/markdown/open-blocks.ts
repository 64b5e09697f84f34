import { type Fence, splitTableCells } from './block-starts.js';
import { unescapeText } from './html.js';
import { scanDefinition } from './link-syntax.js';
import type { Align, Block, ListItem, Markdown } from './syntax.js';

/** A container that following lines may continue. */
export interface Open {
  kind: 'root' | 'quote' | 'item' | 'footnote';
  children: Block[];
  /** The indentation in columns that lines inside need (items and footnotes). */
  indent: number;
  item?: ListItem;
}

type Table = Extract<Block, { kind: 'table' }>;

/** The block at the end of the innermost container that following lines may continue, and the line on which it began. */
export type LeafBlock = { line: number } & (
  | { kind: 'paragraph'; lines: string[] }
  | { kind: 'fence'; fence: Fence; indent: number; lines: string[] }
  | { kind: 'indented'; lines: string[] }
  | { kind: 'math'; lines: string[] }
  /** `inPre`: a `<pre>` is open, so that blank lines are code. */
  | { kind: 'html'; end: RegExp | undefined; inPre: boolean; lines: string[] }
  | { kind: 'tag'; lines: string[] }
  | { kind: 'table'; block: Table }
);

export interface Parser {
  page: Markdown;
  containers: Open[];
  leaf: LeafBlock | undefined;
  /** The number of the line that is read, from 0. */
  line: number;
}

export function newParser(plain: boolean): Parser {
  const page: Markdown = {
    plain,
    blocks: [],
    lines: 0,
    tops: [],
    definitions: new Map(),
    footnotes: new Map(),
    footnoteLines: new Map(),
  };
  const root: Open = { kind: 'root', children: page.blocks, indent: 0 };
  return { page, containers: [root], leaf: undefined, line: 0 };
}

/** Closes the containers from index `depth` on, and the leaf in the innermost of them. */
export function closeContainers(parser: Parser, depth: number): void {
  if (parser.containers.length <= depth) return;
  closeLeaf(parser);
  for (const { item } of parser.containers.splice(depth)) if (item) item.end = parser.line;
}

/** Adds a block to the innermost container and closes the open leaf there, unless `keep` is set; it began on line `from`. */
export function addBlock(parser: Parser, block: Block, { keep = false, from = parser.line } = {}): void {
  if (!keep) closeLeaf(parser);
  noteTopBlock(parser, from);
  parser.containers.at(-1)?.children.push(block);
}

/** Notes what begins on a line, unless it is inside a container. */
export function noteTopBlock({ page, containers }: Parser, line: number): void {
  if (containers.length === 1) page.tops.push({ line, block: page.blocks.length });
}

/** Forgets what was noted after the last block of the page, which goes on: items of a list may have definitions between them. */
export function forgetTrailingTops({ page, containers }: Parser): void {
  while (containers.length === 1 && page.tops.at(-1)?.block === page.blocks.length) page.tops.pop();
}

/**
 * Ends the open leaf. With `headingDepth` a paragraph becomes a heading; returns false for a paragraph that held
 * only link definitions.
 */
export function closeLeaf(parser: Parser, headingDepth?: number): boolean {
  const { leaf } = parser;
  if (!leaf) return true;
  parser.leaf = undefined;
  if (leaf.kind !== 'table') noteTopBlock(parser, leaf.line);
  const children = parser.containers.at(-1)?.children ?? [];
  switch (leaf.kind) {
    case 'paragraph': {
      const text = takeDefinitions(leaf.lines.join('\n'), parser.page.definitions).trimEnd();
      if (text !== '')
        children.push(headingDepth ? { kind: 'heading', depth: headingDepth, text } : { kind: 'paragraph', text });
      return text !== '';
    }
    case 'fence':
      children.push({ kind: 'code', info: unescapeText(leaf.fence.info), value: leaf.lines.join('\n') });
      break;
    case 'indented':
      while (leaf.lines.at(-1)?.trim() === '') leaf.lines.pop();
      children.push({ kind: 'code', info: '', value: leaf.lines.join('\n') });
      break;
    case 'math':
      // A tag left open is text.
      children.push({ kind: 'paragraph', text: ['$$', ...leaf.lines].join('\n') });
      break;
    case 'html':
      children.push({ kind: 'html-block', html: leaf.lines.join('\n') });
      break;
    case 'tag':
      children.push({ kind: 'paragraph', text: leaf.lines.join('\n') });
      break;
    case 'table':
  }
  return true;
}

function takeDefinitions(text: string, definitions: Markdown['definitions']): string {
  let from = 0;
  while (text[from] === '[') {
    const definition = scanDefinition(text, from);
    if (!definition) break;
    if (!definitions.has(definition.label)) definitions.set(definition.label, definition.target);
    from = definition.end;
  }
  return from === 0 ? text : text.slice(from);
}

/** Makes the last line of the open paragraph the header of a table, if it has as many cells as the delimiter row. */
export function takeTableHeader(parser: Parser, align: Align[] | undefined): Table | undefined {
  const { leaf } = parser;
  if (!align || leaf?.kind !== 'paragraph') return undefined;
  const header = leaf.lines.at(-1);
  const cells = header === undefined ? [] : splitTableCells(header);
  if (cells.length !== align.length) return undefined;
  leaf.lines.pop();
  closeLeaf(parser);
  return { kind: 'table', align, rows: [cells] };
}
