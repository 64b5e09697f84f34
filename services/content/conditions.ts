import type { Caller } from '../../shared/contract/caller.js';
import { conditionHolds, evaluateText } from '../../shared/expression/evaluate.js';
import { parseExpression } from '../../shared/expression/parse.js';
import { ExpressionError } from '../../shared/expression/syntax.js';
import { type Budget, newBudget } from '../../shared/expression/values.js';
import { sha256 } from '../../shared/ids.js';
import type { Expressions } from './format/evaluate.js';

/** What conditions and expressions of content may read; plain JSON. */
export interface Inputs {
  visitor: { claims: Record<string, unknown> };
  space: { vars: Record<string, unknown> };
  page: { vars: Record<string, unknown> };
}

/** Readers for whom conditions count: visitors. Those of one `key` see the same. */
export interface Audience {
  claims: Record<string, unknown>;
  key: string;
}

export const audienceOf = (claims: Record<string, unknown>): Audience => ({
  claims,
  key: sha256(JSON.stringify(claims)).slice(0, 24),
});

/** Undefined for those who see content as it is written. */
export const audienceOfCaller = (caller: Caller): Audience | undefined =>
  caller.kind === 'content' ? audienceOf(caller.claims) : undefined;

export const inputsOf = (
  claims: Record<string, unknown>,
  space: Record<string, unknown> = {},
  page: Record<string, unknown> = {},
): Inputs => ({ visitor: { claims }, space: { vars: space }, page: { vars: page } });

/** Steps of all conditions of one revision or expressions of one document together: what comes later is as if it failed. */
const stepsTogether = 500_000;

export const sharedBudget = () => newBudget(stepsTogether);

export function expressionsFor(inputs: Inputs): Expressions {
  const budget = sharedBudget();
  return {
    holds: (text) => conditionHolds(text, inputs, budget),
    print: (text) => printed(text, inputs, budget),
  };
}

/** What cannot be read prints nothing. */
function printed(text: string, inputs: Inputs, budget: Budget): string {
  try {
    return evaluateText(parseExpression(text), inputs, budget);
  } catch (error) {
    if (error instanceof ExpressionError) return '';
    throw error;
  }
}
