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
  return check(source, [], 0);
}

function check(source: Expression, scope: Scope, depth: number): Node {
  if (depth > maxTreeDepth) throw new Refusal('The expression is nested too deeply', source.start);
  const inner = (part: Expression) => check(part, scope, depth + 1);
  switch (source.type) {
    case 'Literal':
      return literal(source);
    case 'Identifier':
      return resolveName(source.name, source.start, scope);
    case 'ArrayExpression':
      return { kind: 'array', items: source.elements.map((item) => inner(plainItem(item, source))) };
    case 'TemplateLiteral':
      return {
        kind: 'template',
        texts: source.quasis.map((quasi) => quasi.value.cooked ?? ''),
        values: source.expressions.map(inner),
      };
    case 'UnaryExpression':
      return { kind: 'unary', operator: operatorOf(source, unaryOperators), operand: inner(source.argument) };
    case 'BinaryExpression': {
      const operator = operatorOf(source, binaryOperators);
      if (source.left.type === 'PrivateIdentifier') throw refusal('A private name', source.left);
      return { kind: 'binary', operator, left: inner(source.left), right: inner(source.right) };
    }
    case 'LogicalExpression': {
      const operator = operatorOf(source, logicalOperators);
      return { kind: 'logical', operator, left: inner(source.left), right: inner(source.right) };
    }
    case 'ConditionalExpression': {
      const [test, whenTrue, whenFalse] = [inner(source.test), inner(source.consequent), inner(source.alternate)];
      return { kind: 'choice', test, whenTrue, whenFalse };
    }
    case 'ChainExpression':
      return { kind: 'chain', inner: inner(source.expression) };
    case 'MemberExpression':
      return member(source, inner);
    case 'CallExpression':
      return call(source, scope, depth);
    case 'ArrowFunctionExpression':
      throw new Refusal(`A function may only be the argument of ${arrowMethods.join(', ')}`, source.start);
    default:
      throw refusal(constructs[source.type] ?? 'This construct', source);
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

const refusal = (what: string, at: Source) => new Refusal(`${what} is not allowed in an expression`, at.start);

const quote = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

const literal = (source: Literal): Node => {
  const { value } = source;
  if (source.regex) throw refusal('A regular expression', source);
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return { kind: 'literal', value };
  }
  throw refusal('A big integer', source);
};

function resolveName(name: string, offset: number, scope: Scope): Node {
  const slot = scope.lastIndexOf(name);
  if (slot >= 0) return { kind: 'parameter', slot };
  if (name === 'undefined') return { kind: 'literal', value: undefined };
  const root = roots.find((known) => known === name);
  if (root) return { kind: 'root', name: root };
  throw new Refusal(`Unknown name ${quote(name)}: an expression reads ${roots.join(', ')}`, offset);
}

function operatorOf<Operator extends string>(
  source: Source & { operator: string },
  allowed: readonly Operator[],
): Operator {
  const operator = allowed.find((known) => known === source.operator);
  if (!operator) throw refusal(`The operator ${quote(source.operator)}`, source);
  return operator;
}

function plainItem(item: Expression | (Source & { type: 'SpreadElement' }) | null, list: Source): Expression {
  if (!item) throw refusal('A gap in an array', list);
  if (item.type === 'SpreadElement') throw refusal('"..."', item);
  return item;
}

function member(source: MemberExpression, inner: (part: Expression) => Node): MemberNode {
  if (source.object.type === 'Super') throw refusal('"super"', source.object);
  if (source.property.type === 'PrivateIdentifier') throw refusal('A private name', source.property);
  const object = inner(source.object);
  const key: Node =
    !source.computed && source.property.type === 'Identifier'
      ? { kind: 'literal', value: source.property.name }
      : inner(source.property);
  return { kind: 'member', object, key, optional: source.optional };
}

function call(source: CallExpression, scope: Scope, depth: number): Node {
  const { callee } = source;
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') {
    throw new Refusal('Only a method written with its name can be called', source.start);
  }
  if (callee.object.type === 'Super') throw refusal('"super"', callee.object);
  if (source.optional) throw refusal('"?.("', source);
  const { name, start } = callee.property;
  const object = check(callee.object, scope, depth + 1);
  const { optional } = callee;

  const arrowMethod = arrowMethods.find((known) => known === name);
  if (arrowMethod) return { kind: 'each', object, optional, ...arrow(arrowMethod, source, scope, depth) };
  if (!Object.hasOwn(valueMethods, name)) {
    const known = [...Object.keys(valueMethods), ...arrowMethods].join(', ');
    throw new Refusal(`Unknown method ${quote(name)}: the methods are ${known}`, start);
  }
  const method = name as ValueMethod;
  const [least, max] = valueMethods[method];
  const given = source.arguments.length;
  if (given < least || given > max) {
    throw new Refusal(`${name} takes ${least === max ? least : `${least} to ${max}`} arguments, not ${given}`, start);
  }
  const args = source.arguments.map((argument) => check(plainItem(argument, source), scope, depth + 1));
  return { kind: 'call', object, method, args, optional };
}

function arrow(method: ArrowMethod, source: CallExpression, scope: Scope, depth: number) {
  const [argument] = source.arguments;
  if (source.arguments.length !== 1 || argument?.type !== 'ArrowFunctionExpression') {
    throw new Refusal(`${method} takes one arrow function, like x => x == 1`, (argument ?? source).start);
  }
  if (argument.async) throw refusal('"async"', argument);
  if (argument.body.type === 'BlockStatement') throw refusal('A function body in braces', argument.body);
  const inside = [...scope, ...parameterNames(argument)];
  const body = check(argument.body, inside, depth + 1);
  return { method, firstSlot: scope.length, body };
}

function parameterNames(source: ArrowFunctionExpression): string[] {
  return source.params.map((parameter, index) => {
    if (parameter.type !== 'Identifier') throw new Refusal('A parameter must be a plain name', parameter.start);
    if (parameter.name === 'undefined') throw refusal('A parameter named "undefined"', parameter);
    if (index > 2)
      throw new Refusal('A function gets an item, its index and the array: three parameters', parameter.start);
    return parameter.name;
  });
}
