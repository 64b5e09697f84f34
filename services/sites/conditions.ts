import { invalid } from '../../shared/errors.js';
import { parseExpression } from '../../shared/expression/parse.js';
import { ExpressionError } from '../../shared/expression/syntax.js';

/** 400 for a condition that is none, and where. */
export function checkCondition(condition: string): void {
  try {
    parseExpression(condition);
  } catch (error) {
    if (error instanceof ExpressionError) throw invalid(`condition: ${error.message}`);
    throw error;
  }
}
