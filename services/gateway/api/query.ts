import { z } from 'zod';
import type { QuerySchema } from '../../../shared/contract/operation.js';
import { invalid } from '../../../shared/errors.js';

type Coerce = (values: string[], name: string) => unknown;

const one = (values: string[], name: string): string => {
  if (values.length > 1) throw invalid(`${name}: given ${values.length} times; give it once`);
  return values[0] as string;
};

const number: Coerce = (values, name) => {
  const text = one(values, name);
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
};

const boolean: Coerce = (values, name) => {
  const text = one(values, name);
  return { true: true, false: false, '1': true, '0': false }[text] ?? text;
};

const array: Coerce = (values) => values.flatMap((value) => value.split(',')).filter((value) => value !== '');

function inner(schema: z.ZodType): z.ZodType {
  const wrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable;
  return wrapped ? inner(schema.unwrap() as z.ZodType) : schema;
}

function coercionOf(schema: z.ZodType): Coerce {
  const core = inner(schema);
  if (core instanceof z.ZodNumber) return number;
  if (core instanceof z.ZodBoolean) return boolean;
  if (core instanceof z.ZodArray) return array;
  return one;
}

/** Reads query strings by a schema: numbers, booleans, arrays (repeated or comma-separated). Unknown keys are ignored. */
export function queryReader(schema: QuerySchema | undefined): (search: string) => Record<string, unknown> {
  const fields = Object.entries(schema?.shape ?? {}).map(
    ([name, field]) => [name, coercionOf(field as z.ZodType)] as const,
  );
  return (text) => {
    const query: Record<string, unknown> = {};
    if (text === '') return query;
    const search = new URLSearchParams(text);
    for (const [name, coerce] of fields) {
      const values = search.getAll(name);
      if (values.length > 0) query[name] = coerce(values, name);
    }
    return query;
  };
}
