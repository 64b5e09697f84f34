import { invalid } from '../../../shared/errors/errors.js';

/** Makes a value a parameter of a query, and returns what stands for it in the SQL. Nothing from outside gets into SQL otherwise. */
export type Bind = (type: string, value: unknown) => string;

export interface Parameters {
  bind: Bind;
  /** By their names, as the client of the database takes them. */
  values: Record<string, unknown>;
}

/** Bytes of all parameters together, with their names; servers take 128 KiB for a single one. */
const maxBytes = 100_000;

/** The parameters of one query. Binding throws 400 when all of them together are too long. */
export function newParameters(): Parameters {
  const values: Record<string, unknown> = {};
  let bytes = 0;
  return {
    values,
    bind(type, value) {
      const name = `p${Object.keys(values).length}`;
      values[name] = value;
      bytes += encodedLength(name, value);
      if (bytes > maxBytes)
        throw invalid(`where: values and claims are too long: at most ${maxBytes} bytes together, encoded for a URL`);
      return `{${name}:${type}}`;
    },
  };
}

function encodedLength(name: string, value: unknown): number {
  const text = JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
  return new URLSearchParams({ [`param_${name}`]: text.replaceAll("'", "\\'") }).toString().length + 1;
}

/** SQL that holds where an expression has one of the values. */
export function amongSql(sql: string, { type, values }: { type: string; values: unknown[] }, bind: Bind): string {
  if (values.length === 0) return 'false';
  return values.length === 1 ? `${sql} = ${bind(type, values[0])}` : `${sql} IN ${bind(`Array(${type})`, values)}`;
}
