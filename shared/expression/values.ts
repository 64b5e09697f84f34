/** Bounds of one evaluation: steps, characters of a string, items of an array. */
export const limits = { steps: 10_000, characters: 65_536, items: 10_000 } as const;

/** The steps that are left. Several evaluations may share a budget; each takes at most `limits.steps` of it. */
export interface Budget {
  steps: number;
}

export const newBudget = (steps: number = limits.steps): Budget => ({ steps });

/** For all conditions of one view, or all expressions of one document, together; those that come later fail. */
export const sharedBudget = (): Budget => newBudget(500_000);

/** An expression has no value for these inputs: it read from null or undefined, used the wrong kind of value, or spent its budget. */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError';

  constructor(
    readonly reason: 'nothing' | 'kind' | 'budget',
    message: string,
  ) {
    super(message);
  }
}

export type Primitive = string | number | boolean | null | undefined;
export type Value = Primitive | readonly unknown[] | Readonly<Record<string, unknown>>;

/** Takes `steps`, which may be a fraction, from the budget. @throws EvaluationError when the budget is spent */
export function spendSteps(budget: Budget, steps: number): void {
  budget.steps -= steps;
  if (!(budget.steps >= 0)) throw new EvaluationError('budget', 'The expression takes too many steps');
}

/** Takes the steps for reading an expression, also when it is known: what holds must not depend on what is remembered. */
export const spendOnParsing = (budget: Budget, text: string): void => spendSteps(budget, text.length / 4);

/** Takes the steps for work on a text: one for 256 characters. */
export const spendOnText = (budget: Budget, value: Value): void => {
  if (typeof value === 'string' && value.length >= 256) spendSteps(budget, value.length / 256);
};

export function checkSize<Sized extends Value>(value: Sized): Sized {
  if (typeof value === 'string' && value.length > limits.characters) {
    throw new EvaluationError('budget', `A text is longer than ${limits.characters} characters`);
  }
  if (Array.isArray(value) && value.length > limits.items) {
    throw new EvaluationError('budget', `An array has more than ${limits.items} items`);
  }
  return value;
}

export const isPrimitive = (value: Value): value is Primitive => value === null || typeof value !== 'object';
export const isArray = (value: Value): value is readonly unknown[] => Array.isArray(value);

/** An outside value as plain data: undefined for whatever JSON cannot express. */
export function toPlain(value: unknown): Value {
  switch (typeof value) {
    case 'string':
      return checkSize(value);
    case 'number':
    case 'boolean':
      return value;
    case 'object':
      if (value === null) return null;
      if (Array.isArray(value)) return checkSize(value);
      return isRecord(value) ? value : undefined;
    default:
      return undefined;
  }
}

/** Whether an object is plain: without a prototype, or with `Object.prototype` of any realm. */
function isRecord(value: object): value is Record<string, unknown> {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The value of an own data property. Getters are not run and prototypes are not read. */
export function ownData(object: object, key: string | number): Value {
  const property = Object.getOwnPropertyDescriptor(object, key);
  return property && 'value' in property ? toPlain(property.value) : undefined;
}

/** `object[key]` for plain data: items, characters, `length` and own properties; otherwise undefined. */
export function readMember(object: Value, key: Value): Value {
  if (object === null || object === undefined) {
    throw new EvaluationError('nothing', `Cannot read a property of ${object}`);
  }
  const name = propertyName(key);
  if (typeof object === 'string') return name === 'length' ? object.length : textItem(object, name);
  if (isPrimitive(object)) return undefined;
  if (isArray(object)) return name === 'length' ? object.length : ownItem(object, name);
  return ownData(object, name);
}

export function hasMember(object: Value, key: Value): boolean {
  if (isPrimitive(object)) throw new EvaluationError('kind', '"in" needs an object on its right');
  const name = propertyName(key);
  if (isArray(object)) return name === 'length' || isIndex(object.length, name);
  const property = Object.getOwnPropertyDescriptor(object, name);
  return property !== undefined && 'value' in property;
}

function propertyName(key: Value): string {
  if (!isPrimitive(key)) throw new EvaluationError('kind', 'A property name must be a text or a number');
  return String(key);
}

function isIndex(length: number, name: string): boolean {
  const index = Number(name);
  return Number.isInteger(index) && index >= 0 && index < length && String(index) === name;
}

const textItem = (text: string, name: string) => (isIndex(text.length, name) ? text[Number(name)] : undefined);
const ownItem = (list: readonly unknown[], name: string) =>
  isIndex(list.length, name) ? ownData(list, name) : undefined;
