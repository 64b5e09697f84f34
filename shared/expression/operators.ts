import type { BinaryOperator, UnaryOperator } from './syntax.js';
import {
  type Budget,
  checkSize,
  EvaluationError,
  hasMember,
  isPrimitive,
  type Primitive,
  spendOnText,
  type Value,
} from './values.js';

export function applyUnary(operator: UnaryOperator, operand: Value, budget: Budget): Value {
  spendOnText(budget, operand);
  switch (operator) {
    case '!':
      return !operand;
    case 'typeof':
      return typeof operand;
    case '-':
      return -toNumber(operand);
    case '+':
      return toNumber(operand);
  }
}

export function applyBinary(operator: BinaryOperator, left: Value, right: Value, budget: Budget): Value {
  spendOnText(budget, left);
  spendOnText(budget, right);
  switch (operator) {
    case '===':
      return left === right;
    case '!==':
      return left !== right;
    case '==':
      return looselyEqual(left, right);
    case '!=':
      return !looselyEqual(left, right);
    case 'in':
      return hasMember(right, left);
    case '+':
      return addValues(left, right);
    case '-':
      return toNumber(left) - toNumber(right);
    case '*':
      return toNumber(left) * toNumber(right);
    case '/':
      return toNumber(left) / toNumber(right);
    case '%':
      return toNumber(left) % toNumber(right);
    default:
      return isOrdered(operator, left, right);
  }
}

/** JavaScript's `==`, except that an array or object equals only itself: converting it to a text could run its code. */
function looselyEqual(left: Value, right: Value): boolean {
  if (!isPrimitive(left) || !isPrimitive(right)) return left === right;
  // biome-ignore lint/suspicious/noDoubleEquals: the language has JavaScript's loose equality
  return left == right;
}

function isOrdered(operator: '<' | '<=' | '>' | '>=', left: Value, right: Value): boolean {
  const texts = typeof left === 'string' && typeof right === 'string';
  const [a, b] = texts ? [left, right] : [toNumber(left), toNumber(right)];
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a >= b;
}

function addValues(left: Value, right: Value): Value {
  const [a, b] = [toPrimitive(left), toPrimitive(right)];
  return typeof a === 'string' || typeof b === 'string' ? checkSize(`${a}${b}`) : Number(a) + Number(b);
}

const toNumber = (value: Value): number => Number(toPrimitive(value));

/** @throws EvaluationError for arrays and objects: their own methods must not run to convert them */
export function toPrimitive(value: Value): Primitive {
  if (isPrimitive(value)) return value;
  throw new EvaluationError('kind', 'An array or object is not a text or number');
}
