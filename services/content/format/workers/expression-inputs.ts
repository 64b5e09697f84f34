import { conditionHolds, evaluateText } from '../../../../shared/expression/evaluate.js';
import { parseExpression } from '../../../../shared/expression/parse.js';
import { ExpressionError } from '../../../../shared/expression/syntax.js';
import { type Budget, EvaluationError, sharedBudget, spendOnParsing } from '../../../../shared/expression/values.js';
import type { Expressions } from '../document/evaluate.js';

/** Values that conditions and expressions of content can read; plain JSON. */
export interface Inputs {
  visitor: { claims: Record<string, unknown> };
  space: { vars: Record<string, unknown> };
  page: { vars: Record<string, unknown> };
}

export const expressionInputs = (
  claims: Record<string, unknown>,
  space: Record<string, unknown> = {},
  page: Record<string, unknown> = {},
): Inputs => ({ visitor: { claims }, space: { vars: space }, page: { vars: page } });

export function newExpressions(inputs: Inputs): Expressions {
  const budget = sharedBudget();
  return {
    holds: (text) => conditionHolds(text, inputs, budget),
    print: (text) => printExpression(text, inputs, budget),
  };
}

/** An expression that cannot be evaluated prints nothing. */
function printExpression(text: string, inputs: Inputs, budget: Budget): string {
  try {
    spendOnParsing(budget, text);
    return evaluateText(parseExpression(text), inputs, budget);
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof EvaluationError) return '';
    throw error;
  }
}
