import type { Scalar } from '../port.js';
import { type Fragment, quoteName } from './connection.js';
import { type Clause, equalValues } from './filters.js';
import { findScope } from './scopes.js';
import type { ContainsTable, Context, Table } from './table.js';

type Contains = Clause & { kind: 'contains' };

const END = Buffer.of(0xff);
const NO_SCOPE = 0;

/** The texts among the values and in their lists, in lower case. */
export function lowerTexts(values: unknown[]): string[] {
  return values
    .flat()
    .filter((value) => typeof value === 'string' && value !== '')
    .map((text) => (text as string).toLowerCase());
}

/** Joins texts into one value to search, with a byte that UTF-8 never has, so that no match spans two texts. */
export function textsValue(texts: string[]): Uint8Array {
  return Buffer.concat(texts.flatMap((text) => [Buffer.from(text), END]));
}

/** A SELECT of the row numbers of the documents that hold the text; undefined for the empty text, which all hold. */
export function holdersSql(
  { connection, table }: Context,
  { index: name, text }: Contains,
  equal: Map<string, Scalar>,
): Fragment | undefined {
  const index = declaredIndex(table, name);
  const within = index.within.map((field) => {
    const value = equal.get(field);
    if (value === undefined) throw new TypeError(`$contains of ${name} needs ${field} in the filter`);
    return value;
  });
  if (text === '') return undefined;
  const scope = findScope(connection, index.table, JSON.stringify(within)) ?? NO_SCOPE;
  return {
    sql: `SELECT n FROM ${quoteName(index.table)} WHERE scope = ? AND instr(t, ?)`,
    params: [scope, Buffer.from(text.toLowerCase())],
  };
}

/** `holdersSql` for a filter without other conditions, so that it selects exactly the matches; otherwise undefined. */
export function onlyHoldersSql(context: Context, clauses: Clause[]): Fragment | undefined {
  const clause = clauses.find((each): each is Contains => each.kind === 'contains');
  if (!clause) return undefined;
  const { within } = declaredIndex(context.table, clause.index);
  const equal = equalValues(clauses);
  // The scope of null is also that of lists and objects.
  const isPinnedClause = (each: Clause) =>
    each.kind === 'equal' &&
    !each.negated &&
    each.value !== null &&
    within.includes(each.path) &&
    equal.get(each.path) === each.value;
  return clauses.every((each) => each === clause || isPinnedClause(each))
    ? holdersSql(context, clause, equal)
    : undefined;
}

function declaredIndex(table: Table, name: string): ContainsTable {
  const index = table.contains.find((each) => each.name === name);
  if (!index) throw new TypeError(`${table.name} has no contains index ${JSON.stringify(name)}`);
  return index;
}
