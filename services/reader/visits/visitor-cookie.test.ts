import { forgetVisitor, rememberVisitor, signOutVisitor } from './visitor-cookie.js';

const visited = (url: string, isOnBase: boolean, siteBasePath: string, until?: number) => ({
  url: new URL(url),
  isOnBase,
  visit: { shown: { siteBasePath }, visitor: until === undefined ? {} : { until } },
});
const headerOf = (...[given, plain]: [ReturnType<typeof visited>, URL?]) =>
  String(rememberVisitor(given, 'a.b.c', plain ?? given.url).headers['Set-Cookie']);

it.each([
  ['https://docs.acme.test/', false, '/', '__Host-visitor', '; Path=/; HttpOnly; SameSite=Lax; Secure'],
  ['https://docs.acme.test/key/', false, '/key/', '__Host-visitor', '; Path=/; HttpOnly; SameSite=Lax; Secure'],
  [
    'https://bindery.test/sites/a/',
    true,
    '/sites/a/',
    '__Secure-visitor',
    '; Path=/sites/a/; HttpOnly; SameSite=Lax; Secure',
  ],
  ['http://localhost:4000/sites/a/', true, '/sites/a/', 'visitor', '; Path=/sites/a/; HttpOnly; SameSite=Lax'],
])('the cookie at %s is for its host or its path alone', (url, isOnBase, path, name, attributes) => {
  const given = visited(url, isOnBase, path);
  expect(headerOf(given)).toBe(`${name}=a.b.c; Max-Age=2592000${attributes}`);
  const forgotten = forgetVisitor({ status: 200, headers: { ETag: 'x' }, kind: 'page' }, given);
  expect(forgotten.headers).toEqual({
    ETag: 'x',
    'Cache-Control': 'private, no-store',
    'Set-Cookie': `${name}=; Max-Age=0${attributes}`,
  });
  expect(signOutVisitor(given)).toMatchObject({ status: 303, headers: { Location: path } });
});

it('a cookie ends with its token, and never later than in thirty days', () => {
  const now = Math.floor(Date.now() / 1000);
  const ageOf = (until: number) =>
    Number(/Max-Age=(\d+)/.exec(headerOf(visited('https://docs.test/', false, '/', until)))?.[1]);
  expect(ageOf(now - 100)).toBe(0);
  expect(ageOf(now + 1e9)).toBe(30 * 24 * 3600);
  expect(ageOf(now + 3600)).toBeLessThanOrEqual(3600);
});

it('the address that a token was in stays on its host', () => {
  for (const path of ['//evil.example/x?a=1', '/\\evil.example/x?a=1', '///evil.example/x?a=1']) {
    const url = new URL(`https://docs.test${path}`);
    const { Location } = rememberVisitor(visited('https://docs.test/', false, '/'), 't', url).headers;
    expect(Location).toBe('/evil.example/x?a=1');
  }
});
