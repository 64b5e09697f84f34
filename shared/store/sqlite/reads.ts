import type { Derivation, Document, Filter, ReadOptions, Sort } from '../port.js';
import { conditionSql, pathSql } from './conditions.js';
import { type Fragment, readDocuments } from './connection.js';
import { onlyHoldersSql } from './contains.js';
import { type Clause, parseFilter } from './filters.js';
import { fieldPicker, readPage } from './pages.js';
import type { Context } from './table.js';
import { checkPath, unbindValue } from './values.js';

export function readOne<D extends Document>(context: Context, id: string, options: ReadOptions<D>): D | null {
  if (typeof id !== 'string') throw new TypeError('an _id is a string');
  const { connection, table } = context;
  const row = connection.get(`SELECT doc FROM ${table.sql} WHERE _id = ?`, [id]);
  return row ? fieldPicker(options)(JSON.parse(String(row[0])) as D) : null;
}

export function readMany<D extends Document>(context: Context, ids: string[], options: ReadOptions<D>): D[] {
  const { connection, table } = context;
  const shown = fieldPicker(options);
  const sql = `SELECT doc FROM ${table.sql} WHERE _id IN (SELECT value FROM json_each(?))`;
  const found = readDocuments<D>(connection, { sql, params: [JSON.stringify(ids)] });
  const byId = new Map(found.map((document) => [document._id, shown(document)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Reads only the documents of which nothing is kept. */
export function deriveMany<D extends Document, T>(
  context: Context,
  ids: string[],
  { kind, make, sizeOf }: Derivation<D, T>,
): (T | null)[] {
  const { table, derived } = context;
  const values = ids.map((id) => (derived.find(table.name, id, kind) ?? null) as T | null);
  const missing = ids.filter((_, at) => values[at] === null);
  if (missing.length === 0) return values;
  const read =
    missing.length === 1 ? [readOne<D>(context, missing[0] as string, {})] : readMany<D>(context, missing, {});
  const made = new Map<string, T>();
  for (const document of read) {
    if (!document) continue;
    const value = make(document);
    made.set(document._id, value);
    derived.keep(table.name, document._id, kind, { value, bytes: sizeOf(value) });
  }
  return values.map((value, at) => value ?? made.get(ids[at] as string) ?? null);
}

/** The first match in the order of `sort`; without a sort, any match. */
export function readFirst<D extends Document>(
  context: Context,
  filter: Filter<D>,
  { sort, fields }: ReadOptions<D> & { sort?: Sort<D> },
): D | null {
  if (sort) return readPage<D>(context, { filter, sort, limit: 1, ...(fields && { fields }) }).items[0] ?? null;
  const { connection, table } = context;
  const shown = fieldPicker<D>(fields ? { fields } : {});
  const where = conditionSql(context, parseFilter(filter));
  const row = connection.get(`SELECT d.doc FROM ${table.sql} d WHERE ${where.sql} LIMIT 1`, where.params);
  return row ? shown(JSON.parse(String(row[0])) as D) : null;
}

export function countMatches<D extends Document>(context: Context, filter: Filter<D>): number {
  const clauses = parseFilter(filter);
  const { sql, params } = onlyHoldersSql(context, clauses) ?? matchesSql(context, clauses);
  return Number(context.connection.get(`SELECT count(*) FROM (${sql})`, params)?.[0]);
}

function matchesSql(context: Context, clauses: Clause[]): Fragment {
  const where = conditionSql(context, clauses);
  return { sql: `SELECT 1 FROM ${context.table.sql} d WHERE ${where.sql}`, params: where.params };
}

/** Counts the matches per value. Null, lists and objects are not counted. */
export function countPerValue<D extends Document>(
  context: Context,
  field: string,
  filter: Filter<D>,
): Map<string, number> {
  const where = conditionSql(context, parseFilter(filter));
  const value = pathSql(context.table, checkPath(field));
  const sql = `SELECT ${value}, count(*) FROM ${context.table.sql} d WHERE ${where.sql} GROUP BY 1`;
  const counts = new Map<string, number>();
  for (const [key, count] of context.connection.all(sql, where.params)) {
    const scalar = unbindValue(key);
    if (scalar !== null && scalar !== undefined) counts.set(String(scalar), Number(count));
  }
  return counts;
}
