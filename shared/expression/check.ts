import type {
  ArrowFunctionExpression,
  CallExpression,
  Expression,
  Literal,
  MemberExpression,
  Node as Source,
} from 'acorn';
import {
  type ArrowMethod,
  arrowMethods,
  binaryOperators,
  logicalOperators,
  type MemberNode,
  type Node,
  roots,
  unaryOperators,
  type ValueMethod,
  valueMethods,
} from './syntax.js';

/** Levels of the tree that the interpreter's recursion is safe for. */
const maxTreeDepth = 256;

/** A construct that is not in the language, at an offset of the text. */
export class Refusal extends Error {
  constructor(
    reason: string,
    readonly offset: number,
  ) {
    super(reason);
  }
}

/** Parameter names in scope, outermost first; the index is the slot. */
type Scope = readonly string[];

/** Turns acorn's tree into ours. @throws Refusal for a construct that is not in the language */
export function checkTree(source: Expression): Node {
  return checkNode(source, [], 0);
}

function checkNode(source: Expression, scope: Scope, depth: number): Node {
  if (depth > maxTreeDepth) throw new Refusal('The expression is nested too deeply', source.start);
  const checkPart = (part: Expression) => checkNode(part, scope, depth + 1);
  switch (source.type) {
    case 'Literal':
      return literalNode(source);
    case 'Identifier':
      return resolveName(source.name, source.start, scope);
    case 'ArrayExpression':
      return { kind: 'array', items: source.elements.map((item) => checkPart(plainItem(item, source))) };
    case 'TemplateLiteral':
      return {
        kind: 'template',
        texts: source.quasis.map((quasi) => quasi.value.cooked ?? ''),
        values: source.expressions.map(checkPart),
      };
    case 'UnaryExpression':
      return { kind: 'unary', operator: allowedOperator(source, unaryOperators), operand: checkPart(source.argument) };
    case 'BinaryExpression': {
      const operator = allowedOperator(source, binaryOperators);
      if (source.left.type === 'PrivateIdentifier') throw notAllowed('A private name', source.left);
      return { kind: 'binary', operator, left: checkPart(source.left), right: checkPart(source.right) };
    }
    case 'LogicalExpression': {
      const operator = allowedOperator(source, logicalOperators);
      return { kind: 'logical', operator, left: checkPart(source.left), right: checkPart(source.right) };
    }
    case 'ConditionalExpression': {
      const [test, whenTrue, whenFalse] = [
        checkPart(source.test),
        checkPart(source.consequent),
        checkPart(source.alternate),
      ];
      return { kind: 'choice', test, whenTrue, whenFalse };
    }
    case 'ChainExpression':
      return { kind: 'chain', inner: checkPart(source.expression) };
    case 'MemberExpression':
      return memberNode(source, checkPart);
    case 'CallExpression':
      return callNode(source, scope, depth);
    case 'ArrowFunctionExpression':
      throw new Refusal(`A function may only be the argument of ${arrowMethods.join(', ')}`, source.start);
    default:
      throw notAllowed(constructs[source.type] ?? 'This construct', source);
  }
}

const constructs: Partial<Record<string, string>> = {
  AssignmentExpression: 'An assignment',
  AwaitExpression: '"await"',
  ClassExpression: 'A class',
  FunctionExpression: 'A "function"',
  ImportExpression: '"import"',
  MetaProperty: '"import.meta"',
  NewExpression: '"new"',
  ObjectExpression: 'An object',
  SequenceExpression: 'A comma between expressions',
  TaggedTemplateExpression: 'A template tag',
  ThisExpression: '"this"',
  UpdateExpression: '"++" or "--"',
};

const notAllowed = (what: string, at: Source) => new Refusal(`${what} is not allowed in an expression`, at.start);

const quoteShort = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

const literalNode = (source: Literal): Node => {
  const { value } = source;
  if (source.regex) throw notAllowed('A regular expression', source);
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return { kind: 'literal', value };
  }
  throw notAllowed('A big integer', source);
};

function resolveName(name: string, offset: number, scope: Scope): Node {
  const slot = scope.lastIndexOf(name);
  if (slot >= 0) return { kind: 'parameter', slot };
  if (name === 'undefined') return { kind: 'literal', value: undefined };
  const root = roots.find((known) => known === name);
  if (root) return { kind: 'root', name: root };
  throw new Refusal(`Unknown name ${quoteShort(name)}: an expression reads ${roots.join(', ')}`, offset);
}

function allowedOperator<Operator extends string>(
  source: Source & { operator: string },
  allowed: readonly Operator[],
): Operator {
  const operator = allowed.find((known) => known === source.operator);
  if (!operator) throw notAllowed(`The operator ${quoteShort(source.operator)}`, source);
  return operator;
}

function plainItem(item: Expression | (Source & { type: 'SpreadElement' }) | null, list: Source): Expression {
  if (!item) throw notAllowed('A gap in an array', list);
  if (item.type === 'SpreadElement') throw notAllowed('"..."', item);
  return item;
}

function memberNode(source: MemberExpression, inner: (part: Expression) => Node): MemberNode {
  if (source.object.type === 'Super') throw notAllowed('"super"', source.object);
  if (source.property.type === 'PrivateIdentifier') throw notAllowed('A private name', source.property);
  const object = inner(source.object);
  const key: Node =
    !source.computed && source.property.type === 'Identifier'
      ? { kind: 'literal', value: source.property.name }
      : inner(source.property);
  return { kind: 'member', object, key, optional: source.optional };
}

function callNode(source: CallExpression, scope: Scope, depth: number): Node {
  const { callee } = source;
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') {
    throw new Refusal('Only a method written with its name can be called', source.start);
  }
  if (callee.object.type === 'Super') throw notAllowed('"super"', callee.object);
  if (source.optional) throw notAllowed('"?.("', source);
  const { name, start } = callee.property;
  const object = checkNode(callee.object, scope, depth + 1);
  const { optional } = callee;

  const arrowMethod = arrowMethods.find((known) => known === name);
  if (arrowMethod) return { kind: 'each', object, optional, ...arrowNode(arrowMethod, source, scope, depth) };
  if (!Object.hasOwn(valueMethods, name)) {
    const known = [...Object.keys(valueMethods), ...arrowMethods].join(', ');
    throw new Refusal(`Unknown method ${quoteShort(name)}: the methods are ${known}`, start);
  }
  const method = name as ValueMethod;
  const [least, max] = valueMethods[method];
  const given = source.arguments.length;
  if (given < least || given > max) {
    throw new Refusal(`${name} takes ${least === max ? least : `${least} to ${max}`} arguments, not ${given}`, start);
  }
  const args = source.arguments.map((argument) => checkNode(plainItem(argument, source), scope, depth + 1));
  return { kind: 'call', object, method, args, optional };
}

function arrowNode(method: ArrowMethod, source: CallExpression, scope: Scope, depth: number) {
  const [argument] = source.arguments;
  if (source.arguments.length !== 1 || argument?.type !== 'ArrowFunctionExpression') {
    throw new Refusal(`${method} takes one arrow function, like x => x == 1`, (argument ?? source).start);
  }
  if (argument.async) throw notAllowed('"async"', argument);
  if (argument.body.type === 'BlockStatement') throw notAllowed('A function body in braces', argument.body);
  const inside = [...scope, ...parameterNames(argument)];
  const body = checkNode(argument.body, inside, depth + 1);
  return { method, firstSlot: scope.length, body };
}

function parameterNames(source: ArrowFunctionExpression): string[] {
  return source.params.map((parameter, index) => {
    if (parameter.type !== 'Identifier') throw new Refusal('A parameter must be a plain name', parameter.start);
    if (parameter.name === 'undefined') throw notAllowed('A parameter named "undefined"', parameter);
    if (index > 2)
      throw new Refusal('A function gets an item, its index and the array: three parameters', parameter.start);
    return parameter.name;
  });
}
