import { parseClaims } from './rison.js';

describe('claims in Rison', () => {
  it.each<[string, unknown]>([
    ['()', {}],
    ['(plan:pro)', { plan: 'pro' }],
    [
      "(a:!t,b:!f,c:!n,d:-1.5e3,e:'it!'s!!',f:!(),g:!(1,x),h:(i:j))",
      { a: true, b: false, c: null, d: -1500, e: "it's!", f: [], g: [1, 'x'], h: { i: 'j' } },
    ],
    ["('a b':1)", { 'a b': 1 }],
    ['(a:01,b:1x)', { a: '01', b: '1x' }],
    ['{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
  ])('%s', (text, claims) => {
    expect(parseClaims(text)).toEqual(claims);
  });

  it.each([
    '',
    '(',
    '(a)',
    '(a:)',
    '(a:1',
    '(a:1)x',
    '!t',
    '!(1)',
    'x',
    "(a:'x",
    '(a:!x)',
    "(a:'!x')",
    '{',
    '[1]',
    '{"a":}',
    '('.repeat(999),
  ])('%s is refused', (text) => {
    expect(() => parseClaims(text)).toThrow('claims: must be an object in Rison or JSON');
  });

  it('give no object another prototype', () => {
    const claims = parseClaims('(__proto__:(admin:!t))');
    expect([(claims as { admin?: boolean }).admin, Object.getPrototypeOf(claims)]).toEqual([
      undefined,
      Object.prototype,
    ]);
  });
});
