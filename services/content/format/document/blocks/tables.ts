import type { Node } from '../../markdown/nesting.js';
import { textOfNodes } from '../../markdown/source-text.js';
import type { Align } from '../../markdown/syntax.js';
import { textHash } from '../context/block-keys.js';
import { blocksOrParagraph, type Context, newBlock } from '../context/context.js';
import { type BlockNode, type Data, type Fragment, newFragment } from '../document-model.js';
import { parseRawInlines } from '../inlines/inlines.js';

/** A column: its `definition` in the document, without the id. */
export interface TableColumn {
  id: string;
  definition: Data & { title: string; type: string };
}

export interface Cell {
  /** Content of a text column. */
  nodes: Node[];
  /** Value of a column of another type. */
  value?: unknown;
}

export interface Table {
  columns: TableColumn[];
  rows: Cell[][];
  view: (columns: TableColumn[]) => Data;
  data: Data;
}

export function pipeTableBlock(context: Context, rows: string[][], align: Align[], depth: number): BlockNode {
  const [header = [], ...body] = rows;
  const ids = newContentIds();
  const columns = header.map((title, at) =>
    textColumn(ids, textOfNodes(parseRawInlines(title, context, depth)), align[at]),
  );
  const cells = body.map((row) => row.map((cell) => ({ nodes: parseRawInlines(cell, context, depth) })));
  // GFM drops cells beyond the header; nobody wants text dropped.
  const width = body.reduce((max, row) => Math.max(max, row.length), 0);
  while (columns.length < width) columns.push(textColumn(ids, '', undefined));
  const hideHeader = columns.every((column) => column.definition.title === '');
  const gridView = (shown: TableColumn[]) => ({ type: 'grid', columns: shown.map(({ id }) => id), hideHeader });
  return tableBlock(context, { columns, rows: cells, view: gridView, data: {} }, depth);
}

export function textColumn(ids: (text: string) => string, title: string, align: string | undefined): TableColumn {
  const textAlignment = align === 'center' || align === 'right' ? align : 'left';
  const clean = title.replace(/\s+/g, ' ').trim();
  return { id: ids(clean), definition: { title: clean, type: 'text', textAlignment } };
}

/** Ids by content: a row or column keeps its id while another one changes. */
export function newContentIds(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const id = textHash(text);
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}

export function tableBlock(context: Context, table: Table, depth: number): BlockNode {
  const definition: Record<string, Data> = {};
  for (const column of table.columns) definition[column.id] = { id: column.id, ...column.definition };
  const records: Record<string, { orderIndex: string; values: Data }> = {};
  const fragments: Fragment[] = [];
  const ids = newContentIds();
  const digits = String(table.rows.length).length;
  for (const [index, row] of table.rows.entries()) {
    const record = ids(row.map((cell) => textOfNodes(cell.nodes)).join('\n'));
    const values: Data = {};
    for (const [at, cell] of row.entries()) {
      const column = table.columns[at];
      if (!column) break;
      if (column.definition.type !== 'text') values[column.id] = cell.value;
      else {
        const name = `${record}.${column.id}`;
        fragments.push({
          ...newFragment('table-cell', blocksOrParagraph(cell.nodes, context, depth + 1)),
          fragment: name,
        });
        values[column.id] = name;
      }
    }
    records[record] = { orderIndex: String(index).padStart(digits, '0'), values };
  }
  const data = { view: table.view(table.columns), definition, records, ...table.data };
  return newBlock(context, 'table', data, { fragments, identity: tableIdentity(table) });
}

function tableIdentity(table: Table): string {
  const titles = table.columns.map((column) => column.definition.title).join('\n');
  const values = table.rows.flat().map((cell) => (cell.value === undefined ? '' : textOfNodes(cell.nodes)));
  return `${titles}\n${values.join('\n')}`;
}
