import { type Document, type Scalar, StoreDuplicate } from '../port.js';
import { conditionSql, pathSql } from './conditions.js';
import { type Connection, type Fragment, quoteName } from './connection.js';
import { lowerTexts, textsValue } from './contains.js';
import { type Clause, equalValues } from './filters.js';
import { findScope, makeScope } from './scopes.js';
import { type ContainsTable, type Context, completeOrder, type MultikeyTable, orderSql, type Table } from './table.js';
import { applyChanges, type Change, setAt } from './updates.js';
import { boundValue, isScalar, valueAt } from './values.js';

/** A document with its row number, and as it is stored. */
export interface Held<D> {
  n: number;
  document: D;
  text: string;
}

/** The numbers of the matching rows. */
export function matchingRows(context: Context, clauses: Clause[]): number[] {
  const { sql, params } = matchingSql(context, clauses, 'd.n');
  return context.connection.all(sql, params).map((row) => Number(row[0]));
}

function matchingSql(context: Context, clauses: Clause[], columns: string, sort?: object): Fragment {
  const { table } = context;
  const where = conditionSql(context, clauses);
  const order = sort ? completeOrder(sort) : [];
  const keys = order.map(({ path }) => pathSql(table, path));
  const sorted = keys.length > 0 ? ` ORDER BY ${orderSql(keys, order)}` : '';
  return { sql: `SELECT ${columns} FROM ${table.sql} d WHERE ${where.sql}${sorted}`, params: where.params };
}

export function readHeld<D extends Document>({ connection, table }: Context, n: number): Held<D> | undefined {
  const row = connection.get(`SELECT doc FROM ${table.sql} WHERE n = ?`, [n]);
  return row && heldDocument(n, row[0]);
}

/** The first match in the order of `sort`, if given. */
export function readFirstHeld<D extends Document>(
  context: Context,
  clauses: Clause[],
  sort?: object,
): Held<D> | undefined {
  const { sql, params } = matchingSql(context, clauses, 'd.n, d.doc', sort);
  const row = context.connection.get(`${sql} LIMIT 1`, params);
  return row && heldDocument(Number(row[0]), row[1]);
}

/**
 * Every match, read when its turn comes; the one with an `_id` that the clauses name, at once. `counted` gets their number before the
 * first.
 */
export function* eachHeld(
  context: Context,
  clauses: Clause[],
  counted: (count: number) => void = () => {},
): Generator<Held<Document>> {
  if (equalValues(clauses).has('_id')) {
    const held = readFirstHeld(context, clauses);
    counted(held ? 1 : 0);
    if (held) yield held;
    return;
  }
  const rows = matchingRows(context, clauses);
  counted(rows.length);
  for (const n of rows) {
    const held = readHeld(context, n);
    if (held) yield held;
  }
}

function heldDocument<D extends Document>(n: number, doc: unknown): Held<D> {
  const text = String(doc);
  return { n, text, document: JSON.parse(text) as D };
}

/** Inserts a document; false when `skipExisting` is set and the `_id` exists. Throws StoreDuplicate. */
export function insertDocument(context: Context, document: Document, skipExisting = false): boolean {
  const { connection, table } = context;
  checkDocument(table, document);
  const unless = skipExisting ? ' ON CONFLICT (_id) DO NOTHING' : '';
  const sql = `INSERT INTO ${table.sql} (_id, doc) VALUES (?, ?)${unless}`;
  const { changes, rowid } = unlessTaken(table, () => connection.run(sql, [document._id, JSON.stringify(document)]));
  if (changes === 0) return false;
  context.derived.noteChange(table.name, document._id);
  indexDocument(context, rowid, document);
  return true;
}

/** Applies the changes and stores the document; returns it. Throws StoreDuplicate. */
export function changeDocument<D extends Document>(
  context: Context,
  { n, document, text: before }: Held<D>,
  changes: Change[],
): D {
  const { connection, table } = context;
  const sides = [...table.multikeys, ...table.contains];
  const held = sides.map((side) => sideValues(side, document));
  applyChanges(document, changes, false);
  const after = JSON.stringify(document);
  if (after === before) return document;
  checkDocument(table, document);
  context.derived.noteChange(table.name, document._id);
  unlessTaken(table, () => connection.run(`UPDATE ${table.sql} SET doc = ? WHERE n = ?`, [after, n]));
  sides.forEach((side, at) => {
    const was = held[at] ?? [];
    if (JSON.stringify(sideValues(side, document)) === JSON.stringify(was)) return;
    dropSide(connection, side, n, was);
    putSide(connection, side, n, document);
  });
  return document;
}

export function removeDocument(context: Context, n: number, known?: Held<Document>): void {
  const { connection, table, derived } = context;
  for (const side of table.multikeys) dropSide(connection, side, n);
  const isNeeded = table.contains.length > 0 || derived.concerns(table.name);
  const held = known ?? (isNeeded ? readHeld(context, n) : undefined);
  derived.noteChange(table.name, held?.document._id);
  if (held) for (const side of table.contains) dropSide(connection, side, n, sideValues(side, held.document));
  connection.run(`DELETE FROM ${table.sql} WHERE n = ?`, [n]);
}

/** Rows that are removed with one statement. */
const maxRemoved = 100;

/** Removes rows, some at once where nothing else is made of their documents. */
export function* removeRows(context: Context, rows: number[]): Generator<void, void> {
  const { connection, table, derived } = context;
  const hasSides = table.multikeys.length + table.contains.length > 0;
  for (let at = 0; at < rows.length; ) {
    if (hasSides || derived.concerns(table.name)) {
      removeDocument(context, rows[at] as number);
      at += 1;
    } else {
      const some = JSON.stringify(rows.slice(at, at + maxRemoved));
      derived.noteChange(table.name);
      connection.run(`DELETE FROM ${table.sql} WHERE n IN (SELECT value FROM json_each(?))`, [some]);
      at += maxRemoved;
    }
    yield;
  }
}

/** Changes the one match, or inserts the equalities of the filter with the changes applied. */
export function upsertDocument(context: Context, clauses: Clause[], changes: Change[]): Document {
  const fresh = pinnedDocument(clauses);
  const held = readFirstHeld(context, clauses);
  if (held) return changeDocument(context, held, changes);
  applyChanges(fresh, changes, true);
  insertDocument(context, fresh);
  return fresh;
}

/** Throws TypeError for an upsert whose new document would have no `_id`. */
export function checkUpsert(table: Table, clauses: Clause[], changes: Change[]): void {
  const id = equalValues(clauses).get('_id') ?? changes.find(({ path }) => path === '_id')?.operand;
  if (typeof id !== 'string' || id === '') throw new TypeError(`an upsert into ${table.name} needs a string _id`);
}

function pinnedDocument(clauses: Clause[]): Document {
  const document: Document = { _id: '' };
  for (const [path, value] of equalValues(clauses)) setAt(document, path, value);
  return document;
}

export function checkDocument(table: Table, document: Document): void {
  if (typeof document._id !== 'string' || document._id === '') throw new TypeError('a document needs a string _id');
  for (const name of Object.keys(document))
    if (name === '' || name.startsWith('$') || name.includes('.') || name.includes('\0'))
      throw new TypeError(`${JSON.stringify(name)} is not a field`);
  for (const path of table.columns)
    if (Array.isArray(valueAt(document, path)))
      throw new TypeError(`${path} of ${table.name} is under a key index and cannot hold a list`);
}

/** Puts the document into every side table. */
export function indexDocument({ connection, table }: Context, n: number, document: Document): void {
  for (const side of [...table.multikeys, ...table.contains]) putSide(connection, side, n, document);
}

type Side = MultikeyTable | ContainsTable;

const scalarAt = (document: Document, path: string): Scalar => {
  const value = valueAt(document, path);
  return isScalar(value) ? value : null;
};

/** The values of a document in a side table, before they are bound. */
function sideValues(side: Side, document: Document): Scalar[][] {
  const within = side.within.map((path) => scalarAt(document, path));
  if ('fields' in side) return [within, lowerTexts(side.fields.map((field) => valueAt(document, field)))];
  const value = valueAt(document, side.array);
  const items = (Array.isArray(value) ? value : [value]).filter((item) => isScalar(item) && item !== null);
  return [items, [...within, ...side.sort.map(({ path }) => scalarAt(document, path)), document._id]];
}

export function putSide(connection: Connection, side: Side, n: number, document: Document): void {
  const [first = [], second = []] = sideValues(side, document);
  if ('fields' in side) {
    if (second.length === 0) return;
    const scope = makeScope(connection, side.table, JSON.stringify(first));
    connection.run(`INSERT INTO ${quoteName(side.table)} VALUES (?, ?, ?)`, [scope, n, textsValue(second as string[])]);
    return;
  }
  for (const item of new Set(first)) {
    const values = [n, boundValue(item), ...second.map(boundValue)];
    connection.run(`INSERT INTO ${quoteName(side.table)} VALUES (${placeholders(values)})`, values);
  }
}

/** Removes a row from a side table. Texts are found by their scope, the first of `was`. */
function dropSide(connection: Connection, side: Side, n: number, was: Scalar[][] = []): void {
  if ('fields' in side) {
    const scope = findScope(connection, side.table, JSON.stringify(was[0]));
    if (scope !== undefined)
      connection.run(`DELETE FROM ${quoteName(side.table)} WHERE scope = ? AND n = ?`, [scope, n]);
    return;
  }
  connection.run(`DELETE FROM ${quoteName(side.table)} WHERE n = ?`, [n]);
}

const placeholders = (values: unknown[]) => values.map(() => '?').join(', ');

function unlessTaken<T>(table: Table, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw duplicateError(table, error) ?? error;
  }
}

/** SQLite names the columns: `UNIQUE constraint failed: notes.f.owner, notes.f.slug`. */
export function duplicateError(table: Table, error: unknown): StoreDuplicate | undefined {
  const message = error instanceof Error || isMessage(error) ? error.message : '';
  const failed = 'UNIQUE constraint failed: ';
  if (!message.startsWith(failed)) return undefined;
  const columns = message.slice(failed.length).split(', ');
  const fields = columns
    .map((column) => column.slice(table.name.length + 1))
    .map((column) => column.replace(/^f\./, ''));
  return new StoreDuplicate(table.name, fields);
}

// In a test runner, errors of a native module belong to another realm.
const isMessage = (error: unknown): error is { message: string } =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';
