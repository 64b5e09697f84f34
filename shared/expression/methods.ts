import { primitive } from './operators.js';
import type { ValueMethod } from './syntax.js';
import { type Budget, checkSize, EvaluationError, isArray, ownData, spend, spendOnText, type Value } from './values.js';

/** Calls a method of a string or array. @throws EvaluationError when `object` has no such method */
export function callMethod(object: Value, method: ValueMethod, args: readonly Value[], budget: Budget): Value {
  const [first, second] = args;
  if (typeof object === 'string') return textMethod(object, method, first, second, budget);
  if (isArray(object)) {
    if (method === 'at') return arrayAt(object, position(first));
    if (method === 'includes') return arrayIncludes(object, first, position(second), budget);
  }
  throw new EvaluationError('kind', `${method} is a method of ${isArray(object) ? 'texts' : 'texts and arrays'}`);
}

function textMethod(text: string, method: ValueMethod, first: Value, second: Value, budget: Budget): Value {
  spendOnText(budget, text);
  switch (method) {
    case 'at':
      return text.at(position(first));
    case 'startsWith':
      return text.startsWith(searchText(first, budget), position(second));
    case 'endsWith':
      return text.endsWith(searchText(first, budget), second === undefined ? undefined : position(second));
    case 'includes': {
      const part = searchText(first, budget);
      // At worst, the engine's search takes the product of both lengths.
      spend(budget, (text.length * part.length) / 4096);
      return text.includes(part, position(second));
    }
    case 'toLowerCase':
      return checkSize(text.toLowerCase());
    case 'toUpperCase':
      return checkSize(text.toUpperCase());
    case 'trim':
      return text.trim();
  }
}

function searchText(value: Value, budget: Budget): string {
  spendOnText(budget, value);
  return String(primitive(value));
}

const position = (value: Value): number => Math.trunc(Number(primitive(value ?? 0))) || 0;

function arrayAt(list: readonly unknown[], index: number): Value {
  const from = index < 0 ? list.length + index : index;
  return from >= 0 && from < list.length ? ownData(list, from) : undefined;
}

function arrayIncludes(list: readonly unknown[], value: Value, from: number, budget: Budget): boolean {
  for (let index = from < 0 ? Math.max(0, list.length + from) : from; index < list.length; index++) {
    spend(budget, 1 / 8);
    const item = ownData(list, index);
    spendOnText(budget, item);
    if (item === value || (Number.isNaN(item) && Number.isNaN(value))) return true;
  }
  return false;
}
