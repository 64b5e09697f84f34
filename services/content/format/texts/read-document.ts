import type { BlockNode, DocumentNode, DocumentRef } from '../document/document-model.js';
import { emojiCharacter } from '../markdown/emoji.js';
import type { Align } from '../markdown/syntax.js';
import { addressOfRef, refOfAddress } from './link-targets.js';
import {
  type ListType,
  textCode,
  textDivider,
  textHeading,
  textList,
  textListItem,
  textParagraph,
  textQuote,
  textTable,
} from './text-blocks.js';
import { inlineText, type MarkType, markTypes, newLeaf, newLink } from './text-inlines.js';

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
export function checkSentDocument(document: unknown): BlockNode[] {
  const spot: Spot = { path: 'document', level: 0, left: { nodes: maxNodes, characters: maxCharacters } };
  const root = checkFields(document, spot);
  if (root.object !== 'document') refuseAt(spotAt(spot, 'object'), 'must be "document"');
  return readBlocks(root, spot);
}

function refuseAt(spot: Spot, why: string): never {
  throw new RefusedDocument(`${spot.path}: ${why}`);
}

const spotAt = (spot: Spot, ...steps: (string | number)[]): Spot => ({
  ...spot,
  path: [spot.path, ...steps].join('.'),
});

function checkFields(value: unknown, spot: Spot): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuseAt(spot, 'must be an object');
  return value as Fields;
}

function checkList(fields: Fields, name: string, spot: Spot): unknown[] {
  const value = fields[name];
  if (!Array.isArray(value)) refuseAt(spotAt(spot, name), value === undefined ? 'required' : 'must be a list');
  return value;
}

function checkText(fields: Fields, name: string, spot: Spot): string {
  const value = fields[name];
  if (typeof value !== 'string') refuseAt(spotAt(spot, name), value === undefined ? 'required' : 'must be a text');
  return value;
}

const checkData = (node: Fields, spot: Spot) =>
  node.data === undefined ? {} : checkFields(node.data, spotAt(spot, 'data'));

/** The nodes inside a node, each with its place. */
function readNodes<T>(node: Fields, spot: Spot, read: (child: Fields, spot: Spot) => T): T[] {
  const level = spot.level + 1;
  if (level > maxLevels) refuseAt(spot, `more than ${maxLevels} levels`);
  if (node.isVoid !== undefined && node.isVoid !== false) refuseAt(spotAt(spot, 'isVoid'), 'must be false');
  return checkList(node, 'nodes', spot).map((child, index) => {
    const place = { ...spotAt(spot, 'nodes', index), level };
    if (--spot.left.nodes < 0) refuseAt(place, `more than ${maxNodes} nodes`);
    return read(checkFields(child, place), place);
  });
}

function checkVoid(node: Fields, spot: Spot): void {
  if (node.isVoid === false) refuseAt(spotAt(spot, 'isVoid'), 'must be true');
  const { nodes } = node;
  if (nodes !== undefined && !(Array.isArray(nodes) && nodes.every(isEmptyText)))
    refuseAt(spotAt(spot, 'nodes'), 'must be empty');
}

/** Editors keep an empty text in void nodes. */
function isEmptyText(node: unknown): boolean {
  const { object, leaves } = (node ?? {}) as Fields;
  return object === 'text' && Array.isArray(leaves) && leaves.every((leaf) => ((leaf ?? {}) as Fields).text === '');
}

const readBlocks = (node: Fields, spot: Spot) => readNodes(node, spot, readBlock);

function checkType(node: Fields, spot: Spot, object: 'block' | 'inline'): string {
  if (node.object !== object) refuseAt(spotAt(spot, 'object'), `must be "${object}"`);
  return checkText(node, 'type', spot);
}

function readBlock(node: Fields, spot: Spot): BlockNode {
  const type = checkType(node, spot, 'block');
  const data = checkData(node, spot);
  switch (type) {
    case 'paragraph':
      return textParagraph(readInlines(node, spot));
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return textHeading(Number(type.at(-1)), readInlines(node, spot));
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
      return readList(node, type, spot);
    case 'blockquote':
      return textQuote(readBlocks(node, spot));
    case 'code':
      return textCode(
        data.syntax === undefined ? '' : checkText(data, 'syntax', spotAt(spot, 'data')),
        readNodes(node, spot, readCodeLine).flatMap((line) => line.split(/\r\n?|\n/)),
      );
    case 'divider':
      checkVoid(node, spot);
      return textDivider();
    case 'table':
      return readTable(node, data, spot);
    default:
      refuseAt(spotAt(spot, 'type'), `texts have no blocks of the type ${JSON.stringify(type.slice(0, 50))}`);
  }
}

function readList(node: Fields, type: ListType, spot: Spot): BlockNode {
  const { start = 1 } = checkData(node, spot);
  if (type === 'list-ordered' && !(Number.isInteger(start) && Number(start) >= 0 && Number(start) < 1_000_000_000))
    refuseAt(spotAt(spot, 'data', 'start'), 'must be a whole number from 0 to 999,999,999');
  const items = readNodes(node, spot, readListItem);
  if (items.length === 0) refuseAt(spotAt(spot, 'nodes'), 'must not be empty');
  return textList(type, Number(start), items);
}

function readListItem(node: Fields, spot: Spot): BlockNode {
  if (checkType(node, spot, 'block') !== 'list-item') refuseAt(spotAt(spot, 'type'), 'must be "list-item"');
  const { checked } = checkData(node, spot);
  if (checked !== undefined && typeof checked !== 'boolean')
    refuseAt(spotAt(spot, 'data', 'checked'), 'must be true or false');
  return textListItem(readBlocks(node, spot), checked);
}

function readCodeLine(node: Fields, spot: Spot): string {
  if (checkType(node, spot, 'block') !== 'code-line') refuseAt(spotAt(spot, 'type'), 'must be "code-line"');
  return readNodes(node, spot, (child, place) => {
    if (child.object !== 'text') refuseAt(spotAt(place, 'object'), 'must be "text": lines of code hold text alone');
    return inlineText([readTextNode(child, place)]);
  }).join('');
}

const readInlines = (node: Fields, spot: Spot): DocumentNode[] =>
  readNodes(node, spot, (child, place) =>
    child.object === 'text' ? readTextNode(child, place) : readInline(child, place),
  );

function readTextNode(node: Fields, spot: Spot): DocumentNode {
  const leaves = checkList(node, 'leaves', spot).map((given, index) => {
    const place = spotAt(spot, 'leaves', index);
    const leaf = checkFields(given, place);
    const value = checkText(leaf, 'text', place);
    // As schemas count: emoji are one.
    spot.left.characters -= [...value].length;
    if (spot.left.characters < 0) refuseAt(place, `more than ${maxCharacters.toLocaleString('en')} characters of text`);
    return newLeaf(value, readMarks(leaf, place));
  });
  return { object: 'text', leaves };
}

function readMarks(leaf: Fields, spot: Spot): Set<MarkType> {
  const marks = leaf.marks === undefined ? [] : checkList(leaf, 'marks', spot);
  return new Set(
    marks.map((mark, index) => {
      const place = spotAt(spot, 'marks', index);
      const type = checkText(checkFields(mark, place), 'type', place);
      const known = markTypes.find((other) => other === type);
      return (
        known ?? refuseAt(spotAt(place, 'type'), `texts have no marks of the type ${JSON.stringify(type.slice(0, 50))}`)
      );
    }),
  );
}

function readInline(node: Fields, spot: Spot): DocumentNode {
  const type = checkType(node, spot, 'inline');
  const data = checkData(node, spot);
  switch (type) {
    case 'link':
      return newLink(readLinkRef(data, spot), readNodes(node, spot, readLinkText));
    case 'mention': {
      checkVoid(node, spot);
      const ref = readLinkRef(data, spot);
      return ref.kind === 'user' ? newLink(ref, []) : refuseAt(spotAt(spot, 'data', 'ref', 'kind'), 'must be "user"');
    }
    case 'emoji':
      checkVoid(node, spot);
      return {
        object: 'text',
        leaves: [newLeaf(emojiCharacter(checkText(data, 'code', spotAt(spot, 'data'))), new Set())],
      };
    default:
      refuseAt(spotAt(spot, 'type'), `texts have no inlines of the type ${JSON.stringify(type.slice(0, 50))}`);
  }
}

function readLinkText(node: Fields, spot: Spot): DocumentNode {
  if (node.object === 'inline' && node.type === 'emoji') return readInline(node, spot);
  if (node.object !== 'text') refuseAt(spotAt(spot, 'object'), 'must be "text": links hold text alone');
  return readTextNode(node, spot);
}

/** The target of a link, as its address gives it. */
function readLinkRef(data: Fields, within: Spot): DocumentRef {
  const spot = spotAt(within, 'data', 'ref');
  const ref = checkFields(data.ref, spot);
  const kind = checkText(ref, 'kind', spot);
  const named = { url: 'url', user: 'user', page: 'page', space: 'space', collection: 'collection', file: 'file' };
  const field = Object.hasOwn(named, kind) ? named[kind as keyof typeof named] : undefined;
  if (field === undefined)
    refuseAt(spotAt(spot, 'kind'), `texts have no links to targets of the kind ${JSON.stringify(kind.slice(0, 50))}`);
  const value = checkText(ref, field, spot);
  const space = ref.kind === 'page' && ref.space !== undefined ? { space: checkText(ref, 'space', spot) } : {};
  const address = addressOfRef({ kind, [field]: value, ...space } as DocumentRef) ?? '';
  const found = refOfAddress(address);
  if (found && (kind === 'url' || found.kind === kind)) return found;
  if (kind !== 'url') refuseAt(spotAt(spot, field), 'must be an id of letters and digits, at most 40');
  refuseAt(
    spotAt(spot, field),
    'must be an address of http, https or mailto, or a relative one, of at most 2,048 characters',
  );
}

function readTable(node: Fields, data: Fields, spot: Spot): BlockNode {
  checkVoid(node, spot);
  const place = spotAt(spot, 'data');
  const view = checkFields(data.view, spotAt(place, 'view'));
  if (view.type !== 'grid') refuseAt(spotAt(place, 'view', 'type'), 'must be "grid"');
  const definition = checkFields(data.definition, spotAt(place, 'definition'));
  const ids = checkList(view, 'columns', spotAt(place, 'view')).map(String);
  if (ids.length === 0) refuseAt(spotAt(place, 'view', 'columns'), 'must not be empty');
  const columns = ids.map((id) => readColumn(ownField(definition, id), spotAt(place, 'definition', id)));
  const cells = readCells(node, spot);
  const records = Object.entries(checkFields(data.records, spotAt(place, 'records'))).map(([id, given]) => {
    const record = checkFields(given, spotAt(place, 'records', id));
    const values = checkFields(record.values, spotAt(place, 'records', id, 'values'));
    const row = ids.map((column) => cells.get(String(ownField(values, column))) ?? []);
    return { order: String(record.orderIndex ?? ''), row };
  });
  const inOrder = records.sort((one, other) => (one.order < other.order ? -1 : one.order > other.order ? 1 : 0));
  // Cells that several rows name, and rows without cells, cost as much as those that are sent.
  spot.left.nodes -= ids.length * (records.length + 1);
  if (spot.left.nodes < 0) refuseAt(spot, `more than ${maxNodes} nodes`);
  return textTable(
    columns,
    inOrder.map(({ row }) => row),
  );
}

const ownField = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);

function readColumn(given: unknown, spot: Spot): { title: string; align: Align } {
  const column = checkFields(given, spot);
  if (column.type !== 'text') refuseAt(spotAt(spot, 'type'), 'must be "text"');
  const title = checkText(column, 'title', spot);
  spot.left.characters -= [...title].length;
  if (spot.left.characters < 0) refuseAt(spot, `more than ${maxCharacters.toLocaleString('en')} characters of text`);
  const { textAlignment } = column;
  return { title, align: textAlignment === 'center' || textAlignment === 'right' ? textAlignment : undefined };
}

/** The cells of a table by their names: each is a paragraph. */
function readCells(node: Fields, spot: Spot): Map<string, DocumentNode[]> {
  const cells = new Map<string, DocumentNode[]>();
  const fragments = node.fragments === undefined ? [] : checkList(node, 'fragments', spot);
  for (const [index, given] of fragments.entries()) {
    const place = spotAt(spot, 'fragments', index);
    const part = checkFields(given, place);
    const [nodes, ...more] = readNodes(part, { ...place, level: spot.level + 1 }, (child, within) => {
      if (checkType(child, within, 'block') !== 'paragraph') refuseAt(spotAt(within, 'type'), 'must be "paragraph"');
      return readInlines(child, within);
    });
    if (more.length > 0) refuseAt(spotAt(place, 'nodes'), 'cells hold one paragraph');
    cells.set(checkText(part, 'fragment', place), nodes ?? []);
  }
  return cells;
}
