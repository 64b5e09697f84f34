import type { Scalar } from '../port.js';
import { checkPath, isRecord, isScalar } from './values.js';

export type Comparison = '$gt' | '$gte' | '$lt' | '$lte';

/** One condition on one field. */
export type Test =
  | { kind: 'equal'; path: string; value: Scalar; negated: boolean }
  | { kind: 'listed'; path: string; values: Scalar[]; negated: boolean }
  | { kind: 'compared'; path: string; operator: Comparison; value: string | number | boolean }
  | { kind: 'exists'; path: string; present: boolean };

/** A filter is the conjunction of its clauses. */
export type Clause = Test | { kind: 'any'; filters: Clause[][] } | { kind: 'contains'; index: string; text: string };

/** Parses and validates a filter. Throws TypeError for what the port does not define. */
export function parseFilter(filter: unknown): Clause[] {
  if (!isRecord(filter)) throw new TypeError('a filter is an object');
  return Object.entries(filter).flatMap(([name, value]): Clause[] => {
    if (name === '$and') return parseFilterList(name, value).flat();
    if (name === '$or') return [{ kind: 'any', filters: parseFilterList(name, value) }];
    if (name === '$contains') return [parseContains(value)];
    return parseTests(checkPath(name), value);
  });
}

/** The values that every match has, by field. */
export function equalValues(clauses: Clause[]): Map<string, Scalar> {
  const equal = new Map<string, Scalar>();
  for (const clause of clauses) if (clause.kind === 'equal' && !clause.negated) equal.set(clause.path, clause.value);
  return equal;
}

function parseFilterList(name: string, value: unknown): Clause[][] {
  if (!Array.isArray(value) || value.length === 0) throw new TypeError(`${name} takes a list of filters`);
  return value.map(parseFilter);
}

function parseContains(value: unknown): Clause {
  if (!isRecord(value) || typeof value.index !== 'string' || typeof value.text !== 'string')
    throw new TypeError('$contains takes the name of an index and a text');
  return { kind: 'contains', index: value.index, text: value.text };
}

function parseTests(path: string, value: unknown): Test[] {
  if (isScalar(value)) return [{ kind: 'equal', path, value, negated: false }];
  const conditions = isRecord(value) ? Object.entries(value) : [];
  if (conditions.length === 0) throw new TypeError(`${path} takes a scalar or conditions`);
  return conditions.map(([operator, operand]) => parseTest(path, operator, operand));
}

function parseTest(path: string, operator: string, operand: unknown): Test {
  switch (operator) {
    case '$eq':
    case '$ne':
      if (!isScalar(operand)) throw new TypeError(`${operator} on ${path} takes a scalar`);
      return { kind: 'equal', path, value: operand, negated: operator === '$ne' };
    case '$in':
    case '$nin':
      if (!Array.isArray(operand) || !operand.every(isScalar))
        throw new TypeError(`${operator} on ${path} takes a list of scalars`);
      return { kind: 'listed', path, values: [...new Set<Scalar>(operand)], negated: operator === '$nin' };
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      if (!isScalar(operand) || operand === null) throw new TypeError(`${operator} on ${path} takes a scalar`);
      return { kind: 'compared', path, operator, value: operand };
    case '$exists':
      if (typeof operand !== 'boolean') throw new TypeError(`$exists on ${path} takes true or false`);
      return { kind: 'exists', path, present: operand };
    default:
      throw new TypeError(`${operator} on ${path} is not supported`);
  }
}
