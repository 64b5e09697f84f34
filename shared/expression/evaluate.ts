import { callMethod } from './methods.js';
import { binary, primitive, unary } from './operators.js';
import { parseExpression } from './parse.js';
import {
  type CallNode,
  type EachNode,
  type Expression,
  ExpressionError,
  type MemberNode,
  type Node,
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
  spend,
  spendOnParsing,
  spendOnText,
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
    return resultOf(expression.tree, { inputs, budget: own, slots: [] });
  } finally {
    budget.steps -= given - own.steps;
  }
}

/** Whether a condition holds: its value as a boolean, false when it has none. */
export function holds(expression: Expression, inputs: Inputs, budget?: Budget): boolean {
  return Boolean(valueOr(expression, inputs, budget, false));
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
  const value = valueOr(expression, inputs, budget, '');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function valueOr(expression: Expression, inputs: Inputs, budget: Budget | undefined, otherwise: unknown): unknown {
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

const settle = (outcome: Outcome): Value => (outcome === stopped ? undefined : outcome);

const resultOf = (node: Node, run: Run): Value => settle(outcomeOf(node, run));

function outcomeOf(node: Node, run: Run): Outcome {
  spend(run.budget, 1);
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'root':
      return ownData(run.inputs, node.name);
    case 'parameter':
      return run.slots[node.slot];
    case 'array':
      return node.items.map((item) => resultOf(item, run));
    case 'template':
      return template(node.texts, node.values, run);
    case 'unary':
      return unary(node.operator, resultOf(node.operand, run), run.budget);
    case 'binary':
      return binary(node.operator, resultOf(node.left, run), resultOf(node.right, run), run.budget);
    case 'logical': {
      const left = resultOf(node.left, run);
      const enough =
        node.operator === '&&' ? !left : node.operator === '||' ? left : left !== null && left !== undefined;
      return enough ? left : resultOf(node.right, run);
    }
    case 'choice':
      return resultOf(resultOf(node.test, run) ? node.whenTrue : node.whenFalse, run);
    case 'chain':
      return resultOf(node.inner, run);
    case 'member':
    case 'call':
    case 'each':
      return link(node, run);
  }
}

/** Evaluates one link of a chain, which may have stopped at an earlier `?.`. */
function link(node: MemberNode | CallNode | EachNode, run: Run): Outcome {
  const object = outcomeOf(node.object, run);
  if (object === stopped || (node.optional && (object === null || object === undefined))) return stopped;
  if (node.kind === 'member') return readMember(object, resultOf(node.key, run));
  if (node.kind === 'each') return each(node, object, run);
  const args = node.args.map((argument) => resultOf(argument, run));
  return callMethod(object, node.method, args, run.budget);
}

function template(texts: readonly string[], values: readonly Node[], run: Run): string {
  let printed = texts[0] ?? '';
  for (const [index, part] of values.entries()) {
    const value = primitive(resultOf(part, run));
    printed = checkSize(`${printed}${value}${texts[index + 1] ?? ''}`);
    spendOnText(run.budget, printed);
  }
  return printed;
}

/** Fills three slots always: those that the arrow does not name belong to inner arrows, which fill them before they read. */
function each(node: EachNode, list: Value, run: Run): Value {
  if (!isArray(list)) throw new EvaluationError('kind', `${node.method} is a method of arrays`);
  const kept: Value[] = [];
  for (let index = 0; index < list.length; index++) {
    const item = ownData(list, index);
    run.slots[node.firstSlot] = item;
    run.slots[node.firstSlot + 1] = index;
    run.slots[node.firstSlot + 2] = list;
    const result = resultOf(node.body, run);
    if (node.method === 'some' && result) return true;
    if (node.method === 'every' && !result) return false;
    if (node.method === 'map') kept.push(result);
    if (node.method === 'filter' && result) kept.push(item);
  }
  if (node.method === 'some' || node.method === 'every') return node.method === 'every';
  return kept;
}
