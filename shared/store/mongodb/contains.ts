import type { Collection, ContainsIndex, Document } from '../port.js';
import { type Facts, type MongoFilter, TEXT } from './fields.js';

/** `low` is searched for the text; `grams` narrows down which documents to search. */
interface FoldedText {
  low: string | string[];
  grams: string[];
}

export const gramsPath = (field: string) => `${TEXT}.${field}.grams`;

export function isContains<D extends Document>(index: { kind?: string }): index is ContainsIndex<D> {
  return index.kind === 'contains';
}

export function containsFields(collection: Collection<Document>): Set<string> {
  return new Set(collection.indexes.filter(isContains<Document>).flatMap(({ fields }) => fields as string[]));
}

/** Null for a value without text. */
export function foldValue(value: unknown): FoldedText | null {
  if (typeof value === 'string') {
    const low = value.toLowerCase();
    return { low, grams: trigrams(low) };
  }
  if (!Array.isArray(value)) return null;
  const low = value.filter((item) => typeof item === 'string').map((item) => item.toLowerCase());
  return { low, grams: [...new Set(low.flatMap(trigrams))] };
}

function trigrams(text: string): string[] {
  const characters = [...text];
  const grams = new Set<string>();
  for (let at = 0; at + 3 <= characters.length; at++) grams.add(characters.slice(at, at + 3).join(''));
  return [...grams];
}

/**
 * The trigrams to look a text up by: of its first nine characters and its end, overlapping as little as possible. Each
 * further one would be tested on every candidate, although `low` decides in the end.
 */
function tellingTrigrams(text: string): string[] {
  const characters = [...text];
  const last = characters.length - 3;
  const starts = [0, 3, 6, last].filter((at) => at >= 0 && at <= last);
  return [...new Set(starts.map((at) => characters.slice(at, at + 3).join('')))];
}

/** A text of less than three characters has no trigram, so everything that matches `within` is searched. */
export function containsClause(collection: Collection<Document>, value: unknown, facts: Facts): MongoFilter {
  const { index: name, text } = (value ?? {}) as { index?: unknown; text?: unknown };
  const index = collection.indexes.filter(isContains<Document>).find((each) => each.name === name);
  if (!index) throw new TypeError(`${collection.name} has no contains index ${JSON.stringify(name)}`);
  if (typeof text !== 'string') throw new TypeError('$contains takes a text');
  const missing = index.within.filter((field) => !facts.equal.has(field) && !facts.listed.has(field));
  if (missing.length > 0) throw new TypeError(`$contains of ${index.name} needs ${missing.join(', ')} in the filter`);
  if (text === '') return {};
  const low = text.toLowerCase();
  const grams = tellingTrigrams(low);
  const clauses = index.fields.map((field) => ({
    ...(grams.length > 0 && { [gramsPath(field)]: { $all: grams } }),
    [`${TEXT}.${field}.low`]: { $regex: escapeRegex(low) },
  }));
  return clauses.length === 1 && clauses[0] ? clauses[0] : { $or: clauses };
}

const escapeRegex = (text: string) => text.replace(/[\\^$.*+?()[\]{}|#/-]/g, '\\$&').replaceAll('\0', '\\x00');
