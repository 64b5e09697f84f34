import fc from 'fast-check';
import { expectLinear } from '../testing/processor-time.js';
import { anyCharacter, runs } from '../testing/runs.js';
import { parseExpression } from './parse.js';
import { ExpressionError } from './syntax.js';

function refusal(text: string): ExpressionError {
  try {
    parseExpression(text);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

describe('parseExpression says what is refused and where', () => {
  test.each<[text: string, reason: RegExp, line: number, column: number]>([
    ['', /empty/, 1, 1],
    [' \n ', /empty/, 1, 1],
    ['window', /Unknown name "window".*visitor, space, page/, 1, 1],
    ['visitor.claims.a == globalThis', /Unknown name "globalThis"/, 1, 21],
    ['visitor.claims.a &&\n  proces.x', /Unknown name "proces"/, 2, 3],
    ['NaN', /Unknown name "NaN"/, 1, 1],
    ['1 +', /ends too early/, 1, 4],
    ['(1', /ends too early/, 1, 3],
    ['1 + )', /Unexpected "\)"/, 1, 5],
    ['visitor claims', /Unexpected "claims" after the end/, 1, 9],
    ['true /* and */ false', /Unexpected "false" after the end/, 1, 16],
    ['true)', /Unexpected "\)" after the end/, 1, 5],
    ['1;', /semicolon/, 1, 2],
    ['"a', /Unterminated string/, 1, 1],
    ['@', /Unexpected character/, 1, 1],
    ['visitor.claims.a = 1', /assignment/, 1, 1],
    ['page.vars.a += 1', /assignment/, 1, 1],
    ['page.vars.a++', /"\+\+"/, 1, 1],
    ['new visitor.x()', /"new"/, 1, 1],
    ['this', /"this"/, 1, 1],
    ['/a+/', /regular expression/, 1, 1],
    ['10n', /big integer/, 1, 1],
    ['visitor.x`a`', /template tag/, 1, 1],
    ['({a: 1})', /An object/, 1, 2],
    ['1, 2', /comma/, 1, 1],
    ['[1, ...visitor.claims.a]', /"\.\.\."/, 1, 5],
    ['[1,,2]', /gap/, 1, 1],
    ['1 ** 2', /operator "\*\*"/, 1, 1],
    ['1 | 2', /operator "\|"/, 1, 1],
    ['visitor instanceof page', /operator "instanceof"/, 1, 1],
    ['void 0', /operator "void"/, 1, 1],
    ['delete visitor.claims', /operator "delete"/, 1, 1],
    ['function () {}', /"function"/, 1, 1],
    ['class {}', /class/, 1, 1],
    ['import("fs")', /"import"/, 1, 1],
    ['import.meta', /"import.meta"/, 1, 1],
    ['await visitor', /"await"/, 1, 1],
    ['#a in visitor', /./, 1, 1],
    ['super.a', /super/, 1, 1],
    ['if (1) 2', /Unexpected "if"/, 1, 1],
    ['while (true) {}', /Unexpected "while"/, 1, 1],
    ['x => x', /only be the argument of some, every, map, filter/, 1, 1],
    ['visitor()', /Only a method/, 1, 1],
    ['visitor["at"](0)', /Only a method/, 1, 1],
    ['"a".repeat(9)', /Unknown method "repeat".*startsWith.*some/, 1, 5],
    ['"a".toString()', /Unknown method "toString"/, 1, 5],
    ['"a".constructor("b")', /Unknown method "constructor"/, 1, 5],
    ['"a".valueOf()', /Unknown method "valueOf"/, 1, 5],
    ['"a".__proto__()', /Unknown method "__proto__"/, 1, 5],
    ['"a".at?.(0)', /"\?\.\("/, 1, 1],
    ['"a".trim(1)', /trim takes 0 arguments, not 1/, 1, 5],
    ['"a".includes()', /includes takes 1 to 2 arguments, not 0/, 1, 5],
    ['"a".includes(...[1])', /"\.\.\."/, 1, 14],
    ['"a".includes(x => x)', /only be the argument/, 1, 14],
    ['[1].some(1)', /some takes one arrow function/, 1, 10],
    ['[1].some()', /some takes one arrow function/, 1, 1],
    ['[1].some(x => x, 1)', /some takes one arrow function/, 1, 10],
    ['[1].some(function (x) { return x })', /some takes one arrow function/, 1, 10],
    ['[1].some(async x => x)', /"async"/, 1, 10],
    ['[1].some(x => { return x })', /braces/, 1, 15],
    ['[1].some((x = 1) => x)', /plain name/, 1, 11],
    ['[1].some(({x}) => x)', /plain name/, 1, 11],
    ['[1].some((...x) => x)', /plain name/, 1, 11],
    ['[1].some((a, b, c, d) => a)', /three parameters/, 1, 20],
    ['[1].some((a, a) => a)', /clash/, 1, 14],
    ['[1].some(undefined => 1)', /"undefined"/, 1, 10],
    ['[1].some(x => x) && x', /Unknown name "x"/, 1, 21],
    ['[1].map(x => [x].map(y => y)).some(z => y)', /Unknown name "y"/, 1, 41],
  ])('%s', (text, reason, line, column) => {
    const error = refusal(text);
    expect(error.message).toMatch(reason);
    expect(error).toMatchObject({ line, column });
    expect(error.message).toContain(`(line ${line}, column ${column})`);
  });

  test('takes 1,024 characters and no more', () => {
    expect(() => parseExpression(`"${'a'.repeat(1022)}"`)).not.toThrow();
    expect(refusal(`"${'a'.repeat(1023)}"`)).toMatchObject({ offset: 1024 });
  });

  test.each([
    '(',
    '[',
    '!',
    '-',
    '+-',
    'a=>',
    '1?',
    '1?1:',
    '`${',
    'new ',
    '[1].map(a=>',
    'visitor[',
    '1+',
    '1**',
    '{a:',
    '1&&',
  ])('nests %s so far and no further, without an end of the stack', (opening) => {
    expect(refusal(opening.repeat(Math.floor(1024 / opening.length)))).toBeInstanceOf(ExpressionError);
  });

  test('refuses a complete expression that is nested too deeply', () => {
    expect(refusal(`${'('.repeat(65)}1${')'.repeat(65)}`).message).toMatch(/nested too deeply/);
    expect(refusal(`${'!'.repeat(300)}1`).message).toMatch(/nested too deeply/);
    expect(() => parseExpression(`${'!'.repeat(250)}1`)).not.toThrow();
    expect(() => parseExpression(`${'('.repeat(64)}1${')'.repeat(64)}`)).not.toThrow();
  });

  test('reads escapes in names as the characters they stand for', () => {
    expect(() => parseExpression('v\\u0069sitor.claims')).not.toThrow();
    expect(refusal('\\u{67}lobalThis').message).toMatch(/globalThis/);
    expect(refusal('"a".constr\\u0075ctor("b")').message).toMatch(/Unknown method "constructor"/);
  });

  test('allows blanks, line ends and comments around', () => {
    expect(() => parseExpression(' // why\n visitor.claims.a /* or */ || /* not */\n true // end')).not.toThrow();
  });

  test('gives the same tree, or the same error, for the same text', () => {
    expect(parseExpression('visitor.claims.cached')).toBe(parseExpression('visitor.claims.cached'));
    expect(refusal('cached')).toBe(refusal('cached'));
  });
});

function accepts(text: string): boolean {
  try {
    parseExpression(text);
    return true;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return false;
  }
}

describe('any text is an expression or an ExpressionError', () => {
  test('random strings', () => {
    for (const strings of [
      fc.string({ unit: anyCharacter, maxLength: 1100, size: 'max' }),
      fc.string({ unit: 'grapheme-ascii', maxLength: 60 }),
    ])
      fc.assert(
        fc.property(strings, (text) => void accepts(text)),
        { numRuns: runs(1250) },
      );
  });

  test('random sequences of tokens, some of them accepted', () => {
    let accepted = 0;
    const soup = fc.array(fc.constantFrom(...tokens), { minLength: 1, maxLength: 300, size: 'medium' });
    const bare = fc.array(fc.constantFrom(...tokens.slice(0, 12)), { minLength: 1, maxLength: 5 });
    const property = fc.property(fc.oneof(soup, bare), fc.constantFrom('', ' '), (parts, between) => {
      if (accepts(parts.join(between))) accepted++;
    });
    fc.assert(property, { numRuns: runs(2500) });
    expect(accepted).toBeGreaterThan(runs(25));
  });

  test('takes time by its length only', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...tokens), { minLength: 1, maxLength: 3 }), (parts) => {
        const text = parts.join(' ').repeat(1024);
        expectLinear((length) => accepts(text.slice(0, length)), 120);
      }),
      { numRuns: runs(100), examples: tokens.map((token) => [[token]]) },
    );
  });
});

const tokens = [
  ...['visitor', '.claims', '.a', '==', '1', '"x"', '&&', '!', '.length', '-', 'space.vars', '?.b'],
  ...[
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '=>',
    'x',
    ',',
    ';',
    ':',
    '?',
    '??',
    '||',
    '**',
    '/',
    '`',
    '${',
    '...',
    '#p',
    '\\u0061',
  ],
  ...[
    '.some(',
    '.map(x=>',
    '.includes(',
    '.at(',
    'in',
    'new',
    'class',
    'async',
    'function',
    'yield',
    'await',
    'import',
  ],
  ...[
    'import(',
    'let',
    '=',
    '/*',
    '*/',
    '//',
    '\n',
    '<!--',
    '-->',
    '0x',
    '1e',
    '1n',
    '"',
    "'",
    '\u2028',
    '\0',
    '\ud800',
    'static',
  ],
];
