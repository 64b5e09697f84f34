import type { Scalar } from '../port.js';
import type { Bound } from './connection.js';

const reserved = new Set(['__proto__', 'constructor', 'prototype']);

/** Checks a field name or dotted path. Throws TypeError for one with any other meaning. */
export function checkPath(path: unknown): string {
  const parts = typeof path === 'string' ? path.split('.') : [''];
  if (!parts.every((part) => /^[\w-]+$/.test(part) && !reserved.has(part)))
    throw new TypeError(`${JSON.stringify(path)} is not a field`);
  return parts.join('.');
}

export function checkField(name: unknown): string {
  const path = checkPath(name);
  if (path.includes('.')) throw new TypeError(`${path} is not a top-level field`);
  return path;
}

export function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

/** Whether a value is an object with fields: not an array and not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a dotted path, which reaches into objects but not into arrays. */
export function valueAt(document: unknown, path: string): unknown {
  let value = document;
  for (const part of path.split('.')) {
    if (!isRecord(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

// MongoDB's order of types in terms of SQLite's: null, numbers, text, blobs. Objects and arrays are blobs below booleans.
const FALSE = Buffer.from('1');
const TRUE = Buffer.from('2');
export const LEAST_TEXT = `''`;
export const LEAST_BLOB = `x''`;
export const LEAST_BOOLEAN = `x'31'`;

/** A scalar as columns and side tables hold it. */
export function boundValue(value: Scalar): Bound {
  if (typeof value === 'boolean') return value ? TRUE : FALSE;
  // SQLite reads such an integer from JSON exactly, so it must not be bound as a float.
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 63)
    return BigInt(String(value));
  return value;
}

/** The reverse of `boundValue`; undefined for an object or an array. */
export function unbindValue(value: string | number | Uint8Array | null | undefined): Scalar | undefined {
  if (!(value instanceof Uint8Array)) return value;
  if (value.length !== 1) return undefined;
  return value[0] === TRUE[0];
}

export function jsonPath(path: string): string {
  return `'$${path
    .split('.')
    .map((part) => `."${part}"`)
    .join('')}'`;
}

/** SQL for the value at a path of `doc`, as `boundValue` has it. */
export function valueSql(doc: string, path: string): string {
  const at = jsonPath(path);
  return `CASE json_type(${doc}, ${at}) WHEN 'true' THEN x'32' WHEN 'false' THEN x'31' \
WHEN 'object' THEN CAST('0' || (${doc} -> ${at}) AS BLOB) WHEN 'array' THEN CAST('0' || (${doc} -> ${at}) AS BLOB) \
ELSE json_extract(${doc}, ${at}) END`;
}

/** SQL for the value of a row of json_each. */
export function itemSql(each: string): string {
  return `CASE ${each}.type WHEN 'true' THEN x'32' WHEN 'false' THEN x'31' WHEN 'object' THEN x'30' \
WHEN 'array' THEN x'30' ELSE ${each}.value END`;
}
