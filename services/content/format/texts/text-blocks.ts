import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { newContentIds, textColumn } from '../document/blocks/tables.js';
import { newBlock } from '../document/context/context.js';
import {
  type BlockNode,
  type Data,
  type DocumentNode,
  type JSONDocument,
  newFragment,
} from '../document/document-model.js';
import type { Align } from '../markdown/syntax.js';
import { inlineText, normalizeInlines } from './text-inlines.js';

/** The blocks of texts, in the one form in which they are written and read again. They have no keys before `buildTextDocument`. */
function unkeyedBlock(type: string, data: Data, nodes?: DocumentNode[]): BlockNode {
  return { object: 'block', type, key: '', isVoid: nodes === undefined, data, ...(nodes ? { nodes } : {}) };
}

export const textParagraph = (nodes: DocumentNode[]): BlockNode =>
  unkeyedBlock('paragraph', {}, normalizeInlines(nodes, 'block'));

export const textHeading = (level: number, nodes: DocumentNode[]): BlockNode =>
  unkeyedBlock(`heading-${Math.min(level, 3)}`, {}, normalizeInlines(nodes, 'line'));

export const textDivider = (): BlockNode => unkeyedBlock('divider', {});

export const textQuote = (nodes: BlockNode[]): BlockNode => unkeyedBlock('blockquote', {}, orEmptyParagraph(nodes));

export type ListType = 'list-ordered' | 'list-unordered' | 'list-tasks';

export const textListItem = (nodes: BlockNode[], checked: boolean | undefined): BlockNode =>
  unkeyedBlock('list-item', checked === undefined ? {} : { checked }, orEmptyParagraph(nodes));

/** Only items of tasks are checked or not; where no task says so, none is checked. */
export function textList(type: ListType, start: number, items: BlockNode[]): BlockNode {
  const data = type === 'list-ordered' && start !== 1 ? { start } : {};
  const known = type === 'list-tasks' && items.some(({ data: { checked } }) => checked !== undefined);
  const missing: Data = type === 'list-tasks' ? { checked: false } : {};
  return unkeyedBlock(type, data, known ? items : items.map((made) => ({ ...made, data: missing })));
}

const SYNTAX = /^[^\s`\\&<]{1,50}$/;

export function textCode(syntax: string, lines: string[]): BlockNode {
  // A line of white space alone is empty: within lists its indentation is not its own.
  const nodes = lines.map((line) => unkeyedBlock('code-line', {}, [codeTextNode(/^[ \t]*$/.test(line) ? '' : line)]));
  return unkeyedBlock(
    'code',
    SYNTAX.test(syntax) ? { syntax } : {},
    nodes.length > 0 ? nodes : [unkeyedBlock('code-line', {}, [codeTextNode('')])],
  );
}

const codeTextNode = (value: string): DocumentNode => ({
  object: 'text',
  leaves: [{ object: 'leaf', text: value, marks: [] }],
});

export interface TextColumn {
  title: string;
  align: Align;
}

/** A table whose rows have a cell for each column. */
export function textTable(columns: TextColumn[], rows: DocumentNode[][][]): BlockNode {
  const columnIds = newContentIds();
  const rowIds = newContentIds();
  const made = columns.map(({ title, align }) => textColumn(columnIds, title, align));
  const fragments: BlockNode['fragments'] = [];
  const digits = String(rows.length).length;
  const records = rows.map((row, index) => {
    const cells = made.map((_, at) => normalizeInlines(row[at] ?? [], 'cell'));
    const id = rowIds(cells.map(inlineText).join('\n'));
    const names = made.map((column) => `${id}.${column.id}`);
    for (const [at, name] of names.entries())
      fragments.push({
        ...newFragment('table-cell', [unkeyedBlock('paragraph', {}, cells[at] ?? [])]),
        fragment: name,
      });
    const values = Object.fromEntries(made.map((column, at) => [column.id, names[at]]));
    return [id, { orderIndex: String(index).padStart(digits, '0'), values }];
  });
  const view = {
    type: 'grid',
    columns: made.map(({ id }) => id),
    hideHeader: made.every(({ definition }) => definition.title === ''),
  };
  const definition = Object.fromEntries(made.map((column) => [column.id, { id: column.id, ...column.definition }]));
  return { ...unkeyedBlock('table', { view, definition, records: Object.fromEntries(records) }), fragments };
}

/** Markdown has no empty paragraphs, but for one alone in its container. */
const withoutEmptyParagraphs = (nodes: BlockNode[]) =>
  nodes.filter((node) => node.type !== 'paragraph' || !isEmptyBlock(node));

function orEmptyParagraph(nodes: BlockNode[]): BlockNode[] {
  const rest = withoutEmptyParagraphs(nodes);
  return rest.length > 0 ? rest : [textParagraph([])];
}

const isEmptyBlock = ({ nodes = [] }: BlockNode) =>
  nodes.every((node) => node.object === 'text' && inlineText([node]) === '');

export function buildTextDocument(nodes: BlockNode[]): JSONDocument {
  const seen = new Map<string, number>();
  return { object: 'document', data: {}, nodes: withoutEmptyParagraphs(nodes).map((node) => addKeys(node, seen)) };
}

function addKeys({ type, data, nodes, fragments }: BlockNode, seen: Map<string, number>): BlockNode {
  const inner = nodes?.map((node) => (node.object === 'block' ? addKeys(node, seen) : node));
  const parts = fragments?.map((part) => ({ ...part, nodes: part.nodes.map((node) => addKeys(node, seen)) }));
  const titles =
    type === 'table' ? Object.values(data.definition as Record<string, Data>).map(({ title }) => title) : [];
  return newBlock(
    { seen },
    type,
    data,
    omitUndefined({ nodes: inner || undefined, fragments: parts || undefined, identity: titles.join('\n') }),
  );
}
