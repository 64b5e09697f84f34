import { invalid } from '../../../shared/errors/errors.js';
import type { Asked, Comparison } from './column-kinds.js';
import { columns } from './columns.js';
import type { Condition } from './resources.js';

const comparisons: Partial<Record<Condition['operator'], Comparison>> = {
  greaterThan: '>',
  greaterThanOrEqual: '>=',
  lessThan: '<',
  lessThanOrEqual: '<=',
};

/**
 * SQL of a condition. An event without a value is in no list, and no comparison holds for it. Throws 400 for values that cannot be
 * compared.
 */
export function conditionSql(asked: Asked): string {
  const { operator } = asked.condition;
  const comparison = comparisons[operator];
  if (comparison) return compareSql(asked, comparison);
  const among = columns[asked.condition.column].among(asked);
  return operator === 'notIn' ? `NOT (${among})` : `(${among})`;
}

function compareSql(asked: Asked, comparison: Comparison): string {
  const { condition, path } = asked;
  const { column, operator, values } = condition;
  const { compare } = columns[column];
  if (!compare) throw invalid(`${path}.operator: ${operator} compares times, numbers and texts, not ${column}`);
  if (values.length === 0) throw invalid(`${path}.values: ${operator} needs a value`);
  if (values[0] === null) throw invalid(`${path}.values.0: ${operator} needs a value, not null`);
  return `(${compare(asked, comparison)})`;
}
