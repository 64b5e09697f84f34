import type { Log } from '../../monitoring/log.js';
import type { Document } from '../port.js';
import { type Connection, quoteName } from './connection.js';
import { duplicateError, putSide } from './documents.js';
import { prepareScopes } from './scopes.js';
import { type ContainsTable, columnSql, type KeyTable, type MultikeyTable, orderSql, type Table } from './table.js';
import { jsonPath, valueSql } from './values.js';

/** Documents that are read at once to fill a side table. */
const CHUNK = 200;

/** Creates the missing table, columns, indexes and side tables, and drops those that are no longer declared. */
export function* prepareTable(connection: Connection, table: Table, log?: Pick<Log, 'info'>): Generator<void, void> {
  prepareScopes(connection);
  const columns = ['n INTEGER PRIMARY KEY', '_id TEXT NOT NULL UNIQUE', 'doc TEXT NOT NULL'];
  // All at once: each ALTER TABLE reads the whole schema again.
  const created = [...columns, ...[...table.columns].map(generatedColumn)].join(', ');
  connection.exec(`CREATE TABLE IF NOT EXISTS ${table.sql} (${created})`);
  const held = heldNames(connection, table);
  for (const name of held) if (!declaredTables(table).has(name)) dropDeclared(connection, name);
  addColumns(connection, table);
  for (const key of table.keys) {
    yield;
    if (!held.has(key.index)) addKey(connection, table, key);
  }
  for (const side of [...table.multikeys, ...table.contains]) {
    if (held.has(side.table)) continue;
    if ('fields' in side) addContains(connection, side);
    else addMultikey(connection, side);
    yield* fillSideTable(connection, table, side, log);
  }
}

const declaredTables = (table: Table) =>
  new Set([
    ...table.keys.map(({ index }) => index),
    ...[...table.multikeys, ...table.contains].map((side) => side.table),
  ]);

/** The existing indexes and side tables of a table. Tables that FTS5 made for those of older releases are dropped with them. */
function heldNames(connection: Connection, table: Table): Set<string> {
  const rows = connection.all(`SELECT name FROM sqlite_schema WHERE substr(name, 1, ?) = ?`, [
    table.name.length + 1,
    `${table.name}~`,
  ]);
  return new Set(rows.map(([name]) => String(name)).filter((name) => /~(key|items|text)~[0-9a-f]{8}$/.test(name)));
}

function dropDeclared(connection: Connection, name: string): void {
  const kind = name.includes('~key~') ? 'INDEX' : 'TABLE';
  connection.exec(`DROP ${kind} ${quoteName(name)}`);
  connection.run('DELETE FROM "~scopes" WHERE owner = ?', [name]);
}

const generatedColumn = (path: string) => `${columnSql(path)} GENERATED ALWAYS AS (${valueSql('doc', path)}) VIRTUAL`;

/** Adds the columns that a table of an earlier release lacks. */
function addColumns(connection: Connection, table: Table): void {
  const rows = connection.all(`SELECT name FROM pragma_table_xinfo(?)`, [table.name]);
  const held = new Set(rows.map(([name]) => quoteName(String(name))));
  for (const path of table.columns)
    if (!held.has(columnSql(path))) connection.exec(`ALTER TABLE ${table.sql} ADD COLUMN ${generatedColumn(path)}`);
}

function addKey(connection: Connection, table: Table, { index, on, unique, where }: KeyTable): void {
  for (const { path } of on) {
    const list = `SELECT 1 FROM ${table.sql} WHERE json_type(doc, ${jsonPath(path)}) = 'array' LIMIT 1`;
    if (connection.get(list))
      throw new TypeError(`${path} of ${table.name} holds lists, which a key index cannot take`);
  }
  // A unique index has only its own fields; any other ends with the tie-breaker.
  const order = unique ? on : [...on, { path: '_id', direction: on.at(-1)?.direction ?? 1 }];
  const keys = orderSql(
    order.map(({ path }) => columnSql(path)),
    order,
  );
  const partial = where === undefined ? '' : ` WHERE ${columnSql(where)} IS NOT NULL`;
  try {
    connection.exec(`CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quoteName(index)} ON ${table.sql} (${keys})${partial}`);
  } catch (error) {
    throw duplicateError(table, error) ?? error;
  }
}

function addMultikey(connection: Connection, { table, within, sort }: MultikeyTable): void {
  const columns = [...within, ...sort.map(({ path }) => path), '_id'].map(columnSql);
  const order = [...sort, { path: '_id', direction: sort.at(-1)?.direction ?? 1 }];
  const sorted = orderSql(columns.slice(within.length), order);
  const keys = [...within.map(columnSql), 'item', sorted].join(', ');
  connection.exec(
    `CREATE TABLE ${quoteName(table)} (n INTEGER, item, ${columns.join(', ')}, PRIMARY KEY (n, item)) WITHOUT ROWID`,
  );
  connection.exec(`CREATE INDEX ${quoteName(`${table}~order`)} ON ${quoteName(table)} (${keys})`);
}

/** The texts of a scope are adjacent, so scanning them all is one short walk. */
function addContains(connection: Connection, { table }: ContainsTable): void {
  connection.exec(
    `CREATE TABLE ${quoteName(table)} (scope INTEGER, n INTEGER, t BLOB, PRIMARY KEY (scope, n)) WITHOUT ROWID`,
  );
}

function* fillSideTable(
  connection: Connection,
  table: Table,
  side: MultikeyTable | ContainsTable,
  log?: Pick<Log, 'info'>,
): Generator<void, void> {
  let last = 0;
  let filled = 0;
  for (;;) {
    const rows = connection.all(`SELECT n, doc FROM ${table.sql} WHERE n > ? ORDER BY n LIMIT ?`, [last, CHUNK]);
    for (const [n, doc] of rows) {
      last = Number(n);
      putSide(connection, side, last, JSON.parse(String(doc)) as Document);
      yield;
    }
    filled += rows.length;
    if (rows.length < CHUNK) break;
  }
  if (filled > 0) log?.info({ collection: table.name, documents: filled }, 'built an index');
}
