import type { BlockNode, DocumentNode, DocumentRef } from '../document/document-model.js';
import { emojiCharacter } from '../markdown/emoji.js';
import type { Align } from '../markdown/syntax.js';
import { addressOfRef, refOfAddress } from './link-targets.js';
import { code, divider, heading, item, type ListType, list, quote, table, textParagraph } from './text-blocks.js';
import { inlineText, leafOf, linkOf, type MarkType, markTypes } from './text-inlines.js';

/** Says why a document is not taken. */
export class RefusedDocument extends Error {}

const maxLevels = 50;
const maxNodes = 2000;
const maxCharacters = 20_000;

/** Where in the document is read, and what is left of its bounds. */
interface Spot {
  path: string;
  level: number;
  left: { nodes: number; characters: number };
}

type Fields = Record<string, unknown>;

/** The blocks of a document that a client sent, without what texts do not have. Throws `RefusedDocument`. */
export function readTextDocument(document: unknown): BlockNode[] {
  const spot: Spot = { path: 'document', level: 0, left: { nodes: maxNodes, characters: maxCharacters } };
  const root = fieldsOf(document, spot);
  if (root.object !== 'document') refuse(at(spot, 'object'), 'must be "document"');
  return blocksOf(root, spot);
}

function refuse(spot: Spot, why: string): never {
  throw new RefusedDocument(`${spot.path}: ${why}`);
}

const at = (spot: Spot, ...steps: (string | number)[]): Spot => ({ ...spot, path: [spot.path, ...steps].join('.') });

function fieldsOf(value: unknown, spot: Spot): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(spot, 'must be an object');
  return value as Fields;
}

function listOf(fields: Fields, name: string, spot: Spot): unknown[] {
  const value = fields[name];
  if (!Array.isArray(value)) refuse(at(spot, name), value === undefined ? 'required' : 'must be a list');
  return value;
}

function textOf(fields: Fields, name: string, spot: Spot): string {
  const value = fields[name];
  if (typeof value !== 'string') refuse(at(spot, name), value === undefined ? 'required' : 'must be a text');
  return value;
}

const dataOf = (node: Fields, spot: Spot) => (node.data === undefined ? {} : fieldsOf(node.data, at(spot, 'data')));

/** The nodes inside a node, each with its place. */
function nodesIn<T>(node: Fields, spot: Spot, read: (child: Fields, spot: Spot) => T): T[] {
  const level = spot.level + 1;
  if (level > maxLevels) refuse(spot, `more than ${maxLevels} levels`);
  if (node.isVoid !== undefined && node.isVoid !== false) refuse(at(spot, 'isVoid'), 'must be false');
  return listOf(node, 'nodes', spot).map((child, index) => {
    const place = { ...at(spot, 'nodes', index), level };
    if (--spot.left.nodes < 0) refuse(place, `more than ${maxNodes} nodes`);
    return read(fieldsOf(child, place), place);
  });
}

function checkVoid(node: Fields, spot: Spot): void {
  if (node.isVoid === false) refuse(at(spot, 'isVoid'), 'must be true');
  const { nodes } = node;
  if (nodes !== undefined && !(Array.isArray(nodes) && nodes.every(isEmptyText)))
    refuse(at(spot, 'nodes'), 'must be empty');
}

/** Editors keep an empty text in void nodes. */
function isEmptyText(node: unknown): boolean {
  const { object, leaves } = (node ?? {}) as Fields;
  return object === 'text' && Array.isArray(leaves) && leaves.every((leaf) => ((leaf ?? {}) as Fields).text === '');
}

const blocksOf = (node: Fields, spot: Spot) => nodesIn(node, spot, blockOf);

function typeOf(node: Fields, spot: Spot, object: 'block' | 'inline'): string {
  if (node.object !== object) refuse(at(spot, 'object'), `must be "${object}"`);
  return textOf(node, 'type', spot);
}

function blockOf(node: Fields, spot: Spot): BlockNode {
  const type = typeOf(node, spot, 'block');
  const data = dataOf(node, spot);
  switch (type) {
    case 'paragraph':
      return textParagraph(inlinesOf(node, spot));
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return heading(Number(type.at(-1)), inlinesOf(node, spot));
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
      return listBlock(node, type, spot);
    case 'blockquote':
      return quote(blocksOf(node, spot));
    case 'code':
      return code(
        data.syntax === undefined ? '' : textOf(data, 'syntax', at(spot, 'data')),
        nodesIn(node, spot, codeLine).flatMap((line) => line.split(/\r\n?|\n/)),
      );
    case 'divider':
      checkVoid(node, spot);
      return divider();
    case 'table':
      return tableBlock(node, data, spot);
    default:
      refuse(at(spot, 'type'), `texts have no blocks of the type ${JSON.stringify(type.slice(0, 50))}`);
  }
}

function listBlock(node: Fields, type: ListType, spot: Spot): BlockNode {
  const { start = 1 } = dataOf(node, spot);
  if (type === 'list-ordered' && !(Number.isInteger(start) && Number(start) >= 0 && Number(start) < 1_000_000_000))
    refuse(at(spot, 'data', 'start'), 'must be a whole number from 0 to 999,999,999');
  const items = nodesIn(node, spot, listItem);
  if (items.length === 0) refuse(at(spot, 'nodes'), 'must not be empty');
  return list(type, Number(start), items);
}

function listItem(node: Fields, spot: Spot): BlockNode {
  if (typeOf(node, spot, 'block') !== 'list-item') refuse(at(spot, 'type'), 'must be "list-item"');
  const { checked } = dataOf(node, spot);
  if (checked !== undefined && typeof checked !== 'boolean')
    refuse(at(spot, 'data', 'checked'), 'must be true or false');
  return item(blocksOf(node, spot), checked);
}

function codeLine(node: Fields, spot: Spot): string {
  if (typeOf(node, spot, 'block') !== 'code-line') refuse(at(spot, 'type'), 'must be "code-line"');
  return nodesIn(node, spot, (child, place) => {
    if (child.object !== 'text') refuse(at(place, 'object'), 'must be "text": lines of code hold text alone');
    return inlineText([textNode(child, place)]);
  }).join('');
}

const inlinesOf = (node: Fields, spot: Spot): DocumentNode[] =>
  nodesIn(node, spot, (child, place) => (child.object === 'text' ? textNode(child, place) : inlineOf(child, place)));

function textNode(node: Fields, spot: Spot): DocumentNode {
  const leaves = listOf(node, 'leaves', spot).map((given, index) => {
    const place = at(spot, 'leaves', index);
    const leaf = fieldsOf(given, place);
    const value = textOf(leaf, 'text', place);
    // As schemas count: emoji are one.
    spot.left.characters -= [...value].length;
    if (spot.left.characters < 0) refuse(place, `more than ${maxCharacters.toLocaleString('en')} characters of text`);
    return leafOf(value, marksOf(leaf, place));
  });
  return { object: 'text', leaves };
}

function marksOf(leaf: Fields, spot: Spot): Set<MarkType> {
  const marks = leaf.marks === undefined ? [] : listOf(leaf, 'marks', spot);
  return new Set(
    marks.map((mark, index) => {
      const place = at(spot, 'marks', index);
      const type = textOf(fieldsOf(mark, place), 'type', place);
      const known = markTypes.find((other) => other === type);
      return known ?? refuse(at(place, 'type'), `texts have no marks of the type ${JSON.stringify(type.slice(0, 50))}`);
    }),
  );
}

function inlineOf(node: Fields, spot: Spot): DocumentNode {
  const type = typeOf(node, spot, 'inline');
  const data = dataOf(node, spot);
  switch (type) {
    case 'link':
      return linkOf(refOf(data, spot), nodesIn(node, spot, linkText));
    case 'mention': {
      checkVoid(node, spot);
      const ref = refOf(data, spot);
      return ref.kind === 'user' ? linkOf(ref, []) : refuse(at(spot, 'data', 'ref', 'kind'), 'must be "user"');
    }
    case 'emoji':
      checkVoid(node, spot);
      return { object: 'text', leaves: [leafOf(emojiCharacter(textOf(data, 'code', at(spot, 'data'))), new Set())] };
    default:
      refuse(at(spot, 'type'), `texts have no inlines of the type ${JSON.stringify(type.slice(0, 50))}`);
  }
}

function linkText(node: Fields, spot: Spot): DocumentNode {
  if (node.object === 'inline' && node.type === 'emoji') return inlineOf(node, spot);
  if (node.object !== 'text') refuse(at(spot, 'object'), 'must be "text": links hold text alone');
  return textNode(node, spot);
}

/** The target of a link, as its address gives it. */
function refOf(data: Fields, within: Spot): DocumentRef {
  const spot = at(within, 'data', 'ref');
  const ref = fieldsOf(data.ref, spot);
  const kind = textOf(ref, 'kind', spot);
  const named = { url: 'url', user: 'user', page: 'page', space: 'space', collection: 'collection', file: 'file' };
  const field = Object.hasOwn(named, kind) ? named[kind as keyof typeof named] : undefined;
  if (field === undefined)
    refuse(at(spot, 'kind'), `texts have no links to targets of the kind ${JSON.stringify(kind.slice(0, 50))}`);
  const value = textOf(ref, field, spot);
  const space = ref.kind === 'page' && ref.space !== undefined ? { space: textOf(ref, 'space', spot) } : {};
  const address = addressOfRef({ kind, [field]: value, ...space } as DocumentRef) ?? '';
  const found = refOfAddress(address);
  if (found && (kind === 'url' || found.kind === kind)) return found;
  if (kind !== 'url') refuse(at(spot, field), 'must be an id of letters and digits, at most 40');
  refuse(
    at(spot, field),
    'must be an address of http, https or mailto, or a relative one, of at most 2,048 characters',
  );
}

function tableBlock(node: Fields, data: Fields, spot: Spot): BlockNode {
  checkVoid(node, spot);
  const place = at(spot, 'data');
  const view = fieldsOf(data.view, at(place, 'view'));
  if (view.type !== 'grid') refuse(at(place, 'view', 'type'), 'must be "grid"');
  const definition = fieldsOf(data.definition, at(place, 'definition'));
  const ids = listOf(view, 'columns', at(place, 'view')).map(String);
  if (ids.length === 0) refuse(at(place, 'view', 'columns'), 'must not be empty');
  const columns = ids.map((id) => columnOf(own(definition, id), at(place, 'definition', id)));
  const cells = cellsOf(node, spot);
  const records = Object.entries(fieldsOf(data.records, at(place, 'records'))).map(([id, given]) => {
    const record = fieldsOf(given, at(place, 'records', id));
    const values = fieldsOf(record.values, at(place, 'records', id, 'values'));
    const row = ids.map((column) => cells.get(String(own(values, column))) ?? []);
    return { order: String(record.orderIndex ?? ''), row };
  });
  const inOrder = records.sort((one, other) => (one.order < other.order ? -1 : one.order > other.order ? 1 : 0));
  // Cells that several rows name, and rows without cells, cost as much as those that are sent.
  spot.left.nodes -= ids.length * (records.length + 1);
  if (spot.left.nodes < 0) refuse(spot, `more than ${maxNodes} nodes`);
  return table(
    columns,
    inOrder.map(({ row }) => row),
  );
}

const own = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);

function columnOf(given: unknown, spot: Spot): { title: string; align: Align } {
  const column = fieldsOf(given, spot);
  if (column.type !== 'text') refuse(at(spot, 'type'), 'must be "text"');
  const title = textOf(column, 'title', spot);
  spot.left.characters -= [...title].length;
  if (spot.left.characters < 0) refuse(spot, `more than ${maxCharacters.toLocaleString('en')} characters of text`);
  const { textAlignment } = column;
  return { title, align: textAlignment === 'center' || textAlignment === 'right' ? textAlignment : undefined };
}

/** The cells of a table by their names: each is a paragraph. */
function cellsOf(node: Fields, spot: Spot): Map<string, DocumentNode[]> {
  const cells = new Map<string, DocumentNode[]>();
  const fragments = node.fragments === undefined ? [] : listOf(node, 'fragments', spot);
  for (const [index, given] of fragments.entries()) {
    const place = at(spot, 'fragments', index);
    const part = fieldsOf(given, place);
    const [nodes, ...more] = nodesIn(part, { ...place, level: spot.level + 1 }, (child, within) => {
      if (typeOf(child, within, 'block') !== 'paragraph') refuse(at(within, 'type'), 'must be "paragraph"');
      return inlinesOf(child, within);
    });
    if (more.length > 0) refuse(at(place, 'nodes'), 'cells hold one paragraph');
    cells.set(textOf(part, 'fragment', place), nodes ?? []);
  }
  return cells;
}
