import type { Collection, Document, Filter, Scalar } from '../port.js';
import { containsClause } from './contains.js';
import { asUntyped, checkPath, type Facts, type MongoFilter } from './fields.js';

const comparisons = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte']);

/** The types that a field can have in addition to null. */
export const PRESENT = { $type: ['string', 'number', 'bool', 'object', 'array'] };

/** Translates a filter into MongoDB's terms. Throws TypeError for what the port does not define. */
export function mongoFilter<D extends Document>(collection: Collection<D>, filter: Filter<D>): MongoFilter {
  const facts = filterFacts(filter as MongoFilter);
  const clauses = mongoClauses(asUntyped(collection), filter as MongoFilter, facts);
  // MongoDB uses a partial index only for a query that repeats its condition.
  if (!facts.equal.has('_id'))
    for (const index of collection.indexes)
      if ((index.kind ?? 'key') === 'key' && 'where' in index && index.where && facts.present.has(index.where))
        clauses.push({ [index.where]: PRESENT });
  return joinClauses(clauses);
}

function joinClauses(clauses: MongoFilter[]): MongoFilter {
  const [first, ...others] = clauses;
  if (!first) return {};
  return others.length === 0 ? first : { $and: clauses };
}

function mongoClauses(collection: Collection<Document>, filter: MongoFilter, facts: Facts): MongoFilter[] {
  const clauses: MongoFilter[] = [];
  const flat: MongoFilter = {};
  const nestedFilters = (parts: unknown, name: string) => {
    if (!Array.isArray(parts) || parts.length === 0) throw new TypeError(`${name} takes a list of filters`);
    return parts.map((part) => joinClauses(mongoClauses(collection, part, facts)));
  };
  for (const [name, value] of Object.entries(checkPlain(filter))) {
    if (name === '$and') clauses.push(...nestedFilters(value, name));
    else if (name === '$or') clauses.push({ $or: nestedFilters(value, name) });
    else if (name === '$contains') clauses.push(containsClause(collection, value, facts));
    else flat[checkPath(name)] = mongoCondition(name, value);
  }
  return Object.keys(flat).length > 0 ? [flat, ...clauses] : clauses;
}

function mongoCondition(name: string, value: unknown): unknown {
  if (isScalar(value)) return { $eq: value };
  const entries = Object.entries(checkPlain(value, name));
  if (entries.length === 0) throw new TypeError(`the condition on ${name} is empty`);
  for (const [operator, operand] of entries) checkOperand(name, operator, operand);
  return value;
}

function checkOperand(name: string, operator: string, operand: unknown): void {
  if (operator === '$in' || operator === '$nin') {
    if (Array.isArray(operand) && operand.every(isScalar)) return;
    throw new TypeError(`${operator} on ${name} takes a list of scalars`);
  }
  if (operator === '$exists') {
    if (typeof operand === 'boolean') return;
    throw new TypeError(`$exists on ${name} takes true or false`);
  }
  if (!comparisons.has(operator)) throw new TypeError(`${operator} on ${name} is not supported`);
  const ordered = operator !== '$eq' && operator !== '$ne';
  if (!isScalar(operand) || (ordered && operand === null)) throw new TypeError(`${operator} on ${name} takes a scalar`);
}

export const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

function checkPlain(value: unknown, name = 'a filter'): MongoFilter {
  const prototype = typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : undefined;
  // Compares the constructor's name, since test runners have their own Object.
  if (prototype === null || prototype?.constructor?.name === 'Object') return value as MongoFilter;
  throw new TypeError(`${name} takes a scalar or conditions`);
}

export function filterFacts(filter: MongoFilter, facts: Facts = emptyFacts()): Facts {
  for (const [name, value] of Object.entries(checkPlain(filter))) {
    if (name === '$and' && Array.isArray(value)) for (const part of value) filterFacts(part, facts);
    else if (name.startsWith('$')) facts.more = true;
    else learnFacts(facts, name, isScalar(value) ? { $eq: value } : (value as MongoFilter));
  }
  return facts;
}

const emptyFacts = (): Facts => ({
  fields: new Set(),
  more: false,
  equal: new Map(),
  listed: new Set(),
  present: new Set(),
});

function learnFacts(facts: Facts, name: string, conditions: MongoFilter): void {
  facts.fields.add(name);
  for (const [operator, operand] of Object.entries(conditions ?? {})) {
    if (operator === '$eq') facts.equal.set(name, operand as Scalar);
    if (operator === '$in') facts.listed.add(name);
    if (excludesNull(operator, operand)) facts.present.add(name);
  }
}

function excludesNull(operator: string, operand: unknown): boolean {
  if (operator === '$ne') return operand === null;
  if (operator === '$in') return Array.isArray(operand) && !operand.includes(null);
  if (operator === '$nin') return Array.isArray(operand) && operand.includes(null);
  return comparisons.has(operator) && operand !== null;
}
