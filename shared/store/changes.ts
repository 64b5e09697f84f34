import { isDeepStrictEqual } from 'node:util';
import type { Document, Update } from './port.js';

/** The fields that a request sets: an absent field stays, `null` clears an optional one. */
export type Wanted<D> = { [K in keyof D]?: D[K] | null | undefined };

export interface Changes<D extends Document> {
  update: Update<D>;
  /** The fields that change, with their new values (null when cleared), for the audit record. */
  details: Record<string, unknown>;
  /** The document with the changes applied. */
  after: D;
}

/**
 * The changes that turn a stored document into the wanted one; null when nothing differs. Values are compared deeply; an
 * empty string is a value. `nullable` names the fields that store null instead of being cleared by it.
 */
export function changesOf<D extends Document>(
  before: D,
  wanted: Wanted<D>,
  { nullable = [] }: { nullable?: readonly (keyof D)[] } = {},
): Changes<D> | null {
  const $set: Record<string, unknown> = {};
  const $unset: Record<string, true> = {};
  for (const [field, value] of Object.entries(wanted)) {
    const stored = before[field as keyof D];
    const clears = value === null && !nullable.includes(field as keyof D);
    if (value === undefined || isDeepStrictEqual(clears ? undefined : value, stored)) continue;
    if (clears) $unset[field] = true;
    else $set[field] = value;
  }
  const cleared = Object.keys($unset);
  if (cleared.length + Object.keys($set).length === 0) return null;
  const after: Record<string, unknown> = { ...before, ...$set };
  for (const field of cleared) delete after[field];
  return {
    update: { ...(Object.keys($set).length > 0 ? { $set } : {}), ...(cleared.length > 0 ? { $unset } : {}) },
    details: { ...$set, ...Object.fromEntries(cleared.map((field) => [field, null])) },
    after: after as unknown as D,
  };
}
