import type { FindCursor, Collection as MongoCollection } from 'mongodb';
import type { Collection, Cursor, Direction, Document, Filter, PageQuery, PageResult, Scalar, Sort } from '../port.js';
import { type Connection, serverTime } from './connection/connection.js';
import { projection, type Stored } from './documents.js';
import { asUntyped, checkPath, type MongoFilter } from './fields.js';
import { filterFacts, isScalar, mongoFilter } from './filters.js';
import { chooseCover } from './indexes.js';

type Order = [field: string, direction: Direction][];

/** The sort with its tie-breaker; fields after `_id` have no effect and are left out. */
export function sortOrder<D extends Document>(sort: Sort<D>): Order {
  const order: Order = [];
  for (const [field, direction] of Object.entries(sort)) {
    if (direction !== 1 && direction !== -1) throw new TypeError(`the sort direction of ${field} must be 1 or -1`);
    order.push([checkPath(field), direction]);
    if (field === '_id') return order;
  }
  return [...order, ['_id', order.at(-1)?.[1] ?? 1]];
}

/**
 * The documents after the cursor, as consecutive ranges: those equal in all fields but the last, then those equal in all but
 * the last two, and so on. Each is one ordered part of the index.
 * An `$in` before the sort stays one query: MongoDB itself merges one ordered range for each value (up to 200), given the index.
 */
interface Plan {
  ranges: MongoFilter[];
  /** Empty where at most one document can match. */
  order: Order;
  hint?: string | undefined;
}

function planPage<D extends Document>(
  collection: Collection<D>,
  filter: Filter<D>,
  sort: Sort<D>,
  after?: Cursor,
): Plan {
  const full = sortOrder(sort);
  const base = mongoFilter(collection, filter);
  const facts = filterFacts(filter as MongoFilter);
  const { hint, total } = chooseCover(asUntyped(collection), facts, full);
  const order = total ? full.filter(([field]) => field !== '_id') : full;
  if (!after) return { ranges: [base], order, hint };
  checkCursor(after, full.length);
  return {
    ranges: rangesAfter(order.length > 0 ? order : full, after).map((range) => ({ $and: [base, range] })),
    order,
    hint,
  };
}

function checkCursor(after: Cursor, length: number): void {
  const sound = Array.isArray(after) && after.length === length && after.every(isScalar);
  if (!sound || typeof after.at(-1) !== 'string')
    throw new TypeError(`a cursor of this list is ${length} scalars, the last an _id`);
}

function rangesAfter(order: Order, after: Cursor): MongoFilter[] {
  const ranges: MongoFilter[] = [];
  for (let depth = order.length - 1; depth >= 0; depth--) {
    const [field, direction] = order[depth] ?? ['_id', 1];
    const beyond = beyondValue(field, after[depth] ?? null, direction);
    if (!beyond) continue;
    const equal = order.slice(0, depth).map(([name], at) => [name, { $eq: after[at] ?? null }]);
    ranges.push({ ...Object.fromEntries(equal), ...beyond });
  }
  return ranges;
}

/**
 * Values sort as null, numbers, strings. A comparison matches only one type; its `$not` includes all others.
 * (Booleans, the highest, are not expected in a field with other types.)
 */
function beyondValue(field: string, value: Scalar, direction: Direction): MongoFilter | undefined {
  if (direction === 1) {
    if (value === null) return { [field]: { $ne: null } };
    return { [field]: typeof value === 'number' ? { $not: { $lte: value }, $ne: null } : { $gt: value } };
  }
  if (value === null) return undefined;
  const below = { [field]: { $not: { $gte: value } } };
  return typeof value === 'number' ? { $and: [below, { [field]: { $not: { $gte: '' } } }] } : below;
}

interface Reader {
  connection: Connection;
  documents: MongoCollection<Stored>;
}

function findIn({ connection, documents }: Reader, plan: Plan, range: MongoFilter, limit: number): FindCursor<Stored> {
  const cursor = documents.find(range, serverTime(connection)).sort(Object.fromEntries(plan.order)).limit(limit);
  return plan.hint ? cursor.hint(plan.hint) : cursor;
}

export async function readPage<D extends Document>(
  reader: Reader,
  collection: Collection<D>,
  query: PageQuery<D>,
): Promise<PageResult<D>> {
  const { filter, sort, limit, after, fields } = query;
  if (!Number.isInteger(limit) || limit < 0) throw new TypeError('limit is a whole number from 0');
  const plan = planPage(collection, filter, sort, after);
  if (limit === 0) return { items: [] };
  const full = sortOrder(sort);
  const shown = projection(
    { fields } as never,
    full.map(([field]) => field),
  );
  const parts = await Promise.all(
    plan.ranges.map((range) =>
      findIn(reader, plan, range, limit + 1)
        .project<Stored>(shown)
        .toArray(),
    ),
  );
  const found = removeRepeats(parts.flat());
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const next = found.length > limit && last ? full.map(([field]) => valueAt(last, field)) : undefined;
  if (fields) stripFields(items, fields);
  return { items: items as unknown as D[], ...(next && { next }) };
}

/** Removes repeats: a document that changes while the ranges are read may be in two of them. */
function removeRepeats(documents: Stored[]): Stored[] {
  const byId = new Map<string, Stored>();
  for (const document of documents) if (!byId.has(document._id)) byId.set(document._id, document);
  return byId.size === documents.length ? documents : [...byId.values()];
}

function valueAt(document: Stored, path: string): Scalar {
  let value: unknown = document;
  for (const part of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[part];
  return (value ?? null) as Scalar;
}

function stripFields(documents: Stored[], fields: string[]): void {
  const wanted = new Set(['_id', ...fields]);
  for (const document of documents)
    for (const field of Object.keys(document)) if (!wanted.has(field)) delete document[field];
}

/** The first match in the order of `sort`; without a sort, any match. */
export async function readFirst<D extends Document>(
  reader: Reader,
  collection: Collection<D>,
  filter: Filter<D>,
  { fields, sort }: { fields?: (keyof D & string)[]; sort?: Sort<D> },
): Promise<D | null> {
  const { ranges, order, hint } = planPage(collection, filter, sort ?? {});
  const options = { ...serverTime(reader.connection), projection: projection({ fields } as never) };
  const sorted = sort && { sort: Object.fromEntries(order), ...(hint && { hint }) };
  return (await reader.documents.findOne(ranges[0] ?? {}, { ...options, ...sorted })) as D | null;
}

/** The options that pick one document for a change: the first in the order of `sort`, else by `_id`. */
export function pickOptions<D extends Document>(collection: Collection<D>, filter: Filter<D>, sort: Sort<D> = {}) {
  const single = filterFacts(filter as MongoFilter).equal.has('_id');
  return single ? {} : { sort: Object.fromEntries(planPage(collection, filter, sort).order) };
}

interface Stage {
  stage?: string;
  indexName?: string;
  inputStage?: Stage;
  inputStages?: Stage[];
  queryPlan?: Stage;
  winningPlan?: Stage;
  shards?: Stage[];
}

/** One line for each stage, indented by depth: `IXSCAN organization_1_createdAt_-1__id_-1`. */
export async function explainPage<D extends Document>(
  reader: Reader,
  collection: Collection<D>,
  query: PageQuery<D>,
): Promise<string> {
  const plan = planPage(collection, query.filter, query.sort, query.after);
  const plans = await Promise.all(
    plan.ranges.map((range) => findIn(reader, plan, range, query.limit + 1).explain('queryPlanner')),
  );
  return plans.map((each) => planLines(each.queryPlanner as Stage).join('\n')).join('\n\n');
}

function planLines(stage: Stage, depth = 0): string[] {
  const { inputStage, inputStages = [], queryPlan, winningPlan, shards = [] } = stage;
  const own = stage.stage ? [`${'  '.repeat(depth)}${[stage.stage, stage.indexName].filter(Boolean).join(' ')}`] : [];
  const below = [queryPlan, winningPlan, inputStage, ...inputStages, ...shards].filter((each) => each !== undefined);
  return [...own, ...below.flatMap((each) => planLines(each, depth + own.length))];
}
