import { parseExpression } from '../../../shared/expression/parse.js';
import { ExpressionError } from '../../../shared/expression/syntax.js';
import type { AdaptiveSchema, ClaimSchema, TemplateCondition } from './resources.js';

/**
 * Conditions that a schema of claims suggests: for each boolean whether it holds, for each text with a list of values and each array of
 * such texts whether it has one of them. Leaves out what the expression engine refuses, such as names that it reserves.
 */
export const templateConditions = ({ properties }: Pick<AdaptiveSchema, 'properties'>): TemplateCondition[] =>
  conditionsOn('visitor.claims', [], properties).filter(({ condition }) => isAccepted(condition));

function conditionsOn(object: string, names: string[], properties: Record<string, ClaimSchema>): TemplateCondition[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    conditionsFor(`${object}${accessTo(name)}`, [...names, name], schema),
  );
}

function conditionsFor(claim: string, names: string[], schema: ClaimSchema): TemplateCondition[] {
  const label = names.join('.');
  switch (schema.type) {
    case 'boolean':
      return [
        { description: `${label} is true`, condition: `${claim} === true` },
        { description: `${label} is not true`, condition: `${claim} !== true` },
      ];
    case 'string':
      return (schema.enum ?? []).map((value) => ({
        description: `${label} is ${value}`,
        condition: `${claim} === ${JSON.stringify(value)}`,
      }));
    case 'array':
      return valuesOf(schema.items).map((value) => ({
        description: `${label} includes ${value}`,
        condition: `${claim}.includes(${JSON.stringify(value)})`,
      }));
    case 'object':
      return conditionsOn(claim, names, schema.properties);
    default:
      return [];
  }
}

const valuesOf = (schema: ClaimSchema): string[] => (schema.type === 'string' ? (schema.enum ?? []) : []);

const accessTo = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);

function isAccepted(condition: string): boolean {
  try {
    parseExpression(condition);
    return true;
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}
