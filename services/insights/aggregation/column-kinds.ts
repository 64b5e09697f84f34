import { amongSql, type Bind } from './parameters.js';
import type { ColumnName, Condition, intervals } from './resources.js';

/** A column of a query with what tells it apart from others of its name. */
export interface Reference {
  column: ColumnName;
  interval?: (typeof intervals)[number] | undefined;
  precision?: number | undefined;
  claim?: string | undefined;
}

/** A condition, where it stands in the request, and how its values get into the SQL. */
export interface Asked {
  condition: Condition;
  path: string;
  bind: Bind;
}

export type Comparison = '>' | '>=' | '<' | '<=';

/** How a column of the API is read from the table of events. */
export interface Column {
  /** Whether it is computed of all events of a group. */
  isMetric: boolean;
  /** SQL of its value, or of the parts of its value. */
  parts: (reference: Reference, bind: Bind) => string[];
  /** SQL that holds for events with a value, where those without are left out of a query that shows the column. */
  present?: string;
  /** The value in the API of the parts that the database answered. */
  decode: (...parts: unknown[]) => unknown;
  /** SQL that holds where it has one of the values of a condition. */
  among: (asked: Asked) => string;
  /** SQL that compares it with the first value of a condition, for columns whose values have an order. */
  compare?: (asked: Asked, comparison: Comparison) => string;
}

/** A type of parameters, and the parameter for a value of the API; undefined for a value that no event has. */
interface Bound {
  type: string;
  encode: (value: unknown) => unknown;
}

interface Scalar {
  sql: string | Column['parts'];
  listed: Bound;
  /** Without it, values have no order. */
  compared?: Bound;
  /** The SQL of no value, which no comparison holds for. Without it, each event has a value. */
  absent?: string;
  isLeftOut?: boolean;
  isMetric?: boolean;
  decode?: (stored: unknown) => unknown;
}

const unchanged = (value: unknown) => value;

/** A column whose value is one value of the database. */
export function scalarColumn(options: Scalar): Column {
  const { sql, listed, compared, absent, isLeftOut = false, isMetric = false, decode = unchanged } = options;
  const parts = typeof sql === 'string' ? () => [sql] : sql;
  const columnSql = ({ condition, bind }: Asked) =>
    parts({ column: condition.column, claim: condition.claim }, bind)[0] ?? '';
  return {
    isMetric,
    parts,
    decode,
    ...(isLeftOut ? { present: `${sql} != ${absent}` } : {}),
    among(asked) {
      const values = asked.condition.values.map(listed.encode).filter((value) => value !== undefined);
      return amongSql(columnSql(asked), { type: listed.type, values }, asked.bind);
    },
    ...(compared && {
      compare(asked, comparison) {
        const stored = columnSql(asked);
        const value = asked.bind(compared.type, compared.encode(asked.condition.values[0]));
        return `${stored} ${comparison} ${value}${absent ? ` AND ${stored} != ${absent}` : ''}`;
      },
    }),
  };
}

const anyText: Bound = { type: 'String', encode: unchanged };

/** A text; empty where an event has none. */
export const textColumn = (sql: Scalar['sql']) => scalarColumn({ sql, listed: anyText, compared: anyText });

/** A text that is stored empty where the API says null; with `isNullEmpty`, clients may write null as an empty text too. */
export const nullableTextColumn = (sql: string, { isNullEmpty = false } = {}) =>
  scalarColumn({
    sql,
    listed: {
      type: 'String',
      encode: (value) => (value === null ? '' : value === '' && !isNullEmpty ? undefined : value),
    },
    compared: anyText,
    absent: "''",
    decode: (stored) => stored || null,
  });

/** One of some texts, which not every event has. */
export const ownTextColumn = (sql: string) =>
  scalarColumn({ sql, listed: anyText, compared: anyText, absent: "''", isLeftOut: true });

/** A count is a whole number: no group has another one. */
const wholeCount = (value: unknown) => (Number.isSafeInteger(value) && (value as number) >= 0 ? value : undefined);

/** A number of the events of a group. */
export const countColumn = (sql: string) =>
  scalarColumn({
    sql,
    listed: { type: 'UInt64', encode: wholeCount },
    compared: { type: 'Float64', encode: unchanged },
    isMetric: true,
    decode: Number,
  });

/** Counts of the events of a group, by what holds for them in SQL. */
export function countsColumn(sqlByName: Record<string, string>): Column {
  const names = Object.keys(sqlByName);
  const encode = (value: unknown) => {
    const each = names.map((name) => wholeCount((value as Record<string, unknown>)[name]));
    return each.includes(undefined) ? undefined : each;
  };
  return scalarColumn({
    sql: `[${Object.values(sqlByName).map((sql) => `countIf(${sql})`)}]`,
    listed: { type: 'Array(UInt64)', encode },
    isMetric: true,
    decode: (stored) => Object.fromEntries(names.map((name, at) => [name, Number((stored as unknown[])[at])])),
  });
}
