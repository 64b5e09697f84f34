import { getLineInfo, parseExpressionAt, type Token, tokTypes } from 'acorn';
import { LRUCache } from 'lru-cache';
import { checkTree, Refusal } from './check.js';
import { type Expression, ExpressionError, maxExpressionLength } from './syntax.js';

/** Levels of nested brackets; keeps acorn's recursion far from the end of the stack. */
const maxBracketDepth = 64;

const opening = new Set([tokTypes.parenL, tokTypes.bracketL, tokTypes.braceL, tokTypes.dollarBraceL]);
const closing = new Set([tokTypes.parenR, tokTypes.bracketR, tokTypes.braceR]);

// Sized by the length of the text: a megabyte of text makes some tens of megabytes of trees at worst. It holds what a site may have.
const parsed = new LRUCache<string, Expression | ExpressionError>({
  max: 10_000,
  maxSize: 2 ** 20,
  sizeCalculation: (_, text) => text.length,
});

/**
 * Parses one JavaScript expression of the supported subset, 1 to 1024 characters. Results are cached by text. A blank text is
 * an error; a caller that allows it checks first.
 * @throws ExpressionError for any other text
 */
export function parseExpression(text: string): Expression {
  if (text.length > maxExpressionLength) {
    throw expressionErrorAt(
      text,
      `The expression is longer than ${maxExpressionLength} characters`,
      maxExpressionLength,
    );
  }
  if (text.trim() === '') throw expressionErrorAt(text, 'The expression is empty', 0);
  let known = parsed.get(text);
  if (!known) {
    known = parseAndCheck(text);
    parsed.set(text, known);
  }
  if (known instanceof ExpressionError) throw known;
  return known;
}

function parseAndCheck(text: string): Expression | ExpressionError {
  try {
    return { text, tree: checkTree(syntaxTree(text)) };
  } catch (error) {
    if (error instanceof Refusal) return expressionErrorAt(text, error.message, error.offset);
    if (error instanceof RangeError) return expressionErrorAt(text, 'The expression is nested too deeply', 0);
    if (error instanceof SyntaxError && 'pos' in error) {
      return expressionErrorAt(text, syntaxReason(text, error), Number(error.pos));
    }
    throw error;
  }
}

function syntaxTree(text: string) {
  let depth = 0;
  let end = 0;
  const onToken = (token: Token) => {
    if (opening.has(token.type) && ++depth > maxBracketDepth) {
      throw new Refusal('The expression is nested too deeply', token.start);
    }
    if (closing.has(token.type)) depth--;
    end = token.end;
  };
  const onComment = (_block: boolean, _text: string, _start: number, commentEnd: number) => {
    end = commentEnd;
  };
  const tree = parseExpressionAt(text, 0, { ecmaVersion: 2022, sourceType: 'module', onToken, onComment });
  refuseRest(text, end);
  return tree;
}

/** acorn stops where the expression ends; only blanks and comments may follow. */
function refuseRest(text: string, end: number): void {
  const rest = text.slice(end).trimStart();
  if (rest === '') return;
  const offset = text.length - rest.length;
  const reason = rest.startsWith(';')
    ? 'A semicolon is not allowed: write one expression'
    : `Unexpected ${quoteAt(text, offset)} after the end of the expression`;
  throw new Refusal(reason, offset);
}

function syntaxReason(text: string, error: Error & { pos?: unknown }): string {
  const offset = Number(error.pos);
  const reason = error.message.replace(/ \(\d+:\d+\)$/, '');
  if (reason !== 'Unexpected token') return reason;
  return offset >= text.trimEnd().length ? 'The expression ends too early' : `Unexpected ${quoteAt(text, offset)}`;
}

/** The word or sign at `offset`, quoted for a message. */
function quoteAt(text: string, offset: number): string {
  const rest = text.slice(offset, offset + 40);
  return JSON.stringify(/^[\p{L}\p{N}_$]+/u.exec(rest)?.[0] ?? [...rest][0] ?? '');
}

function expressionErrorAt(text: string, reason: string, offset: number): ExpressionError {
  const { line, column } = getLineInfo(text, offset);
  return new ExpressionError(reason, offset, line, column + 1);
}
