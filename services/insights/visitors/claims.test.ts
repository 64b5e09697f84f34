import { UnsecuredJWT } from 'jose';
import { claimColumns, claimsProblem, unverifiedClaims } from './claims.js';

const token = (claims: Record<string, unknown>) =>
  new UnsecuredJWT(claims).setIssuedAt().setNotBefore('0s').setExpirationTime('-1h').encode();

describe('claimsOf', () => {
  it('takes the claims of the page', () => {
    const visitorAuthClaims = { plan: 'pro' };
    expect(unverifiedClaims({ visitorAuthClaims, visitorAuthToken: token({ plan: 'free' }) })).toEqual({ plan: 'pro' });
    expect(unverifiedClaims({ visitorAuthClaims: {}, visitorAuthToken: token({ plan: 'free' }) })).toEqual({});
  });

  it('takes those of the token otherwise, without its times', () => {
    expect(unverifiedClaims({ visitorAuthToken: token({ plan: 'free', company: { size: 3 } }) })).toEqual({
      plan: 'free',
      company: { size: 3 },
    });
  });

  it.each([undefined, null, '', 'nothing', 'a.b.c', `a.${btoa('[1]')}.c`, `a.${btoa('{')}.c`])(
    'knows none from the token %j',
    (visitorAuthToken) => {
      expect(unverifiedClaims({ visitorAuthToken })).toEqual({});
    },
  );
});

describe('claimColumns', () => {
  it('is empty without claims', () => {
    expect(claimColumns({})).toEqual({});
  });

  it('stores the same text for equal claims', () => {
    const texts = [
      { b: { d: 1, c: 2 }, a: [] },
      { a: [], b: { c: 2, d: 1 } },
    ].map((each) => claimColumns(each).claims);
    expect(texts).toEqual(['{"a":[],"b":{"c":2,"d":1}}', '{"a":[],"b":{"c":2,"d":1}}']);
  });

  it('gives each leaf by its dotted path', () => {
    const claims = {
      company: { plan: 'pro', size: 12.5, address: { city: 'Łódź' } },
      beta: true,
      none: null,
      empty: {},
      roles: ['a', { z: 1, b: [2] }],
      '': 'nameless',
    };
    expect(claimColumns(claims).claimValues).toEqual({
      'company.plan': 'pro',
      'company.size': '12.5',
      'company.address.city': 'Łódź',
      beta: 'true',
      none: 'null',
      empty: '{}',
      roles: '["a",{"b":[2],"z":1}]',
      '': 'nameless',
    });
  });

  it('prefers a name with a dot to a path, in whatever order they come', () => {
    const values = [
      { 'a.b': '1', a: { b: '2' } },
      { a: { b: '2' }, 'a.b': '1' },
    ].map((each) => claimColumns(each).claimValues);
    expect(values).toEqual([{ 'a.b': '1' }, { 'a.b': '1' }]);
  });

  it('stores names of the language as any other', () => {
    const { claims, claimValues = {} } = claimColumns(JSON.parse('{"__proto__":{"plan":"pro"},"constructor":"a"}'));
    expect(claims).toBe('{"__proto__":{"plan":"pro"},"constructor":"a"}');
    expect(Object.entries(claimValues)).toEqual([
      ['__proto__.plan', 'pro'],
      ['constructor', 'a'],
    ]);
    const [own] = Object.keys(claimColumns(JSON.parse('{"__proto__":"a"}')).claimValues ?? {});
    expect(own).toBe('__proto__');
  });
});

describe('claimsProblem', () => {
  const nested = (levels: number, [open, close] = ['{"a":', '}']) =>
    JSON.parse(`{"a":${open?.repeat(levels - 1)}1${close?.repeat(levels - 1)}}`);
  const leaves = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, at]));
  /** Claims whose JSON has this many characters. */
  const long = (characters: number) => ({ a: 'x'.repeat(characters - '{"a":""}'.length) });

  it('finds none in claims up to the bounds', () => {
    const all = [{}, nested(12), nested(12, ['[', ']']), leaves(100), { a: leaves(100) }, long(4096)];
    expect(all.map((each) => claimsProblem(each))).toEqual(all.map(() => undefined));
  });

  it.each([
    ['objects', nested(13), 'more than 12 levels of claims'],
    ['arrays', nested(13, ['[', ']']), 'more than 12 levels of claims'],
    ['500 objects', nested(500), 'more than 12 levels of claims'],
    ['50,000 arrays', nested(50_000, ['[', ']']), 'more than 12 levels of claims'],
    ['leaves', leaves(101), 'more than 100 claims'],
    ['inner leaves', { a: leaves(60), b: leaves(60) }, 'more than 100 claims'],
    ['characters', long(4097), 'more than 4096 characters of claims'],
    ['items', { a: Array.from({ length: 5000 }, () => 0) }, 'more than 4096 characters of claims'],
  ])('names too many %s', (_, claims, problem) => {
    expect(claimsProblem(claims)).toBe(problem);
  });
});
