import type { Cursor, Document, PageQuery, PageResult, ReadOptions, Scalar } from '../port.js';
import { conditionSql, itemsSql, joinFragments, multikeyFor, pathSql } from './conditions.js';
import { type Fragment, quoteName, readDocuments } from './connection.js';
import { type Clause, equalValues, parseFilter, type Test } from './filters.js';
import {
  type Context,
  columnSql,
  completeOrder,
  type KeyTable,
  type MultikeyTable,
  type Order,
  orderSql,
} from './table.js';
import { boundValue, checkField, isScalar, valueAt } from './values.js';

/** An `$in` of up to this many values merges ordered ranges; a longer one is sorted. */
const MAX_MERGED = 100;

/** A source of rows. Several branches are merged in order. */
interface Branch {
  from: string;
  where: Fragment;
  /** SQL for a sort key. */
  key(path: string): string;
}

interface Plan {
  branches: Branch[];
  /** At most one row can match, so nothing is sorted. */
  one: boolean;
  /** The rows are row numbers, and merging removes repeats. */
  items: boolean;
}

export function readPage<D extends Document>(context: Context, query: PageQuery<D>): PageResult<D> {
  const { limit } = query;
  const shown = fieldPicker(query);
  if (limit === 0) return { items: [] };
  const order = completeOrder(query.sort);
  const items: D[] = [];
  for (const select of pageSelects(context, query)) {
    items.push(...readDocuments<D>(context.connection, select(limit + 1 - items.length)));
    if (items.length > limit) break;
  }
  const last = items.length > limit ? items[limit - 1] : undefined;
  const page = items.slice(0, limit).map(shown);
  return last ? { items: page, next: cursorOfDocument(last, order) } : { items: page };
}

/** Reduces a document to the requested fields. */
export function fieldPicker<D extends Document>({ fields }: ReadOptions<D>): (document: D) => D {
  if (!fields) return (document) => document;
  const kept = ['_id', ...fields.map(checkField)] as (keyof D)[];
  return (document) => {
    const shown: Partial<D> = {};
    for (const field of kept) if (Object.hasOwn(document, field)) shown[field] = document[field];
    return shown as D;
  };
}

export function explainPage<D extends Document>(context: Context, query: PageQuery<D>): string {
  const plans = pageSelects(context, query).flatMap((select) => context.connection.explain(select(query.limit + 1)));
  return plans.join('\n');
}

function cursorOfDocument(document: Document, order: Order): Cursor {
  return order.map(({ path }) => {
    const value = valueAt(document, path) ?? null;
    if (!isScalar(value)) throw new TypeError(`cannot sort by ${path}: its value is not a scalar`);
    return value;
  });
}

/** The list as consecutive ranges; each is read only if those before it did not fill the page. */
function pageSelects<D extends Document>(context: Context, query: PageQuery<D>): ((limit: number) => Fragment)[] {
  const { limit, after } = query;
  if (!Number.isSafeInteger(limit) || limit < 0) throw new TypeError('a limit is a whole number from 0');
  const order = completeOrder(query.sort);
  if (after !== undefined) checkCursor(after, order);
  const plan = planPage(context, parseFilter(query.filter), order);
  const ranges = after === undefined ? [[]] : rangesAfter(after, order);
  return ranges.map((range) => (count) => selectSql(context, plan, order, range, count));
}

function checkCursor(after: unknown, order: Order): void {
  if (
    !Array.isArray(after) ||
    after.length !== order.length ||
    !after.every(isScalar) ||
    typeof after.at(-1) !== 'string'
  )
    throw new TypeError('the cursor belongs to another list');
}

type Bound = { path: string; is: '=' | '>' | '<'; value: Scalar };

/**
 * The rows after a cursor, as ranges of equalities and one bound, each a contiguous part of an index. In SQL, nulls do not
 * compare, so they get their own range.
 */
function rangesAfter(after: Cursor, order: Order): Bound[][] {
  const ranges: Bound[][] = [];
  for (let at = order.length - 1; at >= 0; at -= 1) {
    const { path, direction } = order[at] ?? { path: '_id', direction: 1 };
    const value = after[at] ?? null;
    const pinned = order.slice(0, at).map((key, n): Bound => ({ path: key.path, is: '=', value: after[n] ?? null }));
    if (direction === 1) ranges.push([...pinned, { path, is: '>', value }]);
    else if (value !== null) {
      ranges.push([...pinned, { path, is: '<', value }]);
      if (path !== '_id') ranges.push([...pinned, { path, is: '=', value: null }]);
    }
  }
  return ranges;
}

function boundSql(key: string, { is, value }: Bound): Fragment {
  if (value !== null) return { sql: `${key} ${is} ?`, params: [boundValue(value)] };
  // The lowest value above null: unlike IS NOT NULL, it starts a range of an index.
  if (is === '>') return { sql: `${key} >= ?`, params: [Number.NEGATIVE_INFINITY] };
  return { sql: `${key} IS NULL`, params: [] };
}

function selectSql({ table }: Context, plan: Plan, order: Order, range: Bound[], limit: number): Fragment {
  const merged = plan.branches.length > 1;
  const parts = plan.branches.map((branch) => {
    const keys = order.map(({ path }) => branch.key(path));
    const bounds = range.map((bound) => boundSql(branch.key(bound.path), bound));
    const where = joinFragments([branch.where, ...bounds], ' AND ', branch.where);
    const tail = merged || plan.one ? '' : ` ORDER BY ${orderSql(keys, order)}`;
    const columns = merged ? [plan.items ? 's.n AS n' : 'd.doc AS doc', ...keys] : ['d.doc AS doc'];
    return { sql: `SELECT ${columns.join(', ')} FROM ${branch.from} WHERE ${where.sql}${tail}`, params: where.params };
  });
  const { sql, params } = joinFragments(parts, plan.items ? ' UNION ' : ' UNION ALL ', { sql: '', params: [] });
  if (!merged) return { sql: `${sql} LIMIT ?`, params: [...params, limit] };
  const places = order.map((_, at) => `${at + 2}`);
  const rows = `${sql} ORDER BY ${orderSql(places, order)} LIMIT ?`;
  const merge = plan.items
    ? `SELECT d.doc AS doc FROM (${rows}) m CROSS JOIN ${table.sql} d ON d.n = m.n`
    : `SELECT doc FROM (${rows})`;
  return { sql: merge, params: [...params, limit] };
}

function planPage(context: Context, clauses: Clause[], order: Order): Plan {
  const equal = equalValues(clauses);
  const isPinned = (path: string) => (equal.get(path) ?? null) !== null;
  const one = context.table.keys.some(
    ({ unique, on, where }) =>
      unique && on.every(({ path }) => isPinned(path)) && (where === undefined || isPinned(where)),
  );
  if (one || equal.has('_id')) return { branches: [plainBranch(context, clauses)], one: true, items: false };
  return (
    itemsPlan(context, clauses, equal) ??
    mergePlan(context, clauses, equal, order) ?? { branches: [plainBranch(context, clauses)], one: false, items: false }
  );
}

function plainBranch(context: Context, clauses: Clause[]): Branch {
  const { table } = context;
  return { from: `${table.sql} d`, where: conditionSql(context, clauses), key: (path) => pathSql(table, path) };
}

/** Reads the side table of an array field in the table's own order. */
function itemsPlan(context: Context, clauses: Clause[], equal: Map<string, Scalar>): Plan | undefined {
  const { table } = context;
  for (const clause of clauses) {
    const items = isPositive(clause) ? multikeyFor(table, clause, equal) : undefined;
    const tests = items && splitIntoEqualities(clause);
    if (!items || !tests) continue;
    const isAnswered = (each: Clause) =>
      each === clause ||
      (each.kind === 'equal' &&
        !each.negated &&
        items.within.includes(each.path) &&
        equal.get(each.path) === each.value);
    const rest = clauses.filter((each) => !isAnswered(each));
    const key = (path: string) => (isSortedBy(items, path) ? `s.${columnSql(path)}` : pathSql(table, path));
    const condition = conditionSql(context, rest, equal);
    const branches = tests.map((test) => {
      const own = itemsSql(items, test, equal);
      const from = `${quoteName(items.table)} s CROSS JOIN ${table.sql} d ON d.n = s.n`;
      return { from, where: joinFragments([own, condition], ' AND ', own), key };
    });
    return { branches, one: false, items: true };
  }
  return undefined;
}

const isSortedBy = (items: MultikeyTable, path: string) =>
  path === '_id' || items.sort.some((key) => key.path === path);

/** Splits an `$in` on a field that precedes the sort in an index. */
function mergePlan(context: Context, clauses: Clause[], equal: Map<string, Scalar>, order: Order): Plan | undefined {
  const { table } = context;
  for (const clause of clauses) {
    if (clause.kind !== 'listed' || !isPositive(clause)) continue;
    const tests = splitIntoEqualities(clause);
    const pinned = new Set([...equal.keys(), clause.path]);
    if (!tests || tests.length < 2 || !table.keys.some((key) => holdsOrder(key, pinned, clause.path, order))) continue;
    const rest = clauses.filter((each) => each !== clause);
    const branches = tests.map((test) => plainBranch(context, [...rest, test]));
    return { branches, one: false, items: false };
  }
  return undefined;
}

/** Whether an index holds the order after its pinned fields. */
function holdsOrder(key: KeyTable, pinned: Set<string>, split: string, order: Order): boolean {
  const start = key.on.findIndex(({ path }) => !pinned.has(path));
  const rest = start < 0 ? [] : key.on.slice(start);
  const wanted = order.filter(({ path }) => path !== '_id' && !pinned.has(path));
  const turn = (rest[0]?.direction ?? 1) * (wanted[0]?.direction ?? 1);
  return (
    key.on.some(({ path }) => path === split) &&
    !rest.some(({ path }) => path === split) &&
    rest.length === wanted.length &&
    rest.every(({ path, direction }, at) => path === wanted[at]?.path && direction * turn === wanted[at]?.direction)
  );
}

const isPositive = (clause: Clause) => (clause.kind === 'equal' || clause.kind === 'listed') && !clause.negated;

/** A test as one equality for each of its values; undefined when there are too many. */
function splitIntoEqualities(clause: Clause): Test[] | undefined {
  if (clause.kind === 'equal') return [clause];
  if (clause.kind !== 'listed' || clause.values.length === 0 || clause.values.length > MAX_MERGED) return undefined;
  return clause.values.map((value) => ({ kind: 'equal', path: clause.path, value, negated: false }));
}
