import type { Collection, Document, ReadOptions } from '../port.js';
import { containsFields, foldValue } from './contains.js';
import { checkPath, isHidden, TEXT, TOUCHED } from './fields.js';

/** A document as MongoDB holds it, including hidden fields. */
export interface Stored {
  _id: string;
  [field: string]: unknown;
}

export function storedDocument(collection: Collection<Document>, document: Document): Stored {
  if (typeof document._id !== 'string' || document._id === '') throw new TypeError('a document needs a string _id');
  for (const name of Object.keys(document))
    if (name === '' || name.startsWith('$') || name.includes('.') || name.includes('\0') || isHidden(name))
      throw new TypeError(`${JSON.stringify(name)} is not a field`);
  const stored: Stored = { ...document };
  const texts: Record<string, unknown> = {};
  for (const field of containsFields(collection)) {
    const text = foldValue(stored[field]);
    if (text) texts[field] = text;
  }
  if (Object.keys(texts).length > 0) stored[TEXT] = texts;
  return stored;
}

/** A projection without hidden fields; with `fields`, of only these, `_id` and `also`. */
export function projection(options: ReadOptions<never> = {}, also: string[] = []): Record<string, 0 | 1> {
  const { fields } = options as { fields?: string[] };
  if (!fields) return { [TEXT]: 0, [TOUCHED]: 0 };
  const shown: Record<string, 1> = { _id: 1 };
  for (const field of [...fields, ...also]) shown[checkPath(field)] = 1;
  return shown;
}
