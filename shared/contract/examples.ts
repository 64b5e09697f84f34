import { createHash } from 'node:crypto';
import type { z } from 'zod';

declare module 'zod' {
  interface GlobalMeta {
    /** Values as a client would send them; the API reference shows them, and the contract tests send them. */
    examples?: z.core.$input[];
  }
}

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const time = '01K0QAW7E8';

/**
 * Returns a well-formed id for examples. It is always the same for one kind of resource, named like the path parameter
 * (`space` for `spaceId`), so that tests can put the id of a real resource in its place.
 */
export const exampleId = (kind: string): string =>
  time + Array.from(createHash('sha256').update(kind).digest().subarray(0, 16), (byte) => digits[byte % 32]).join('');

/** Returns the examples in the metadata of a schema; none without a schema. */
export const examplesOf = (schema?: z.ZodType): unknown[] => schema?.meta()?.examples ?? [];
