// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of expressions
import fc from 'fast-check';
import { runs } from '../testing/runs.js';
import { conditionHolds, holds, type Inputs } from './evaluate.js';
import { parseExpression } from './parse.js';
import { ExpressionError } from './syntax.js';
import { inputs, reasonOf, resultOf, withClaims } from './testing/evaluation.js';
import { EvaluationError, limits, newBudget } from './values.js';

describe('nothing but plain data is ever reached', () => {
  test.each([
    'visitor.constructor',
    'visitor.claims.constructor',
    'visitor.claims.__proto__',
    'visitor["__pro" + "to__"]',
    'visitor.claims.toString',
    'visitor.claims.hasOwnProperty',
    'visitor.claims.constr\\u0075ctor',
    '"a".constructor',
    '"a".repeat',
    '"a"["at"]',
    '(1).toFixed',
    'true.valueOf',
    '[].constructor',
    '[]["map"]',
    '[].__proto__',
    '[1].map(x => x.constructor)[0]',
    '[1].map((x, i, all) => all.constructor)[0]',
    '[1].map((x, i, all) => i.constructor)[0]',
    '[1].filter(x => x).constructor',
    'visitor.claims.groups.push',
    'visitor.claims.groups.map(x => x).at',
  ])('%s is undefined', (text) => {
    expect(resultOf(text)).toBeUndefined();
  });

  const claims: Record<string, unknown> = JSON.parse('{"__proto__": {"admin": true}, "constructor": "mine"}');

  test('names of prototypes are data when JSON has them, and reach nothing else', () => {
    expect(resultOf('visitor.claims.__proto__.admin', withClaims(claims))).toBe(true);
    expect(resultOf('visitor.claims.admin', withClaims(claims))).toBeUndefined();
    expect(resultOf('visitor.claims.constructor', withClaims(claims))).toBe('mine');
    expect(resultOf('visitor.claims.constructor.constructor', withClaims(claims))).toBeUndefined();
  });

  test('functions, symbols, big integers, instances, proxies of prototypes and getters are undefined and never run', () => {
    let ran = 0;
    const run = () => ++ran;
    class Instance {
      secret = 1;
    }
    const foreign = {
      call: run,
      symbol: Symbol('s'),
      big: 1n,
      date: new Date(),
      map: new Map([['a', 1]]),
      instance: new Instance(),
      valueOf: run,
      toString: run,
      [Symbol.toPrimitive]: run,
      inherited: Object.create({ secret: 1 }),
      get got() {
        return run();
      },
      list: Object.defineProperty(['a'], 0, { get: run }),
      items: [run, new Instance()],
      bare: Object.assign(Object.create(null), { a: 1 }),
    };
    const given = withClaims(foreign);
    for (const name of [
      'call',
      'symbol',
      'big',
      'date',
      'map',
      'instance',
      'valueOf',
      'toString',
      'inherited',
      'got',
    ]) {
      expect(resultOf(`visitor.claims.${name}`, given)).toBeUndefined();
    }
    expect(resultOf('visitor.claims.list[0]', given)).toBeUndefined();
    expect(resultOf('visitor.claims.list.includes(1)', given)).toBe(false);
    expect(resultOf('visitor.claims.list.at(0)', given)).toBeUndefined();
    expect(resultOf('visitor.claims.items.map(x => x)', given)).toEqual([undefined, undefined]);
    expect(resultOf('visitor.claims.bare.a', given)).toBe(1);
    expect(resultOf('visitor.claims == "x"', given)).toBe(false);
    expect(reasonOf('visitor.claims + "x"', given)).toBe('kind');
    expect(reasonOf('visitor.claims > 1', given)).toBe('kind');
    expect(reasonOf('`${visitor.claims}`', given)).toBe('kind');
    expect(ran).toBe(0);
  });

  test('inputs are never changed', () => {
    const before = structuredClone(inputs);
    resultOf('visitor.claims.groups.map((x, i, all) => all.filter(y => y != x)).filter(x => x)');
    expect(inputs).toEqual(before);
  });
});

describe('an evaluation ends within its budget', () => {
  const items = (count: number) => withClaims({ list: Array.from({ length: count }, (_, index) => index) });

  function stepsOf(text: string, given: Inputs = inputs): number {
    const budget = newBudget();
    holds(parseExpression(text), given, budget);
    return limits.steps - budget.steps;
  }

  test('each evaluated part of an expression is a step', () => {
    expect(stepsOf('1 + 2')).toBe(3);
    expect(stepsOf('false && 1 + 2')).toBe(2);
    expect(stepsOf('[1, 2, 3].map(x => x)')).toBe(8);
  });

  test('arrays in arrays stop after 10,000 steps', () => {
    const text = 'visitor.claims.list.map(a => visitor.claims.list.map(b => visitor.claims.list.map(c => a + b + c)))';
    expect(reasonOf(text, items(1000))).toBe('budget');
    expect(stepsOf(text, items(1000))).toBeLessThanOrEqual(limits.steps + 1);
    expect(holds(parseExpression(`!${text}`), items(1000))).toBe(false);
  });

  test('searching long arrays and texts costs steps', () => {
    expect(stepsOf('visitor.claims.list.includes(-1)', items(10_000))).toBe(1258);
    expect(reasonOf('visitor.claims.list.map(x => visitor.claims.list.includes(-1))', items(10_000))).toBe('budget');
    const long = withClaims({ long: 'a'.repeat(60_000), part: `b${'a'.repeat(30_000)}` });
    expect(reasonOf('visitor.claims.long.includes(visitor.claims.part)', long)).toBe('budget');
    expect(resultOf('visitor.claims.long.includes("aab")', long)).toBe(false);
    expect(stepsOf('visitor.claims.long.toUpperCase()', long)).toBeGreaterThan(200);
  });

  test('texts end at 65,536 characters and arrays at 10,000 items', () => {
    const text = (length: number) => withClaims({ text: 'ß'.repeat(length) });
    expect(resultOf('visitor.claims.text.length', text(65_536))).toBe(65_536);
    expect(reasonOf('visitor.claims.text', text(65_537))).toBe('budget');
    expect(reasonOf('visitor.claims.text + "a"', text(65_536))).toBe('budget');
    expect(reasonOf('`${visitor.claims.text}a`', text(65_536))).toBe('budget');
    expect(reasonOf('visitor.claims.text.toUpperCase()', text(40_000))).toBe('budget');
    expect(resultOf('visitor.claims.list.length', items(10_000))).toBe(10_000);
    expect(reasonOf('visitor.claims.list.length', items(10_001))).toBe('budget');
  });

  test('repeated doubling of a text ends at the limit', () => {
    const text = `["aaaaaaaaaaaaaaaa"]${'.map(a=>a+a+a+a)'.repeat(12)}`;
    expect(reasonOf(text)).toBe('budget');
  });

  test('a shared budget ends for all evaluations, and none takes more than its own limit', () => {
    const greedy = parseExpression('visitor.claims.list.map(a => visitor.claims.list.map(b => b))');
    const budget = newBudget(25_000);
    expect(holds(greedy, items(1000), budget)).toBe(false);
    expect(budget.steps).toBeGreaterThan(14_900);
    expect(conditionHolds('visitor.claims.plan == "pro"', inputs, budget)).toBe(true);
    holds(greedy, items(1000), budget);
    holds(greedy, items(1000), budget);
    expect(conditionHolds('visitor.claims.plan == "pro"', inputs, budget)).toBe(false);
  });
});

test('a random sequence of tokens has plain data or no value, for any claims', () => {
  const tokens = [
    ...[
      'visitor.claims',
      'visitor.claims.a',
      '.a',
      '["b"]',
      '?.a',
      '[0]',
      '1',
      '"x"',
      'null',
      '[1,"x"]',
      '==',
      '<',
      '+',
      '-',
      '*',
    ],
    ...['&&', '||', '??', '!', 'typeof ', ' in ', '(', ')', '?', ':', '.length', '.at(0)', '.trim()', '.includes("x")'],
    ...['.some(x=>x)', '.map(x=>x+x)', '.filter((x,i)=>i)', '.every(x=>x.a)', '.constructor', '.__proto__'],
  ];
  const soup = fc.array(fc.constantFrom(...tokens), { minLength: 1, maxLength: 8 });
  let evaluated = 0;
  fc.assert(
    fc.property(soup, fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.jsonValue()), (parts, claims) => {
      try {
        const value = resultOf(parts.join(''), withClaims(claims));
        expect(typeof value).not.toBe('function');
        expect(typeof value).not.toBe('symbol');
        evaluated++;
      } catch (error) {
        if (!(error instanceof EvaluationError || error instanceof ExpressionError)) throw error;
      }
    }),
    { numRuns: runs(2500) },
  );
  expect(evaluated).toBeGreaterThan(runs(50));
});
