import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { textColumn, uniqueIds } from '../document/blocks/tables.js';
import { block } from '../document/context/context.js';
import {
  type BlockNode,
  type Data,
  type DocumentNode,
  fragment,
  type JSONDocument,
} from '../document/document-model.js';
import type { Align } from '../markdown/syntax.js';
import { inlineText, normalInlines } from './text-inlines.js';

/** The blocks of texts, in the one form in which they are written and read again. They have no keys before `documentOf`. */
function unkeyed(type: string, data: Data, nodes?: DocumentNode[]): BlockNode {
  return { object: 'block', type, key: '', isVoid: nodes === undefined, data, ...(nodes ? { nodes } : {}) };
}

export const textParagraph = (nodes: DocumentNode[]): BlockNode =>
  unkeyed('paragraph', {}, normalInlines(nodes, 'block'));

export const heading = (level: number, nodes: DocumentNode[]): BlockNode =>
  unkeyed(`heading-${Math.min(level, 3)}`, {}, normalInlines(nodes, 'line'));

export const divider = (): BlockNode => unkeyed('divider', {});

export const quote = (nodes: BlockNode[]): BlockNode => unkeyed('blockquote', {}, filled(nodes));

export type ListType = 'list-ordered' | 'list-unordered' | 'list-tasks';

export const item = (nodes: BlockNode[], checked: boolean | undefined): BlockNode =>
  unkeyed('list-item', checked === undefined ? {} : { checked }, filled(nodes));

/** Only items of tasks are checked or not; where no task says so, none is checked. */
export function list(type: ListType, start: number, items: BlockNode[]): BlockNode {
  const data = type === 'list-ordered' && start !== 1 ? { start } : {};
  const known = type === 'list-tasks' && items.some(({ data: { checked } }) => checked !== undefined);
  const missing: Data = type === 'list-tasks' ? { checked: false } : {};
  return unkeyed(type, data, known ? items : items.map((made) => ({ ...made, data: missing })));
}

const SYNTAX = /^[^\s`\\&<]{1,50}$/;

export function code(syntax: string, lines: string[]): BlockNode {
  // A line of white space alone is empty: within lists its indentation is not its own.
  const nodes = lines.map((line) => unkeyed('code-line', {}, [codeText(/^[ \t]*$/.test(line) ? '' : line)]));
  return unkeyed(
    'code',
    SYNTAX.test(syntax) ? { syntax } : {},
    nodes.length > 0 ? nodes : [unkeyed('code-line', {}, [codeText('')])],
  );
}

const codeText = (value: string): DocumentNode => ({
  object: 'text',
  leaves: [{ object: 'leaf', text: value, marks: [] }],
});

export interface TextColumn {
  title: string;
  align: Align;
}

/** A table whose rows have a cell for each column. */
export function table(columns: TextColumn[], rows: DocumentNode[][][]): BlockNode {
  const columnIds = uniqueIds();
  const rowIds = uniqueIds();
  const made = columns.map(({ title, align }) => textColumn(columnIds, title, align));
  const fragments: BlockNode['fragments'] = [];
  const digits = String(rows.length).length;
  const records = rows.map((row, index) => {
    const cells = made.map((_, at) => normalInlines(row[at] ?? [], 'cell'));
    const id = rowIds(cells.map(inlineText).join('\n'));
    const names = made.map((column) => `${id}.${column.id}`);
    for (const [at, name] of names.entries())
      fragments.push({ ...fragment('table-cell', [unkeyed('paragraph', {}, cells[at] ?? [])]), fragment: name });
    const values = Object.fromEntries(made.map((column, at) => [column.id, names[at]]));
    return [id, { orderIndex: String(index).padStart(digits, '0'), values }];
  });
  const view = {
    type: 'grid',
    columns: made.map(({ id }) => id),
    hideHeader: made.every(({ definition }) => definition.title === ''),
  };
  const definition = Object.fromEntries(made.map((column) => [column.id, { id: column.id, ...column.definition }]));
  return { ...unkeyed('table', { view, definition, records: Object.fromEntries(records) }), fragments };
}

/** Markdown has no empty paragraphs, but for one alone in its container. */
const withoutEmpty = (nodes: BlockNode[]) => nodes.filter((node) => node.type !== 'paragraph' || !isEmpty(node));

function filled(nodes: BlockNode[]): BlockNode[] {
  const rest = withoutEmpty(nodes);
  return rest.length > 0 ? rest : [textParagraph([])];
}

const isEmpty = ({ nodes = [] }: BlockNode) =>
  nodes.every((node) => node.object === 'text' && inlineText([node]) === '');

export function documentOf(nodes: BlockNode[]): JSONDocument {
  const seen = new Map<string, number>();
  return { object: 'document', data: {}, nodes: withoutEmpty(nodes).map((node) => keyed(node, seen)) };
}

function keyed({ type, data, nodes, fragments }: BlockNode, seen: Map<string, number>): BlockNode {
  const inner = nodes?.map((node) => (node.object === 'block' ? keyed(node, seen) : node));
  const parts = fragments?.map((part) => ({ ...part, nodes: part.nodes.map((node) => keyed(node, seen)) }));
  const titles =
    type === 'table' ? Object.values(data.definition as Record<string, Data>).map(({ title }) => title) : [];
  return block(
    { seen },
    type,
    data,
    omitUndefined({ nodes: inner || undefined, fragments: parts || undefined, identity: titles.join('\n') }),
  );
}
