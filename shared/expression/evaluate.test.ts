// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of expressions
import { conditionHolds, evaluateText, holds } from './evaluate.js';
import { parseExpression } from './parse.js';
import { inputs, reasonOf, resultOf, withClaims } from './testing/evaluation.js';

describe('evaluate means what JavaScript means', () => {
  test.each([
    '1 == "1"',
    '1 === "1"',
    'null == undefined',
    'null === undefined',
    'null != 0',
    '1 !== 1',
    '"" == 0',
    'true == 1',
    '2 < 10',
    '"2" < "10"',
    '"2" < 10',
    'undefined < 1',
    'null <= 0',
    '3 > 3',
    '3 >= 3',
    '"a" >= "b"',
    '1 + 2 * 3 - 4 / 8 % 3',
    '"a" + 1 + null',
    '1 + null',
    '1 + undefined',
    '"3" * "4"',
    '-"3"',
    '+true',
    '!0',
    '!""',
    '!![]',
    '1 && 0 || "x"',
    '0 ?? 1',
    'null ?? 1',
    'false || undefined',
    '0 ? 1 : "" ? 2 : 3',
    'typeof 1',
    'typeof "a"',
    'typeof undefined',
    'typeof null',
    'typeof [1]',
    '[1, "a", null, [true]]',
    '`a${1 + 1}b${undefined}`',
    '"abc".length',
    '"abc"[1]',
    '"abc"[9]',
    '"abc"["01"]',
    '"abc".at(-1)',
    '"abc".at(1.9)',
    '"abc".at(3)',
    '"abc".startsWith("b")',
    '"abc".startsWith("b", 1)',
    '"abc".endsWith("c")',
    '"abc".endsWith("b", 2)',
    '"abc".endsWith("c", undefined)',
    '"abc".includes("bc")',
    '"abc".includes("a", 1)',
    '"a1".includes(1)',
    '"ÄbC".toLowerCase()',
    '"straße".toUpperCase()',
    '"  a ".trim()',
    '[1, 2, 3].length',
    '[1, 2, 3][1]',
    '[1, 2, 3]["1"]',
    '[1, 2, 3][-1]',
    '[1, 2, 3].at(-1)',
    '[1, 2, 3].at(3)',
    '[1, 2, 3].at(-4)',
    '[1, 2, 3].includes(2)',
    '[1, 2, 3].includes("2")',
    '[1, 2, 3].includes(1, 1)',
    '[1, 2, 3].includes(3, -1)',
    '[1, 2, 3].includes(1, -9)',
    '[0 / 0].includes(0 / 0)',
    '[1, 2, 3].some(x => x > 2)',
    '[].some(x => true)',
    '[1, 2, 3].every(x => x > 2)',
    '[].every(x => false)',
    '[1, 2, 3].map(x => x * 2)',
    '[5, 6].map((x, i) => x + i)',
    '[5, 6].map((x, i, all) => all.length + x + i)',
    '[5, 6].map(() => 1)',
    '[1, 2, 3].filter(x => x % 2)',
    '[[1, 2], [3]].map(xs => xs.map(x => x + xs.length))',
    '[1, 2].map(x => [x, 9].map((y, x) => x + y).at(-1) + x)',
    '[1, 2].map((a, b) => [3].map(c => a + b + c))',
    '0 in [7]',
    '"length" in []',
    '1 in [7]',
    '(5).x',
    'true["x"]',
    'null?.a.b.c',
    '"abc"?.length',
    'null?.a.at(0)',
    'null?.[0]',
    '[null].map(x => x?.a.b ?? 1)',
    '(null?.a) ?? 2',
  ])('%s', (text) => {
    expect(resultOf(text)).toEqual(new Function(`return ${text}`)());
  });
});

describe('evaluate reads', () => {
  test.each<[string, unknown]>([
    ['visitor.claims.plan == "pro"', true],
    ['visitor.claims.plan', 'pro'],
    ['visitor.claims["pl" + "an"]', 'pro'],
    ['visitor.claims.missing', undefined],
    ['visitor.claims.unsigned.beta', true],
    ['visitor.claims.unsigned.missing', undefined],
    ['visitor.claims.company.name', 'Acme'],
    ['visitor.claims.company.at', 'home'],
    ['visitor.claims.company.length', 7],
    ['visitor.claims.groups.some(group => group.toLowerCase() == "dev")', true],
    ['visitor.claims.groups.map(page => page.length)', [5, 4, 3]],
    ['visitor.claims.groups.filter((g, i) => i > visitor.claims.numbers[1])', ['Dev']],
    ['visitor.claims.groups.includes("beta") && visitor.claims.seats >= 10', true],
    ['"plan" in visitor.claims', true],
    ['"toString" in visitor.claims', false],
    ['space.vars.product + "-" + space.vars.level', 'cloud-3'],
    ['page.vars.draft ? "draft" : "final"', 'draft'],
    ['visitor.claims == visitor.claims', true],
    ['visitor.claims.groups == "admin,beta,Dev"', false],
    ['visitor.claims.missing?.deeper.still', undefined],
  ])('%s', (text, value) => {
    expect(resultOf(text)).toEqual(value);
  });

  test.each<[string, string]>([
    ['visitor.claims.missing.deeper', 'nothing'],
    ['visitor.claims.none.deeper', 'nothing'],
    ['(null?.a).b', 'nothing'],
    ['!visitor.claims.missing.deeper', 'nothing'],
    ['visitor.claims.missing.includes("a")', 'kind'],
    ['visitor.claims.seats.trim()', 'kind'],
    ['visitor.claims.plan.some(x => x)', 'kind'],
    ['visitor.claims.groups.trim()', 'kind'],
    ['visitor.claims.company.at(0)', 'kind'],
    ['visitor.claims.company + ""', 'kind'],
    ['visitor.claims.groups < 1', 'kind'],
    ['"a".includes(visitor.claims.groups)', 'kind'],
    ['`${visitor.claims}`', 'kind'],
    ['visitor.claims[visitor.claims]', 'kind'],
    ['"a" in "abc"', 'kind'],
  ])('%s has no value and is false', (text, reason) => {
    expect(reasonOf(text)).toBe(reason);
    expect(holds(parseExpression(text), inputs)).toBe(false);
    expect(evaluateText(parseExpression(text), inputs)).toBe('');
  });

  test('missing spaces and pages as undefined', () => {
    expect(holds(parseExpression('space.vars.product == "cloud"'), withClaims({}))).toBe(false);
    expect(resultOf('page?.vars.x ?? "none"', withClaims({}))).toBe('none');
  });
});

test('a missing or blank condition holds, an invalid one does not', () => {
  expect([null, undefined, '', ' \n'].map((text) => conditionHolds(text, inputs))).toEqual([true, true, true, true]);
  expect(['visitor.claims.', 'process', 'x'.repeat(2000)].map((text) => conditionHolds(text, inputs))).toEqual([
    false,
    false,
    false,
  ]);
  expect(
    ['visitor.claims.seats', 'visitor.claims.trial', '[]', '""'].map((text) => conditionHolds(text, inputs)),
  ).toEqual([true, false, true, false]);
});

test('an inline expression prints strings, numbers and booleans, and nothing for all else', () => {
  const texts = ['"a"', '1.5', 'false', '0', 'null', 'undefined', '[1]', 'visitor.claims', 'visitor.claims.x.y'];
  expect(texts.map((text) => evaluateText(parseExpression(text), inputs))).toEqual([
    'a',
    '1.5',
    'false',
    '0',
    '',
    '',
    '',
    '',
    '',
  ]);
});
