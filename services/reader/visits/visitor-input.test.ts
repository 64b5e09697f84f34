import { cookiesOf, visitorInputOf, withoutVisitor } from './visitor-input.js';

const given = (query: string, cookie?: string) => visitorInputOf(new URL(`https://docs.test/${query}`), cookie);

it('cookies are read by their names, whatever is in them', () => {
  expect([...cookiesOf('a=1; b=x=y; a=2; bad; =no; c=%E2%82%AC; d=%zz; e=')]).toEqual([
    ['a', '1'],
    ['b', 'x=y'],
    ['c', '€'],
    ['d', '%zz'],
    ['e', ''],
  ]);
  expect([...cookiesOf()]).toEqual([]);
});

it.each<[cookie: string, token: string | undefined]>([
  ['visitor=t', 't'],
  ['__Host-visitor=t', 't'],
  ['__Secure-visitor=t', 't'],
  ['gitbook-visitor-token=t', 't'],
  ['gitbook-visitor-token~L2RvY3Mv=t', 't'],
  ['gitbook-visitor-token~Lw===t', 't'],
  ['visitors=t', undefined],
  ['my-visitor=t', undefined],
  ['visitor=', undefined],
])('the token of a visitor is in a cookie: %s', (cookie, token) => {
  expect(given('', cookie).given.jwtToken).toBe(token);
  expect(given('', cookie).isAnonymous).toBe(token === undefined);
});

it('a token in the address counts before that of a cookie', () => {
  expect(given('?jwt_token=new', 'visitor=old')).toEqual({
    given: { jwtToken: 'new' },
    tokenInAddress: 'new',
    isAnonymous: false,
  });
  expect(withoutVisitor(new URL('https://docs.test/a?x=1&jwt_token=t&visitor.a=1')).search).toBe('?x=1&visitor.a=1');
});

it.each<[query: string, cookie: string | undefined, claims: unknown]>([
  ['?visitor.plan=pro', undefined, { plan: 'pro' }],
  ['?visitor.beta=true&visitor.old=false', undefined, { beta: true, old: false }],
  ['?visitor.company.plan=pro&visitor.company.size=9', undefined, { company: { plan: 'pro', size: '9' } }],
  ['?visitor.a=1&visitor.a.b=2', undefined, { a: '1' }],
  ['', 'gitbook-visitor-public={"plan":"pro"}', { plan: 'pro' }],
  [
    '?visitor.plan=free',
    `gitbook-visitor-public-x=${encodeURIComponent('{"plan":"pro","a":1}')}`,
    { plan: 'free', a: 1 },
  ],
  ['', 'gitbook-visitor-public=nonsense; gitbook-visitor-public-2=[1]; gitbook-visitor-public-3=null', undefined],
  ['?visitor.=1&visitor..a=1&visitor.__proto__.a=1&visitor.a.b.c.d.e.f=1', undefined, undefined],
])('claims that nobody signed are read from %s and %s', (query, cookie, claims) => {
  expect(given(query, cookie).given.unsignedClaims).toEqual(claims);
  expect(({} as { a?: unknown }).a).toBeUndefined();
});

it('claims are bounded in number and length', () => {
  const many = Array.from({ length: 500 }, (_, at) => `visitor.c${at}=${'x'.repeat(5000)}`).join('&');
  const { unsignedClaims = {} } = given(`?${many}`).given;
  const values = Object.values(unsignedClaims) as string[];
  expect([values.length, Math.max(...values.map(({ length }) => length))]).toEqual([50, 1000]);
});
