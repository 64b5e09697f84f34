import { invalid } from '../../../shared/errors/errors.js';
import { parseExpression } from '../../../shared/expression/parse.js';
import { ExpressionError } from '../../../shared/expression/syntax.js';

/** Throws 400 for a condition that is not a valid expression, with the position of the fault. */
export function checkCondition(condition: string): void {
  try {
    parseExpression(condition);
  } catch (error) {
    if (error instanceof ExpressionError) throw invalid(`condition: ${error.message}`);
    throw error;
  }
}
