// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of expressions
import { claimsReadBy } from './claims.js';
import { parseExpression } from './parse.js';

test.each<[string, string[]]>([
  ['true', []],
  ['space.vars.a && page.vars.b', []],
  ['visitor.other', []],
  ['visitor.claims.plan == "pro"', ['plan']],
  ['visitor.claims.b || visitor.claims.a || visitor.claims.b', ['a', 'b']],
  ['visitor.claims.unsigned.beta', ['unsigned.beta']],
  ['visitor?.claims?.unsigned?.beta', ['unsigned.beta']],
  ['visitor["claims"]["company"].name', ['company.name']],
  ['visitor.claims.groups.length > visitor.claims.groups[0].length', ['groups']],
  ['visitor.claims.length', ['length']],
  ['visitor.claims.email.trim().endsWith(visitor.claims.domain)', ['domain', 'email']],
  ['visitor.claims.companies.some(company => company.name == visitor.claims.name)', ['companies', 'name']],
  ['"plan" in visitor.claims', ['plan']],
  ['"beta" in visitor.claims.unsigned', ['unsigned.beta']],
  ['visitor.claims.plan in visitor.claims.plans', ['plan', 'plans']],
  ['visitor.claims[visitor.claims.which]', ['*', 'which']],
  ['visitor.claims.unsigned[page.vars.a]', ['unsigned.*']],
  ['visitor.claims.company[page.vars.a].name', ['company']],
  ['visitor.claims == null', ['*']],
  ['[visitor].map(v => v.claims.secret)', ['*']],
  ['`${visitor.claims.a}` ? -visitor.claims.b : [visitor.claims.c]', ['a', 'b', 'c']],
])('the claims read by %s', (text, claims) => {
  expect(claimsReadBy(parseExpression(text))).toEqual(claims);
});
