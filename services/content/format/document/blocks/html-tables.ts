import type { Element, Node } from '../../markdown/nesting.js';
import { isBlank, textOfNodes } from '../../markdown/source-text.js';
import { blocksOf, type Context, refOfUrl } from '../context/context.js';
import type { BlockNode, Data, DocumentRef } from '../document-model.js';
import { type Cell, newContentIds, type TableColumn, tableBlock, textColumn } from './tables.js';

interface Head {
  column: TableColumn;
  attributes: Record<string, string>;
}

/** `<table>`: a grid, or cards with `data-view="cards"`. Content outside the rows is put after it. */
export function htmlTableBlocks(table: Element, context: Context, depth: number): BlockNode[] {
  const rows: Element[] = [];
  const loose: Node[] = [];
  collectRows(table.children, rows, loose);
  const rest = blocksOf(loose, context, depth);
  if (rows.length === 0) return rest;
  const grid = gridOfCells(rows);
  const heads = takeColumnHeads(grid);
  const columns = heads.map((head) => head.column);
  const cells = grid.map((row) => row.map((cell, at) => readCell(cell, heads[at], context)));
  convertImageColumns(heads, cells);
  const made = tableBlock(
    context,
    { columns, rows: cells, view: () => tableViewOf(table, heads), data: fullWidthData(table) },
    depth,
  );
  return [made, ...rest];
}

function collectRows(nodes: Node[], rows: Element[], loose: Node[]): void {
  for (const node of nodes) {
    if (node.kind !== 'element') loose.push(node);
    else if (node.name === 'tr') rows.push(node);
    else if (node.name === 'thead') collectRows(node.children.map(toHeaderCells), rows, loose);
    else if (node.name === 'tbody' || node.name === 'tfoot') collectRows(node.children, rows, loose);
    else if (node.name === 'td' || node.name === 'th') rows.push({ ...node, name: 'tr', children: [node] });
    else loose.push(node);
  }
}

/** In the head of a table, `<td>` is a title too. */
function toHeaderCells(node: Node): Node {
  if (node.kind !== 'element' || (node.name !== 'tr' && node.name !== 'td')) return node;
  return node.name === 'td' ? { ...node, name: 'th' } : { ...node, children: node.children.map(toHeaderCells) };
}

/** Cells of one table that stand empty because another reaches over them. */
const maxCovered = 20_000;

/** The cells by row and column. A document has no cells over several columns or rows: what they cover is empty. */
function gridOfCells(rows: Element[]): Element[][] {
  let room = maxCovered;
  /** The number of rows below that are covered, by column. */
  const below: number[] = [];
  const isCovered = (at: number) => (below[at] ?? 0) > 0 && room-- > 0;
  const readSpan = (length: string | undefined) => {
    const span = Math.min(Number.parseInt(length ?? '', 10) || 1, room);
    return Math.max(span, 1);
  };
  return rows.map((row) => {
    const placed: Element[] = [];
    const skipCovered = () => {
      while (isCovered(placed.length)) {
        below[placed.length] = (below[placed.length] as number) - 1;
        placed.push(emptyCell('td'));
      }
    };
    for (const cell of cellsOfRow(row)) {
      skipCovered();
      const [across, down] = [readSpan(cell.attributes.colspan), readSpan(cell.attributes.rowspan)];
      for (let at = 0; at < across; at++) {
        below[placed.length] = down - 1;
        placed.push(at === 0 ? cell : emptyCell(cell.name));
      }
      room -= across - 1;
    }
    skipCovered();
    return placed;
  });
}

const emptyCell = (name: string): Element => ({ kind: 'element', name, attributes: {}, children: [] });

function cellsOfRow(row: Element): Element[] {
  const cells: Element[] = [];
  for (const node of row.children) {
    if (node.kind === 'element' && (node.name === 'td' || node.name === 'th')) cells.push(node);
    else if (!isBlank([node])) cells.push({ kind: 'element', name: 'td', attributes: {}, children: [node] });
  }
  return cells;
}

/** Removes the header row. Columns without a header cell have no title. */
function takeColumnHeads(grid: Element[][]): Head[] {
  const first = grid[0] ?? [];
  const header = first.length > 0 && first.every((cell) => cell.name === 'th') ? first : [];
  if (header.length > 0) grid.shift();
  const ids = newContentIds();
  const width = grid.reduce((max, row) => Math.max(max, row.length), header.length);
  return Array.from({ length: width }, (_, at) =>
    readColumnHead(header[at] ?? { ...emptyCell('th'), ...commonAlignment(grid, at) }, ids),
  );
}

/** The alignment that all cells of a column without a title have. */
function commonAlignment(grid: Element[][], at: number): Pick<Element, 'attributes'> {
  const align = grid[0]?.[at]?.attributes.align;
  const isCommon =
    align !== undefined && grid.every((row) => row[at] === undefined || row[at].attributes.align === align);
  return { attributes: isCommon ? { align } : {} };
}

function readColumnHead({ attributes, children }: Element, ids: (text: string) => string): Head {
  const select = children.find((child) => child.kind === 'element' && child.name === 'select');
  const title = textOfNodes(children.filter((child) => child !== select));
  const column = textColumn(ids, title, attributes.align);
  const base = { id: column.id, title: column.definition.title };
  const type = attributes['data-type'] ?? (select ? 'select' : 'text');
  const { valign } = attributes;
  if (valign === 'top' || valign === 'middle' || valign === 'bottom') column.definition.verticalAlignment = valign;
  if (type !== 'text')
    column.definition = {
      ...base,
      type: Object.hasOwn(READERS, type) ? type : 'text',
      ...columnTypeData(type, attributes, select),
    };
  if (column.definition.type === 'text') column.definition.textAlignment ??= 'left';
  return { column, attributes };
}

function columnTypeData(type: string, attributes: Record<string, string>, select: Node | undefined): Data {
  const multiple = 'data-multiple' in attributes || (select?.kind === 'element' && 'multiple' in select.attributes);
  if (type === 'rating') return { max: Number.parseInt(attributes['data-max'] ?? '5', 10) || 5 };
  if (type === 'users') return { multiple };
  if (type !== 'select') return {};
  const options = select?.kind === 'element' ? select.children.filter((child) => child.kind === 'element') : [];
  return {
    multiple,
    options: options.map((option) => {
      const label = option.attributes.label ?? textOfNodes(option.children).trim();
      return { value: option.attributes.value ?? label, label, color: option.attributes.color ?? 'default' };
    }),
  };
}

/** Reads a cell by the type of its column; undefined when the cell holds no such value. */
const READERS: Record<string, (cell: Element, context: Context) => unknown> = {
  number: (cell) => readNumber(textOfNodes(cell.children)),
  rating: (cell) => readNumber(textOfNodes(cell.children)),
  checkbox: (cell) => {
    const box = firstNamed(cell.children, 'input');
    return box ? 'checked' in box.attributes : /^\s*(?:true|yes|x|✓|✔|☑|✅)/iu.test(textOfNodes(cell.children));
  },
  select: (cell) =>
    elementsNamed(cell.children, 'span')
      .map((span) => span.attributes['data-option'])
      .filter((option) => option !== undefined),
  files: (cell, context) => urlsInCell(cell).map((url) => refOfUrl(context, url, 'file')),
  users: (cell, context) =>
    urlsInCell(cell).map((url) => {
      const ref = refOfUrl(context, url, 'mention');
      return ref.kind === 'user' ? ref.user : url;
    }),
  image: (cell, context) => {
    const [url] = urlsInCell(cell);
    return url === undefined ? undefined : refOfUrl(context, url, 'image');
  },
  'content-ref': (cell, context) => {
    const [url] = urlsInCell(cell);
    return url === undefined ? undefined : refOfUrl(context, url, 'content-ref');
  },
};

function readCell(cell: Element, head: Head | undefined, context: Context): Cell {
  const type = head?.column.definition.type ?? 'text';
  if (type === 'text') return { nodes: cell.children };
  const value = READERS[type]?.(cell, context);
  return { nodes: cell.children, value: value ?? (isBlank(cell.children) ? null : textOfNodes(cell.children).trim()) };
}

function readNumber(text: string): number | undefined {
  const value = Number(text.trim());
  return text.trim() === '' || Number.isNaN(value) ? undefined : value;
}

/** A column of `files` holds file ids. When a cell is not a file of the space (a cover by URL), it becomes a column of images. */
function convertImageColumns(heads: Head[], rows: Cell[][]): void {
  const columns = new Map<number, Cell[]>();
  for (const row of rows) {
    for (const [at, cell] of row.entries()) {
      if (heads[at]?.column.definition.type !== 'files' || !Array.isArray(cell.value)) continue;
      const cells = columns.get(at);
      if (cells) cells.push(cell);
      else columns.set(at, [cell]);
    }
  }
  for (const [at, cells] of columns) {
    const refs = cells.map((cell) => cell.value as DocumentRef[]);
    const images =
      refs.some((list) => list.some((ref) => ref.kind !== 'file')) && refs.every((list) => list.length <= 1);
    const column = heads[at]?.column;
    if (images && column) column.definition.type = 'image';
    for (const [index, cell] of cells.entries()) {
      const list = refs[index] ?? [];
      cell.value = images ? (list[0] ?? null) : list.map(fileOrUrlOf);
    }
  }
}

const fileOrUrlOf = (ref: DocumentRef) => (ref.kind === 'file' ? ref.file : ref.kind === 'url' ? ref.url : '');

function tableViewOf(table: Element, heads: Head[]): Data {
  const { attributes } = table;
  const columns = heads.filter((head) => !('data-hidden' in head.attributes)).map((head) => head.column.id);
  const columnWith = (attribute: string) => heads.find((head) => attribute in head.attributes)?.column.id;
  if (attributes['data-view'] === 'cards') {
    const view: Data = {
      type: 'cards',
      cardSize: attributes['data-card-size'] === 'large' ? 'large' : 'medium',
      columns,
    };
    const [target, cover, dark] = [
      columnWith('data-card-target'),
      columnWith('data-card-cover'),
      columnWith('data-card-cover-dark'),
    ];
    if (target) view.targetDefinition = target;
    if (cover) view.coverDefinition = cover;
    if (dark) view.coverDefinitionDark = dark;
    if ('data-column-title-hidden' in attributes) view.hideColumnTitle = true;
    return view;
  }
  const widths = heads.map((head) => [head.column.id, Number.parseFloat(head.attributes.width ?? '')] as const);
  const known = widths.filter(([, width]) => width > 0);
  const hideHeader = 'data-header-hidden' in attributes || heads.every((head) => head.column.definition.title === '');
  const view: Data = { type: 'grid', columns, hideHeader };
  if (known.length > 0) view.columnWidths = Object.fromEntries(known);
  return view;
}

function fullWidthData(table: Element): Data {
  return table.attributes['data-full-width'] === 'true' ? { fullWidth: true } : {};
}

/** The URLs of the links and images in a cell. */
function urlsInCell(cell: Element): string[] {
  const urls: string[] = [];
  for (const node of walkNodes(cell.children)) {
    if (node.kind === 'link' || node.kind === 'image') urls.push(node.url);
    else if (node.kind === 'element') {
      const url = node.name === 'a' ? node.attributes.href : node.name === 'img' ? node.attributes.src : undefined;
      if (url !== undefined) urls.push(url);
    }
  }
  return urls;
}

const elementsNamed = (nodes: Node[], name: string) =>
  [...walkNodes(nodes)].filter((node): node is Element => node.kind === 'element' && node.name === name);

const firstNamed = (nodes: Node[], name: string) => elementsNamed(nodes, name)[0];

function* walkNodes(nodes: Node[]): Generator<Node> {
  for (const node of nodes) {
    yield node;
    if (node.kind === 'element') yield* walkNodes(node.children);
  }
}
