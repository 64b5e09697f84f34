import { applyBinary, applyUnary, toPrimitive } from './operators.js';
import { parseExpression } from './parse.js';
import {
  type CallNode,
  type EachNode,
  type Expression,
  ExpressionError,
  type MemberNode,
  type Node,
  type ValueMethod,
} from './syntax.js';
import {
  type Budget,
  checkSize,
  EvaluationError,
  isArray,
  limits,
  newBudget,
  ownData,
  readMember,
  spendOnParsing,
  spendOnText,
  spendSteps,
  type Value,
} from './values.js';

/** Data that an expression can read: own data properties of plain objects and arrays. All else is undefined. */
export interface Inputs {
  readonly visitor: { readonly claims: Readonly<Record<string, unknown>> };
  readonly space?: { readonly vars: Readonly<Record<string, unknown>> };
  readonly page?: { readonly vars: Readonly<Record<string, unknown>> };
}

/**
 * Evaluates an expression to plain data. Arrays and objects may belong to the inputs, so treat them as read-only.
 * @throws EvaluationError when it reads a property of null or undefined, calls a method on the wrong kind of value, or spends its
 * budget: 10,000 steps, or the rest of a `budget` that several evaluations share
 */
export function evaluate(expression: Expression, inputs: Inputs, budget: Budget = newBudget()): unknown {
  const given = Math.min(limits.steps, budget.steps);
  const own = newBudget(given);
  try {
    return evaluateNode(expression.tree, { inputs, budget: own, slots: [] });
  } finally {
    budget.steps -= given - own.steps;
  }
}

/** Whether a condition holds: its value as a boolean, false when it has none. */
export function holds(expression: Expression, inputs: Inputs, budget?: Budget): boolean {
  return Boolean(evaluateOr(expression, inputs, budget, false));
}

/** Whether a stored condition holds. Without one, or with a blank one, it does; with an invalid expression it does not. */
export function conditionHolds(text: string | null | undefined, inputs: Inputs, budget?: Budget): boolean {
  if (text === null || text === undefined || text.trim() === '') return true;
  try {
    if (budget) spendOnParsing(budget, text);
    return holds(parseExpression(text), inputs, budget);
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof EvaluationError) return false;
    throw error;
  }
}

/** The text that an inline expression prints: strings, numbers and booleans. Any other value prints nothing. */
export function evaluateText(expression: Expression, inputs: Inputs, budget?: Budget): string {
  const value = evaluateOr(expression, inputs, budget, '');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function evaluateOr(expression: Expression, inputs: Inputs, budget: Budget | undefined, otherwise: unknown): unknown {
  try {
    return evaluate(expression, inputs, budget);
  } catch (error) {
    // RangeError: the call stack was nearly full before the evaluation.
    if (error instanceof EvaluationError || error instanceof RangeError) return otherwise;
    throw error;
  }
}

interface Run {
  readonly inputs: Inputs;
  readonly budget: Budget;
  /** Values of the arrow functions' parameters, by slot. */
  readonly slots: Value[];
}

/** The result of `?.` on null or undefined, up to the end of its chain. */
const stopped = Symbol('stopped');
type Outcome = Value | typeof stopped;

const undefinedIfStopped = (outcome: Outcome): Value => (outcome === stopped ? undefined : outcome);

const evaluateNode = (node: Node, run: Run): Value => undefinedIfStopped(evaluateInChain(node, run));

function evaluateInChain(node: Node, run: Run): Outcome {
  spendSteps(run.budget, 1);
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'root':
      return ownData(run.inputs, node.name);
    case 'parameter':
      return run.slots[node.slot];
    case 'array':
      return node.items.map((item) => evaluateNode(item, run));
    case 'template':
      return evaluateTemplate(node.texts, node.values, run);
    case 'unary':
      return applyUnary(node.operator, evaluateNode(node.operand, run), run.budget);
    case 'binary':
      return applyBinary(node.operator, evaluateNode(node.left, run), evaluateNode(node.right, run), run.budget);
    case 'logical': {
      const left = evaluateNode(node.left, run);
      const enough =
        node.operator === '&&' ? !left : node.operator === '||' ? left : left !== null && left !== undefined;
      return enough ? left : evaluateNode(node.right, run);
    }
    case 'choice':
      return evaluateNode(evaluateNode(node.test, run) ? node.whenTrue : node.whenFalse, run);
    case 'chain':
      return evaluateNode(node.inner, run);
    case 'member':
    case 'call':
    case 'each':
      return evaluateLink(node, run);
  }
}

/** Evaluates one link of a chain, which may have stopped at an earlier `?.`. */
function evaluateLink(node: MemberNode | CallNode | EachNode, run: Run): Outcome {
  const object = evaluateInChain(node.object, run);
  if (object === stopped || (node.optional && (object === null || object === undefined))) return stopped;
  if (node.kind === 'member') return readMember(object, evaluateNode(node.key, run));
  if (node.kind === 'each') return evaluateEach(node, object, run);
  const args = node.args.map((argument) => evaluateNode(argument, run));
  return callMethod(object, node.method, args, run.budget);
}

function evaluateTemplate(texts: readonly string[], values: readonly Node[], run: Run): string {
  let printed = texts[0] ?? '';
  for (const [index, part] of values.entries()) {
    const value = toPrimitive(evaluateNode(part, run));
    printed = checkSize(`${printed}${value}${texts[index + 1] ?? ''}`);
    spendOnText(run.budget, printed);
  }
  return printed;
}

/** Fills three slots always: those that the arrow does not name belong to inner arrows, which fill them before they read. */
function evaluateEach(node: EachNode, list: Value, run: Run): Value {
  if (!isArray(list)) throw new EvaluationError('kind', `${node.method} is a method of arrays`);
  const kept: Value[] = [];
  for (let index = 0; index < list.length; index++) {
    const item = ownData(list, index);
    run.slots[node.firstSlot] = item;
    run.slots[node.firstSlot + 1] = index;
    run.slots[node.firstSlot + 2] = list;
    const result = evaluateNode(node.body, run);
    if (node.method === 'some' && result) return true;
    if (node.method === 'every' && !result) return false;
    if (node.method === 'map') kept.push(result);
    if (node.method === 'filter' && result) kept.push(item);
  }
  if (node.method === 'some' || node.method === 'every') return node.method === 'every';
  return kept;
}

/** Calls a method of a string or array. @throws EvaluationError when `object` has no such method */
function callMethod(object: Value, method: ValueMethod, args: readonly Value[], budget: Budget): Value {
  const [first, second] = args;
  if (typeof object === 'string') return textMethod(object, method, first, second, budget);
  if (isArray(object)) {
    if (method === 'at') return itemAt(object, toPosition(first));
    if (method === 'includes') return arrayIncludes(object, first, toPosition(second), budget);
  }
  throw new EvaluationError('kind', `${method} is a method of ${isArray(object) ? 'texts' : 'texts and arrays'}`);
}

function textMethod(text: string, method: ValueMethod, first: Value, second: Value, budget: Budget): Value {
  spendOnText(budget, text);
  switch (method) {
    case 'at':
      return text.at(toPosition(first));
    case 'startsWith':
      return text.startsWith(searchText(first, budget), toPosition(second));
    case 'endsWith':
      return text.endsWith(searchText(first, budget), second === undefined ? undefined : toPosition(second));
    case 'includes': {
      const part = searchText(first, budget);
      // At worst, the engine's search takes the product of both lengths.
      spendSteps(budget, (text.length * part.length) / 4096);
      return text.includes(part, toPosition(second));
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
  return String(toPrimitive(value));
}

const toPosition = (value: Value): number => Math.trunc(Number(toPrimitive(value ?? 0))) || 0;

function itemAt(list: readonly unknown[], index: number): Value {
  const from = index < 0 ? list.length + index : index;
  return from >= 0 && from < list.length ? ownData(list, from) : undefined;
}

function arrayIncludes(list: readonly unknown[], value: Value, from: number, budget: Budget): boolean {
  for (let index = from < 0 ? Math.max(0, list.length + from) : from; index < list.length; index++) {
    spendSteps(budget, 1 / 8);
    const item = ownData(list, index);
    spendOnText(budget, item);
    if (item === value || (Number.isNaN(item) && Number.isNaN(value))) return true;
  }
  return false;
}
