/** Longest text of an expression, in UTF-16 units. */
export const maxExpressionLength = 1024;

export const roots = ['visitor', 'space', 'page'] as const;
export type Root = (typeof roots)[number];

export const unaryOperators = ['!', '-', '+', 'typeof'] as const;
export type UnaryOperator = (typeof unaryOperators)[number];

export const binaryOperators = [
  ...(['==', '!=', '===', '!==', '<', '<=', '>', '>=', 'in'] as const),
  ...(['+', '-', '*', '/', '%'] as const),
] as const;
export type BinaryOperator = (typeof binaryOperators)[number];

export const logicalOperators = ['&&', '||', '??'] as const;
export type LogicalOperator = (typeof logicalOperators)[number];

/** Methods that take values, each with its minimum and maximum number of arguments. */
export const valueMethods = {
  at: [1, 1],
  startsWith: [1, 2],
  endsWith: [1, 2],
  includes: [1, 2],
  toLowerCase: [0, 0],
  toUpperCase: [0, 0],
  trim: [0, 0],
} as const;
export type ValueMethod = keyof typeof valueMethods;

/** Methods of arrays that take one arrow function. */
export const arrowMethods = ['some', 'every', 'map', 'filter'] as const;
export type ArrowMethod = (typeof arrowMethods)[number];

/**
 * A checked expression as a tree. An arrow function is not a value: it exists only in its call, so its parameters are
 * numbered slots, known at parse time.
 */
export type Node =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null | undefined }
  | { readonly kind: 'root'; readonly name: Root }
  | { readonly kind: 'parameter'; readonly slot: number }
  | { readonly kind: 'array'; readonly items: readonly Node[] }
  | { readonly kind: 'template'; readonly texts: readonly string[]; readonly values: readonly Node[] }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: Node }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Node; readonly right: Node }
  | { readonly kind: 'logical'; readonly operator: LogicalOperator; readonly left: Node; readonly right: Node }
  | { readonly kind: 'choice'; readonly test: Node; readonly whenTrue: Node; readonly whenFalse: Node }
  | MemberNode
  | CallNode
  | EachNode
  /** A whole chain: a `?.` inside stops at its end. */
  | { readonly kind: 'chain'; readonly inner: Node };

export interface MemberNode {
  readonly kind: 'member';
  readonly object: Node;
  readonly key: Node;
  readonly optional: boolean;
}

export interface CallNode {
  readonly kind: 'call';
  readonly object: Node;
  readonly method: ValueMethod;
  readonly args: readonly Node[];
  readonly optional: boolean;
}

/** An array method with its arrow function; item, index and array fill the slots from `firstSlot` on. */
export interface EachNode {
  readonly kind: 'each';
  readonly object: Node;
  readonly method: ArrowMethod;
  readonly firstSlot: number;
  readonly body: Node;
  readonly optional: boolean;
}

/** A parsed expression: immutable, shared through the cache, made only by `parseExpression`. */
export interface Expression {
  readonly text: string;
  readonly tree: Node;
}

/** A text is not an expression of the language; `message` says what is wrong and where, in words for people. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';

  /** `offset` counts UTF-16 units from 0; `line` and `column` from 1. */
  constructor(
    reason: string,
    readonly offset: number,
    readonly line: number,
    readonly column: number,
  ) {
    super(`${reason} (line ${line}, column ${column})`);
  }
}
