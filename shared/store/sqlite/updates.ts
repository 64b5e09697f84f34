import type { Document } from '../port.js';
import { checkPath, isRecord, valueAt } from './values.js';

type Operator = '$set' | '$unset' | '$setOnInsert' | '$inc' | '$min' | '$max' | '$push' | '$addToSet' | '$pull';

/** One operator on one path; its operand is a copy of a JSON value. */
export interface Change {
  operator: Operator;
  path: string;
  operand: unknown;
}

const operators = new Set<string>([
  '$set',
  '$unset',
  '$setOnInsert',
  '$inc',
  '$min',
  '$max',
  '$push',
  '$addToSet',
  '$pull',
] satisfies Operator[]);

/** Parses and validates an update. Throws TypeError for what the port does not define. */
export function parseUpdate(update: unknown): Change[] {
  if (!isRecord(update)) throw new TypeError('an update is an object');
  const changes: Change[] = [];
  for (const [operator, operands] of Object.entries(update)) {
    if (!operators.has(operator)) throw new TypeError(`${operator} is not supported`);
    for (const [name, value] of Object.entries(operands ?? {})) {
      const path = checkPath(name);
      if (value === undefined) continue;
      if (path === '_id' && operator !== '$setOnInsert') throw new TypeError('_id cannot change');
      const clash = changes.find((other) => isOverlapping(other.path, path));
      if (clash) throw new TypeError(`an update changes ${clash.path} and ${path} at once`);
      changes.push({ operator: operator as Operator, path, operand: checkOperand(operator as Operator, path, value) });
    }
  }
  return changes;
}

/** Changes the document; `inserting` for a new one. Throws TypeError when a field has the wrong type. */
export function applyChanges(document: Document, changes: Change[], inserting: boolean): void {
  for (const change of changes) {
    if (change.operator === '$setOnInsert' && !inserting) continue;
    applyChange(document, change);
  }
}

/** Sets the value at a path, creating the objects on the way. */
export function setAt(document: object, path: string, value: unknown): void {
  const parts = path.split('.');
  const last = parts.pop() ?? '';
  let parent = document as Record<string, unknown>;
  for (const part of parts) {
    if (!Object.hasOwn(parent, part)) parent[part] = {};
    const child = parent[part];
    if (!isRecord(child)) throw new TypeError(`${path} leads through something that is not an object`);
    parent = child;
  }
  parent[last] = value;
}

function applyChange(document: Document, { operator, path, operand }: Change): void {
  if (operator === '$unset') {
    unsetAt(document, path);
    return;
  }
  const before = valueAt(document, path);
  const after = applyOperator(operator, path, before, operand);
  if (after !== before) setAt(document, path, after);
}

function applyOperator(operator: Exclude<Operator, '$unset'>, path: string, value: unknown, operand: unknown): unknown {
  switch (operator) {
    case '$set':
    case '$setOnInsert':
      return operand;
    case '$inc':
      if (value !== undefined && typeof value !== 'number') throw new TypeError(`${path} is not a number`);
      return (value ?? 0) + Number(operand);
    case '$min':
      return value === undefined || compareValues(operand, value) < 0 ? operand : value;
    case '$max':
      return value === undefined || compareValues(operand, value) > 0 ? operand : value;
    case '$push':
      return [...listAt(path, value), operand];
    case '$addToSet': {
      const held = listAt(path, value);
      return held.some((item) => isSame(item, operand)) && value !== undefined ? value : [...held, operand];
    }
    case '$pull':
      return value === undefined ? value : listAt(path, value).filter((item) => !isPulled(item, operand));
  }
}

function isOverlapping(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
}

function checkOperand(operator: Operator, path: string, value: unknown): unknown {
  if (operator === '$inc' && !Number.isFinite(value)) throw new TypeError(`$inc of ${path} takes a number`);
  if ((operator === '$min' || operator === '$max') && typeof value !== 'string' && !Number.isFinite(value))
    throw new TypeError(`${operator} of ${path} takes a number or a string`);
  if (['$push', '$addToSet', '$pull'].includes(operator) && isRecord(value))
    for (const name of Object.keys(value))
      if (name.startsWith('$')) throw new TypeError(`${operator} of ${path} takes a value, not operators`);
  // A copy, through JSON: the document must not share objects with the caller.
  return typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value;
}

function unsetAt(document: Document, path: string): void {
  const at = path.lastIndexOf('.');
  const parent = at < 0 ? document : valueAt(document, path.slice(0, at));
  if (isRecord(parent)) delete parent[path.slice(at + 1)];
}

function listAt(path: string, value: unknown): unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new TypeError(`${path} is not a list`);
  return value;
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));
}

/** Whether `$pull` removes an item: an object removes every item that has its fields. */
function isPulled(item: unknown, wanted: unknown): boolean {
  if (!isRecord(wanted)) return isSame(item, wanted);
  return isRecord(item) && Object.entries(wanted).every(([field, value]) => isSame(item[field], value));
}

const typeOrder = ['null', 'number', 'string', 'object', 'array', 'boolean'];

function typeRank(value: unknown): number {
  if (value === null) return 0;
  return typeOrder.indexOf(Array.isArray(value) ? 'array' : typeof value);
}

/** Compares two values: of different types by type, texts by their UTF-8 bytes. */
function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return typeRank(a) - typeRank(b);
}
