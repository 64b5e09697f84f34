import { evaluate, type Inputs } from '../evaluate.js';
import { parseExpression } from '../parse.js';
import { EvaluationError } from '../values.js';

/** What the expressions of the tests read. */
export const inputs: Inputs = {
  visitor: {
    claims: {
      plan: 'pro',
      seats: 12,
      trial: false,
      none: null,
      groups: ['admin', 'beta', 'Dev'],
      numbers: [3, 1, 2],
      company: { name: 'Acme', at: 'home', length: 7, tags: ['x'] },
      unsigned: { beta: true, language: 'de' },
    },
  },
  space: { vars: { product: 'cloud', level: 3 } },
  page: { vars: { draft: true } },
};

export const resultOf = (text: string, given: Inputs = inputs) => evaluate(parseExpression(text), given);
export const withClaims = (claims: Record<string, unknown>): Inputs => ({ visitor: { claims } });

/** Why an expression has no value. */
export function reasonOf(text: string, given: Inputs = inputs): string {
  try {
    resultOf(text, given);
  } catch (error) {
    if (error instanceof EvaluationError) return error.reason;
    throw error;
  }
  throw new Error(`has a value: ${text}`);
}
