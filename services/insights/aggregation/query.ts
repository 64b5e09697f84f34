import type { Query } from '../../../shared/analytics/reading.js';
import { invalid } from '../../../shared/errors/errors.js';
import type { Asked, Column, Comparison, Reference } from './column-kinds.js';
import { columns } from './columns.js';
import { usualResolution } from './geo-cells.js';
import { type Bind, newParameters } from './parameters.js';
import type { Aggregated, Aggregation, Condition } from './resources.js';
import { storedTime, timeType } from './times.js';

export interface AggregationRequest {
  organization: string;
  site: string;
  /** The name of the table of events. */
  table: string;
  body: Aggregation;
  now: Date;
}

/** A query of the analytics database, and what its rows say (values in the order of its columns). */
export interface AggregationQuery extends Query {
  decode: (rows: unknown[][]) => Aggregated;
}

/** A column that a query reads, under names of its own. */
interface Read {
  column: Column;
  /** SQL of the parts of its value, and the place of the first one in a row. */
  parts: string[];
  at: number;
}

/**
 * The query of an aggregation of the events of a site.
 *
 * Selected columns that are no metrics form groups as those of `groupBy` do. A metric in `groupBy` splits no groups. Without
 * `select` the answer has the columns of `groupBy` and `eventsCount`. Without groups it has one row, even of no events. Conditions on
 * metrics choose among groups. Rows with equal values in the column of `order` come in the order of their groups, texts by their bytes;
 * what has no value comes first ascending. Throws 400 for a request that contradicts itself.
 */
export function aggregationQuery({ organization, site, table, body, now }: AggregationRequest): AggregationQuery {
  const { bind, values: parameters } = newParameters();
  const answered = body.select ?? withEventsCount(body.groupBy);
  const reads = planReads([...(body.groupBy ?? []), ...answered], bind);
  const findRead = (reference: Reference) => reads.get(columnKey(reference));
  const groups = [...reads.values()].filter(({ column }) => !column.isMetric);
  const order = findOrder(body.order, findRead);
  const { from, to } = timeRange(body.range, now);
  const { where, having } = conditionsSql(body.where, bind);
  const filter = [
    `organization = ${bind('String', organization)}`,
    `site = ${bind('String', site)}`,
    `timestamp >= ${bind(timeType, storedTime(from))}`,
    ...(to ? [`timestamp < ${bind(timeType, storedTime(to))}`] : []),
    ...where,
    ...groups.flatMap(({ column }) => column.present ?? []),
  ];
  const query = [
    `SELECT ${[...reads.values()].flatMap(({ parts, at }) => parts.map((part, n) => `${part} AS c${at + n}`)).join(', ')}`,
    `FROM ${table}`,
    `WHERE ${filter.join(' AND ')}`,
    ...(groups.length > 0 ? [`GROUP BY ${groups.flatMap(resultNames).join(', ')}`] : []),
    ...(having.length > 0 ? [`HAVING ${having.join(' AND ')}`] : []),
    ...orderSql(groups, order),
    `LIMIT ${bind('UInt16', body.limit)}`,
  ].join('\n');
  return {
    query,
    parameters,
    decode: (rows) => ({ columns: answered.map((reference) => decodeColumn(reference, findRead, rows)) }),
  };
}

const eventsCount: Reference = { column: 'eventsCount' };

function withEventsCount(groupBy: Reference[] = []): Reference[] {
  return groupBy.some(({ column }) => column === 'eventsCount') ? groupBy : [...groupBy, eventsCount];
}

/** Two columns with the same key are the same. */
const columnKey = ({ column, interval, precision = usualResolution, claim }: Reference): string =>
  JSON.stringify([column, interval, precision, claim]);

function planReads(references: Reference[], bind: Bind): Map<string, Read> {
  const reads = new Map<string, Read>();
  let at = 0;
  for (const reference of references) {
    const key = columnKey(reference);
    if (reads.has(key)) continue;
    const column = columns[reference.column];
    const parts = column.parts(reference, bind);
    reads.set(key, { column, parts, at });
    at += parts.length;
  }
  return reads;
}

const resultNames = ({ parts, at }: Read): string[] => parts.map((_, n) => `c${at + n}`);

function conditionsSql(conditions: Condition[] = [], bind: Bind): { where: string[]; having: string[] } {
  const where: string[] = [];
  const having: string[] = [];
  for (const [at, condition] of conditions.entries())
    (columns[condition.column].isMetric ? having : where).push(conditionSql({ condition, path: `where.${at}`, bind }));
  return { where, having };
}

type Find = (reference: Reference) => Read | undefined;

function findOrder(order: Aggregation['order'], find: Find): { by: Read; direction: string } | undefined {
  if (!order) return undefined;
  const by = find(order.by);
  if (!by) throw invalid('order.by: must be selected or grouped by');
  return { by, direction: order.direction === 'desc' ? ' DESC' : '' };
}

function orderSql(groups: Read[], order: ReturnType<typeof findOrder>): string[] {
  if (groups.length === 0) return [];
  const first = order ? resultNames(order.by).map((name) => `${name}${order.direction}`) : [];
  const others = groups.filter((group) => group !== order?.by).flatMap(resultNames);
  return [`ORDER BY ${[...first, ...others].join(', ')}`];
}

function decodeColumn(reference: Reference, find: Find, rows: unknown[][]): Aggregated['columns'][number] {
  const { column, parts, at } = find(reference) as Read;
  const values = rows.map((row) => column.decode(...row.slice(at, at + parts.length)));
  const { column: name, claim } = reference;
  return { column: name, ...(claim === undefined ? {} : { claim }), values } as Aggregated['columns'][number];
}

const comparisons: Partial<Record<Condition['operator'], Comparison>> = {
  greaterThan: '>',
  greaterThanOrEqual: '>=',
  lessThan: '<',
  lessThanOrEqual: '<=',
};

/**
 * SQL of a condition. An event without a value is in no list, and no comparison holds for it. Throws 400 for values that cannot be
 * compared.
 */
function conditionSql(asked: Asked): string {
  const { operator } = asked.condition;
  const comparison = comparisons[operator];
  if (comparison) return compareSql(asked, comparison);
  const among = columns[asked.condition.column].among(asked);
  return operator === 'notIn' ? `NOT (${among})` : `(${among})`;
}

function compareSql(asked: Asked, comparison: Comparison): string {
  const { condition, path } = asked;
  const { column, operator, values } = condition;
  const { compare } = columns[column];
  if (!compare) throw invalid(`${path}.operator: ${operator} compares times, numbers and texts, not ${column}`);
  if (values.length === 0) throw invalid(`${path}.values: ${operator} needs a value`);
  if (values[0] === null) throw invalid(`${path}.values.0: ${operator} needs a value, not null`);
  return `(${compare(asked, comparison)})`;
}

interface TimeRange {
  from: Date;
  /** Not part of the range; without it, the range has no end. */
  to?: Date;
}

/** Months of presets that count by the calendar; hours of the others. */
const months = { lastYear: 12, last3Months: 3 } as const;
const hours = { last30Days: 30 * 24, last7Days: 7 * 24, last24Hours: 24 } as const;

/** The times of a range. Presets have no end: events may lie minutes ahead. Throws 400 when a range ends before it begins. */
export function timeRange(range: Aggregation['range'], now: Date): TimeRange {
  if (typeof range === 'object') {
    const [from, to] = [new Date(range.from), new Date(range.to)];
    if (from > to) throw invalid('range.to: must not be before `from`');
    return { from, to };
  }
  if (range === 'lastYear' || range === 'last3Months') return { from: monthsBefore(now, months[range]) };
  return { from: new Date(now.getTime() - hours[range] * 3_600_000) };
}

/** The same time of an earlier month, or of its last day when it has no such day. */
function monthsBefore(now: Date, count: number): Date {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() - count];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const before = new Date(now);
  before.setUTCFullYear(year, month, Math.min(now.getUTCDate(), lastDay));
  return before;
}
