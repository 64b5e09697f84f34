import { parseExpression } from '../../../shared/expression/parse.js';
import type { ClaimSchema } from './resources.js';
import { templateConditions } from './template-conditions.js';

const description = '';
const text = (...values: string[]): ClaimSchema => ({ type: 'string', description, enum: values });
const conditionsOf = (properties: Record<string, ClaimSchema>) =>
  templateConditions({ properties }).map(({ condition }) => condition);

it('suggests conditions on booleans, listed texts, arrays of them and what objects hold', () => {
  const unsigned: ClaimSchema = {
    type: 'object',
    properties: { 'sign-up "date"': text('a"b') },
    additionalProperties: false,
  };
  const roles: ClaimSchema = { type: 'array', description, items: text('dev', 'ops') };
  expect(templateConditions({ properties: { beta: { type: 'boolean', description }, plan: text('pro') } })).toEqual([
    { description: 'beta is true', condition: 'visitor.claims.beta === true' },
    { description: 'beta is not true', condition: 'visitor.claims.beta !== true' },
    { description: 'plan is pro', condition: 'visitor.claims.plan === "pro"' },
  ]);
  expect(conditionsOf({ roles, unsigned })).toEqual([
    'visitor.claims.roles.includes("dev")',
    'visitor.claims.roles.includes("ops")',
    'visitor.claims.unsigned["sign-up \\"date\\""] === "a\\"b"',
  ]);
});

it('suggests none for free texts, numbers, and what would be too long', () => {
  const any: ClaimSchema = { type: 'string', description };
  const number: ClaimSchema = { type: 'number', description };
  const long = ['x', 'y', 'z', 'u'].reduceRight<ClaimSchema>(
    (inner, name) => ({ type: 'object', properties: { [name.repeat(100)]: inner }, additionalProperties: false }),
    text('v'.repeat(256), 'w'.repeat(700)),
  );
  const suggested = conditionsOf({ any, number, long });
  expect(suggested).toHaveLength(1);
  for (const condition of suggested) expect(() => parseExpression(condition)).not.toThrow();
});
