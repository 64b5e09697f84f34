import { MongoError, MongoServerError } from 'mongodb';
import { type Collection, type Document, StoreDuplicate } from '../port.js';
import { indexFields } from './indexes.js';

/** BadValue, TypeMismatch, PathNotViable, ConflictingUpdateOperators: the update does not fit the document. */
const misfits = new Set<unknown>([2, 14, 28, 40]);

/** Turns the error of a write into the port's: a duplicate, or an update that does not fit. Others come back unchanged. */
export function storeError(collection: Collection<never>, error: unknown): unknown {
  if (error instanceof MongoServerError && misfits.has(error.code))
    return new TypeError(`${collection.name}: ${error.message}`, { cause: error });
  if (!(error instanceof MongoError && error.code === 11000)) return error;
  const name = /index: (\S+)/.exec(error.message)?.[1] ?? '';
  const declared = indexFields(collection as Collection<Document>, name);
  const { keyPattern = {} } = error as { keyPattern?: Record<string, unknown> };
  return new StoreDuplicate(collection.name, declared ?? Object.keys(keyPattern));
}
