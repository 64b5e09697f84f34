import type { Scalar } from '../port.js';
import { type Bound, type Fragment, quoteName } from './connection.js';
import { holdersSql } from './contains.js';
import { type Clause, equalValues, type Test } from './filters.js';
import { type Context, columnSql, type MultikeyTable, type Table } from './table.js';
import { boundValue, itemSql, jsonPath, LEAST_BLOB, LEAST_BOOLEAN, LEAST_TEXT, valueSql } from './values.js';

const ALWAYS: Fragment = { sql: '1', params: [] };
const NEVER: Fragment = { sql: '0', params: [] };

/** The clauses as one condition on `d`; `equal` holds the equalities of the whole filter. */
export function conditionSql(context: Context, clauses: Clause[], equal = equalValues(clauses)): Fragment {
  return joinFragments(
    clauses.map((clause) => clauseSql(context, clause, equal)),
    ' AND ',
    ALWAYS,
  );
}

export function joinFragments(fragments: Fragment[], separator: string, none: Fragment): Fragment {
  if (fragments.length === 0) return none;
  return { sql: fragments.map(({ sql }) => sql).join(separator), params: fragments.flatMap(({ params }) => params) };
}

/** SQL for the value at a path of the document. */
export function pathSql(table: Table, path: string): string {
  return path === '_id' || table.columns.has(path) ? `d.${columnSql(path)}` : valueSql('d.doc', path);
}

function clauseSql(context: Context, clause: Clause, equal: Map<string, Scalar>): Fragment {
  switch (clause.kind) {
    case 'any': {
      const filters = clause.filters.map((filter) => conditionSql(context, filter, equal));
      const { sql, params } = joinFragments(filters, ') OR (', NEVER);
      return { sql: `((${sql}))`, params };
    }
    case 'contains':
      return containsSql(context, clause, equal);
    default:
      return testSql(context.table, clause, equal);
  }
}

function containsSql(context: Context, clause: Clause & { kind: 'contains' }, equal: Map<string, Scalar>): Fragment {
  const holders = holdersSql(context, clause, equal);
  return holders ? { sql: `d.n IN (${holders.sql})`, params: holders.params } : ALWAYS;
}

function testSql(table: Table, test: Test, equal: Map<string, Scalar>): Fragment {
  const { path } = test;
  if (test.kind === 'exists') return { sql: existsSql(path, test.present), params: [] };
  if (path === '_id' || table.columns.has(path)) return scalarSql(`d.${columnSql(path)}`, test);
  const items = multikeyFor(table, test, equal);
  if (items) {
    const { sql, params } = itemsSql(items, test, equal);
    return {
      sql: `d.n ${isNegated(test) ? 'NOT ' : ''}IN (SELECT s.n FROM ${quoteName(items.table)} s WHERE ${sql})`,
      params,
    };
  }
  return heldSql(test);
}

function existsSql(path: string, present: boolean): string {
  return `json_type(d.doc, ${jsonPath(path)}) IS ${present ? 'NOT ' : ''}NULL`;
}

const isNegated = (test: Test) => 'negated' in test && test.negated;

/** A test of a field that may hold an array: an item of it may also match. */
function heldSql(test: Test): Fragment {
  const positive: Test = 'negated' in test ? { ...test, negated: false } : test;
  const at = jsonPath(test.path);
  const itself = scalarSql(valueSql('d.doc', test.path), positive);
  const item = scalarSql(itemSql('e'), positive);
  const sql = `(${itself.sql} OR (json_type(d.doc, ${at}) = 'array' AND EXISTS \
(SELECT 1 FROM json_each(d.doc, ${at}) e WHERE ${item.sql})))`;
  return { sql: isNegated(test) ? `(${sql} IS NOT TRUE)` : sql, params: [...itself.params, ...item.params] };
}

/** A test of one value that is not an array; `value` is SQL. */
export function scalarSql(value: string, test: Test): Fragment {
  switch (test.kind) {
    case 'equal':
      if (test.value === null) return { sql: `${value} IS ${test.negated ? 'NOT ' : ''}NULL`, params: [] };
      return { sql: `${value} ${test.negated ? 'IS NOT' : '='} ?`, params: [boundValue(test.value)] };
    case 'listed':
      return listedSql(value, test.values, test.negated);
    case 'compared':
      return comparedSql(value, test);
    default:
      throw new TypeError('not a test of a value');
  }
}

function listedSql(value: string, values: Scalar[], not: boolean): Fragment {
  const present = values.filter((each) => each !== null).map(boundValue);
  const { sql, params } = amongSql(value, present);
  const nullable = present.length < values.length;
  if (not) return { sql: `((${sql}) IS NOT TRUE${nullable ? ` AND ${value} IS NOT NULL` : ''})`, params };
  return { sql: nullable ? `(${sql} OR ${value} IS NULL)` : sql, params };
}

const MAX_PLACEHOLDERS = 16;

/** Few values become placeholders, many become one JSON text, so that there are few different statements. */
export function amongSql(value: string, values: Bound[]): Fragment {
  if (values.length === 0) return NEVER;
  if (values.length === 1) return { sql: `${value} = ?`, params: values };
  const plain = values.every((each) => typeof each === 'string' || typeof each === 'number');
  if (plain && values.length > MAX_PLACEHOLDERS)
    return { sql: `${value} IN (SELECT value FROM json_each(?))`, params: [JSON.stringify(values)] };
  return { sql: `${value} IN (${values.map(() => '?').join(', ')})`, params: values };
}

const signs = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' };

/** Compares only values of the operand's type; a second bound excludes the other types. */
function comparedSql(value: string, test: Test & { kind: 'compared' }): Fragment {
  const above = test.operator === '$gt' || test.operator === '$gte';
  const bounds = {
    number: above ? `${value} < ${LEAST_TEXT}` : '',
    string: above ? `${value} < ${LEAST_BLOB}` : `${value} >= ${LEAST_TEXT}`,
    boolean: `${value} >= ${LEAST_BOOLEAN}`,
  };
  const bound = bounds[typeof test.value as keyof typeof bounds];
  const sql = `${value} ${signs[test.operator]} ?`;
  return { sql: bound ? `(${sql} AND ${bound})` : sql, params: [boundValue(test.value)] };
}

/** The side table that answers the test, where the filter pins all its `within` fields. */
export function multikeyFor(table: Table, test: Clause, equal: Map<string, Scalar>): MultikeyTable | undefined {
  const values = test.kind === 'equal' ? [test.value] : test.kind === 'listed' ? test.values : [null];
  if (!('path' in test) || values.includes(null)) return undefined;
  return table.multikeys.find(({ array, within }) => array === test.path && within.every((field) => equal.has(field)));
}

/** Selects the rows `s` of a side table for the items of a test, ignoring its negation. */
export function itemsSql(items: MultikeyTable, test: Clause, equal: Map<string, Scalar>): Fragment {
  const within = items.within.map((path) =>
    scalarSql(`s.${columnSql(path)}`, { kind: 'equal', path, value: equal.get(path) ?? null, negated: false }),
  );
  const values = test.kind === 'equal' ? [test.value] : test.kind === 'listed' ? test.values : [];
  return joinFragments([...within, amongSql('s.item', values.map(boundValue))], ' AND ', ALWAYS);
}
