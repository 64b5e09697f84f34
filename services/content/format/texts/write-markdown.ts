import type { BlockNode, Data, DocumentNode, JSONDocument } from '../document/document-model.js';
import { type InlinePlace, inlineText } from './text-inlines.js';
import { escapeText, writeInlines } from './write-inlines.js';

/** A document of a text in Markdown that every program reads in the same way. */
export const writeMarkdown = ({ nodes }: JSONDocument): string => writeBlocks(nodes, '').join('\n');

const childBlocks = ({ nodes = [] }: { nodes?: DocumentNode[] }) =>
  nodes.filter((node): node is BlockNode => node.object === 'block');

/** The lines of blocks; `outer` is the marker of the list that they are in. */
function writeBlocks(blocks: BlockNode[], outer: string): string[] {
  const lines: string[] = [];
  let before: BlockNode | undefined;
  let marker = '';
  for (const block of blocks) {
    if (before && !(outer !== '' && isTightList(before, block))) lines.push('');
    marker = isList(block) ? chooseMarker(block, marker, outer) : '';
    for (const line of writeBlock(block, marker)) lines.push(line);
    before = block;
  }
  return lines;
}

const isList = ({ type }: BlockNode) => type.startsWith('list-');

/** A list that may interrupt the paragraph above it, as in most lists of lists. */
function isTightList(before: BlockNode, block: BlockNode): boolean {
  const starts = block.type !== 'list-ordered' || block.data.start === undefined;
  const first = childBlocks(childBlocks(block)[0] ?? {})[0];
  return (
    before.type === 'paragraph' && isList(block) && starts && first?.type === 'paragraph' && !isBlankParagraph(first)
  );
}

const isBlankParagraph = (paragraph: BlockNode) => writeInlines(paragraph.nodes ?? [], 'block') === '';

/** Lists that stand together have different markers, and so have a list and the one that it is in: `- - -` is a rule. */
function chooseMarker({ type }: BlockNode, before: string, outer: string): string {
  if (type === 'list-ordered') return before === '.' ? ')' : '.';
  return ['-', '*', '+'].find((sign) => sign !== before && sign !== outer) ?? '+';
}

function writeBlock(block: BlockNode, marker: string): string[] {
  switch (block.type) {
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return [`${'#'.repeat(Number(block.type.at(-1)))} ${writeText(block, 'line')}`.trimEnd()];
    case 'divider':
      return ['___'];
    case 'blockquote':
      return writeBlocks(childBlocks(block), '').map((line) => (line === '' ? '>' : `> ${line}`));
    case 'code':
      return writeCode(block);
    case 'table':
      return writeTable(block);
    case 'paragraph':
      return writeText(block, 'block').split('\n');
    default:
      return writeList(block, marker);
  }
}

const writeText = ({ nodes = [] }: { nodes?: DocumentNode[] }, place: InlinePlace) => writeInlines(nodes, place);

/** The greatest number that a marker can say. */
const maxNumber = 999_999_999;

function writeList(block: BlockNode, marker: string): string[] {
  const start = typeof block.data.start === 'number' ? block.data.start : 1;
  return childBlocks(block).flatMap((entry, at) => {
    const sign = block.type === 'list-ordered' ? `${Math.min(start + at, maxNumber)}${marker}` : marker;
    const lines = writeBlocks(blocksWithBox(entry), marker);
    const indentation = ' '.repeat(sign.length + 1);
    return lines.map((line, index) =>
      index === 0 ? `${sign} ${line}`.trimEnd() : line === '' ? '' : indentation + line,
    );
  });
}

/** The blocks of an item; its box stands before the text of a paragraph, which is empty where the item begins otherwise. */
function blocksWithBox(entry: BlockNode): BlockNode[] {
  const blocks = childBlocks(entry);
  const { checked } = entry.data;
  if (checked === undefined) return blocks;
  const [first, ...rest] = blocks;
  const box = { object: 'inline', type: 'box', isVoid: true, data: { checked } } as const;
  const text = first?.type === 'paragraph' ? first : undefined;
  const paragraph: BlockNode = { object: 'block', type: 'paragraph', key: '', isVoid: false, data: {} };
  return [{ ...paragraph, nodes: [box, ...(text?.nodes ?? [])] }, ...(text ? rest : blocks)];
}

function writeCode(block: BlockNode): string[] {
  const lines = childBlocks(block).map((line) => inlineText(line.nodes ?? []));
  const ticks = Math.max(2, ...lines.map((line) => Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length))));
  const fence = '`'.repeat(ticks + 1);
  return [fence + String(block.data.syntax ?? ''), ...lines, fence];
}

const DELIMITERS: Record<string, string> = { left: '---', center: ':-:', right: '--:' };

function writeTable({ data, fragments = [] }: BlockNode): string[] {
  const { view, definition, records } = data as {
    view: { columns: string[] };
    definition: Record<string, { title: string; textAlignment: string }>;
    records: Record<string, { values: Data }>;
  };
  const columns = view.columns.map((id) => definition[id] ?? { title: '', textAlignment: 'left' });
  const texts = new Map(fragments.map((part) => [part.fragment, writeText(part.nodes[0] ?? {}, 'cell')]));
  const rows = Object.values(records).map(({ values }) =>
    view.columns.map((id) => texts.get(String(values[id])) ?? ''),
  );
  return [
    columns.map(({ title }) => escapeText(title, 'cell')),
    columns.map(({ textAlignment }) => DELIMITERS[textAlignment] ?? '---'),
    ...rows,
  ].map((cells) => `| ${cells.join(' | ')} |`);
}
