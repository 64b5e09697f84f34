import type { BlockNode, DocumentNode } from '../../document/document-model.js';
import { childrenOf, entryOf, type Fields, readFields, readItems, textIn, textsIn } from '../read-data.js';

export interface ShownColumn {
  id: string;
  title: string;
  type: string;
  definition: Fields;
}

/** The data of a table block, read once. */
export interface TableData {
  view: Fields;
  /** The columns that are shown, in their order. */
  columns: ShownColumn[];
  /** The values of the rows by column, in the order of the rows. */
  rows: Fields[];
  /** The nodes of cells of text by the names of their fragments. */
  cells: Map<string, DocumentNode[]>;
  columnOf: (id: unknown) => ShownColumn | undefined;
}

export function readTable(node: BlockNode): TableData {
  const data = readFields(node.data);
  const view = readFields(data.view);
  const definitions = readFields(data.definition);
  const columnOf = (id: unknown): ShownColumn | undefined => {
    if (typeof id !== 'string' || !Object.hasOwn(definitions, id)) return undefined;
    const definition = readFields(definitions[id]);
    return { id, title: textIn(definition.title).trim(), type: textIn(definition.type), definition };
  };
  const shown = Array.isArray(view.columns) ? textsIn(view.columns) : Object.keys(definitions);
  const columns = [...new Set(shown)].map(columnOf).filter((column) => column !== undefined);
  return { view, columns, rows: readRows(data), cells: readCells(node), columnOf };
}

function readRows(data: Fields): Fields[] {
  const records = Object.values(readFields(data.records)).map(readFields);
  const ordered = records.map((record) => ({ order: textIn(record.orderIndex), values: readFields(record.values) }));
  ordered.sort((one, other) => (one.order < other.order ? -1 : one.order > other.order ? 1 : 0));
  return ordered.map(({ values }) => values);
}

function readCells(node: BlockNode): Map<string, DocumentNode[]> {
  const cells = new Map<string, DocumentNode[]>();
  for (const part of readItems(node.fragments)) {
    const fields = readFields(part);
    cells.set(textIn(fields.fragment), childrenOf(fields));
  }
  return cells;
}

export const cellValueOf = (row: Fields, column: ShownColumn): unknown => entryOf(row, column.id);
