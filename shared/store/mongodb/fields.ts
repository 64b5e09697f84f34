import type { Collection, Document, Scalar } from '../port.js';

export type MongoFilter = Record<string, unknown>;

/** Facts about its fields that a filter's conjunction implies. */
export interface Facts {
  /** Every field with a condition. */
  fields: Set<string>;
  /** It also has conditions that are not on fields. */
  more: boolean;
  equal: Map<string, Scalar>;
  /** Fields under `$in`. */
  listed: Set<string>;
  /** Fields that are neither null nor missing in every match. */
  present: Set<string>;
}

/** The hidden field with the lower-cased text and the trigrams of every field under a `contains` index. */
export const TEXT = '_text';

/** Set by a batch on documents that it only checks, so that another batch cannot change them meanwhile. */
export const TOUCHED = '_touched';

const hidden = new Set<string>([TEXT, TOUCHED]);

export const isHidden = (field: string): boolean => hidden.has(field);

export const asUntyped = <D extends Document>(collection: Collection<D>): Collection<Document> =>
  collection as unknown as Collection<Document>;

/** Checks a field name or dotted path: it may not name an operator or a hidden field. Throws TypeError. */
export function checkPath(path: string): string {
  const parts = typeof path === 'string' ? path.split('.') : [''];
  if (!parts.every((part) => /^[\w-]+$/.test(part) && !reserved.has(part)) || isHidden(parts[0] ?? ''))
    throw new TypeError(`${JSON.stringify(path)} is not a field`);
  return path;
}

const reserved = new Set(['__proto__', 'constructor', 'prototype']);
