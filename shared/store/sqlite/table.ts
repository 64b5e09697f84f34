import { createHash } from 'node:crypto';
import type { Collection, Direction } from '../port.js';
import { type Connection, quoteName } from './connection.js';
import type { DerivedValues } from './derived.js';
import { checkField, checkPath } from './values.js';

/** Paths and directions, in order. */
export type Order = { path: string; direction: Direction }[];

export interface KeyTable {
  index: string;
  on: Order;
  unique: boolean;
  where: string | undefined;
}

/** A side table with a row for each item of an array field. */
export interface MultikeyTable {
  table: string;
  array: string;
  within: string[];
  sort: Order;
}

/** A side table with the texts of each document, by their scope (the values of `within`) and row number. */
export interface ContainsTable {
  table: string;
  name: string;
  fields: string[];
  within: string[];
}

/** A collection in the database: a table, a virtual column for each path under a key index, and side tables. */
export interface Table {
  name: string;
  sql: string;
  columns: ReadonlySet<string>;
  keys: KeyTable[];
  multikeys: MultikeyTable[];
  contains: ContainsTable[];
}

/** Where a read or a write happens; in SQL `d` stands for the collection's table. */
export interface Context {
  connection: Connection;
  table: Table;
  derived: DerivedValues;
}

export function checkName(name: string): string {
  if (!/^[A-Za-z]\w*$/.test(name))
    throw new TypeError(`${JSON.stringify(name)} does not name a collection or an index`);
  return name;
}

/** The table of a collection. Names of indexes and side tables carry a hash of their declaration, so that a changed one is a new one. */
export function declaredTable(collection: Collection<never>): Table {
  const name = checkName(collection.name);
  const table: Table = { name, sql: quoteName(name), columns: new Set(), keys: [], multikeys: [], contains: [] };
  for (const index of collection.indexes) {
    if (index.kind === 'multikey') {
      const array = checkField(index.array);
      const held = { array, within: (index.within ?? []).map(checkField), sort: parseSort(index.sort ?? {}) };
      table.multikeys.push({ table: `${name}~items~${shortHash(held)}`, ...held });
    } else if (index.kind === 'contains') {
      const held = { fields: index.fields.map(checkField), within: index.within.map(checkField) };
      table.contains.push({ table: `${name}~text~${shortHash({ ...held, as: 'bytes' })}`, name: index.name, ...held });
    } else {
      const where = index.where === undefined ? undefined : checkField(index.where);
      const held = { on: parseSort(index.on), unique: index.unique ?? false, where };
      table.keys.push({ index: `${name}~key~${shortHash(held)}`, ...held });
    }
  }
  const paths = table.keys.flatMap(({ on, where }) => [...on.map(({ path }) => path), where ?? '_id']);
  return { ...table, columns: new Set(paths.filter((path) => path !== '_id')) };
}

function parseSort(sort: object): Order {
  return Object.entries(sort).map(([path, direction]) => {
    if (direction !== 1 && direction !== -1) throw new TypeError(`the sort direction of ${path} must be 1 or -1`);
    return { path: checkPath(path), direction };
  });
}

/** The order of a list: ends with `_id`, which breaks ties in the direction of the field before it. */
export function completeOrder(sort: object): Order {
  const order = parseSort(sort);
  const id = order.findIndex(({ path }) => path === '_id');
  if (id >= 0) return order.slice(0, id + 1);
  return [...order, { path: '_id', direction: order.at(-1)?.direction ?? 1 }];
}

export function orderSql(keys: string[], order: Order): string {
  return keys.map((key, at) => `${key} ${order[at]?.direction === -1 ? 'DESC' : 'ASC'}`).join(', ');
}

/** The column that holds a path, in the table or in a side table. */
export const columnSql = (path: string) => quoteName(path === '_id' ? '_id' : `f.${path}`);

function shortHash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8);
}
