import type { Collection, Document, Filter, Update } from '../port.js';
import { containsFields, foldValue } from './contains.js';
import { asUntyped, checkPath, type MongoFilter, TEXT } from './fields.js';
import { filterFacts } from './filters.js';

export type MongoUpdate = Record<string, Record<string, unknown>>;

const operators = new Set(['$set', '$unset', '$setOnInsert', '$inc', '$min', '$max', '$push', '$addToSet', '$pull']);

/** Translates an update into MongoDB's terms, with the hidden texts. Throws TypeError for what the port does not define. */
export function mongoUpdate<D extends Document>(collection: Collection<D>, update: Update<D>): MongoUpdate {
  const result: MongoUpdate = {};
  const searched = containsFields(asUntyped(collection));
  const changed: string[] = [];
  for (const [operator, changes] of Object.entries(update)) {
    if (!operators.has(operator)) throw new TypeError(`${operator} is not supported`);
    for (const [path, value] of Object.entries(changes ?? {})) {
      if (value === undefined) continue;
      checkPath(path);
      checkAlone(changed, path);
      if (path === '_id' && operator !== '$setOnInsert') throw new TypeError('_id cannot change');
      setOperator(result, operator, path, mongoOperand(operator, path, value));
      const root = path.split('.', 1)[0] ?? '';
      if (searched.has(root)) putText(result, operator, root, path, value);
    }
  }
  // MongoDB would read an empty update as a replacement.
  return Object.keys(result).length > 0 ? result : { $set: {} };
}

/** `mongoUpdate` for an upsert: the equalities of the filter are also stored and searched when it inserts. */
export function mongoUpsert<D extends Document>(
  collection: Collection<D>,
  filter: Filter<D>,
  update: Update<D>,
): MongoUpdate {
  const result = mongoUpdate(collection, update);
  const { equal } = filterFacts(filter as MongoFilter);
  const id = equal.get('_id') ?? result.$setOnInsert?._id;
  if (typeof id !== 'string' || id === '') throw new TypeError(`an upsert into ${collection.name} needs a string _id`);
  const set = { ...result.$set, ...result.$setOnInsert };
  for (const field of containsFields(asUntyped(collection))) {
    const text = foldValue(equal.get(field));
    if (text && !(field in set)) setOperator(result, '$setOnInsert', `${TEXT}.${field}`, text);
  }
  return result;
}

function checkAlone(changed: string[], path: string): void {
  const other = changed.find((each) => each === path || each.startsWith(`${path}.`) || path.startsWith(`${each}.`));
  if (other !== undefined) throw new TypeError(`an update changes ${other} and ${path} at once`);
  changed.push(path);
}

function setOperator(update: MongoUpdate, operator: string, path: string, value: unknown): void {
  update[operator] = { ...update[operator], [path]: value };
}

/** Values are literal: a key of a pushed document is never a modifier. */
function mongoOperand(operator: string, path: string, value: unknown): unknown {
  if (operator === '$unset') return '';
  if (operator === '$inc' && !Number.isFinite(value)) throw new TypeError(`$inc of ${path} takes a number`);
  if ((operator === '$min' || operator === '$max') && typeof value !== 'string' && !Number.isFinite(value))
    throw new TypeError(`${operator} of ${path} takes a number or a string`);
  if (operator === '$push' || operator === '$addToSet') return { $each: [checkLiteral(operator, path, value)] };
  if (operator === '$pull') return checkLiteral(operator, path, value);
  return value;
}

function checkLiteral(operator: string, path: string, value: unknown): unknown {
  if (typeof value === 'object' && value !== null && Object.keys(value).some((name) => name.startsWith('$')))
    throw new TypeError(`${operator} of ${path} takes a value, not operators`);
  return value;
}

const wholly = new Set(['$set', '$unset', '$setOnInsert']);

function putText(update: MongoUpdate, operator: string, field: string, path: string, value: unknown): void {
  if (path !== field || !wholly.has(operator))
    throw new TypeError(`${field} is searched, so it can only change by $set and $unset`);
  const text = operator === '$unset' ? null : foldValue(value);
  if (text) setOperator(update, operator, `${TEXT}.${field}`, text);
  else if (operator !== '$setOnInsert') setOperator(update, '$unset', `${TEXT}.${field}`, '');
}
