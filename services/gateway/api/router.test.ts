import { operations } from '../contracts.js';
import { operationsOfOtherVersions } from './other-versions.js';
import { publicOperation } from './public-api.js';
import { publicOperations } from './public-operations.js';
import { createRouter } from './router.js';

const own = new Set<string>(operations.map(({ id }) => id));
const missing = [...publicOperations, ...operationsOfOtherVersions]
  .map(publicOperation)
  .filter(({ id }) => !own.has(id));
const router = createRouter(operations, { missing, page: 'https://bindery.test/page' });

interface Thrown {
  type?: string;
  message?: string;
  allow?: string[];
}

const thrownBy = (run: () => unknown): Thrown => {
  try {
    run();
  } catch (error) {
    return error as Thrown;
  }
  return {};
};
const namesOf = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));

describe('the router', () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))('finds %s', (id, { method, path }) => {
    const values = Object.fromEntries(namesOf(path).map((name) => [name, `id of ${name}/ä?#%`]));
    const filled = path.replace(/\{(\w+)\}/g, (_: string, name: string) => encodeURIComponent(String(values[name])));
    for (const url of [`/v1${filled}`, `/v1${filled}/`.replace(/\/\/$/, '/')]) {
      const match = router.find(method, url);
      expect([match.operation.id, { ...match.path }]).toEqual([id, values]);
    }
    expect(router.allowed(`/v1${filled}`)).toContain(method);
  });

  it.each([
    '/',
    '',
    'v1',
    '/v2',
    '/v1/nothing',
    '/V1/user',
    '/v1/User',
    '/v1//user',
    '/v1/user/tokens/a/b',
    '/v1/spaces',
    '/v1/spaces//',
    '/v1/spaces/%',
    '/v1/spaces/%E0%A4%A',
    '/v1/spaces/%ff/content',
    `/v1/spaces/${'x'.repeat(1025)}`,
    `/v1${'/x'.repeat(8000)}`,
    `/v1/${'x'.repeat(16_000)}`,
    '/v1/__proto__',
    '*',
  ])('answers 404 for a path that is none (%#)', (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
      expect(thrownBy(() => router.find(method, path))).toMatchObject({ type: 'NOT_FOUND' });
      expect(router.allowed(path)).toEqual([]);
    }
  });

  it.each(missing.map(({ id, method, path }) => [id, method, path] as const))(
    'answers 501 for %s of the public API',
    (id, method, path) => {
      const url = `/v1${path.replace(/\{\w+\}/g, 'some-id')}`;
      expect(thrownBy(() => router.find(method, url))).toMatchObject({
        type: 'NOT_IMPLEMENTED',
        message: `Bindery does not implement the operation ${id} yet; https://bindery.test/page lists those it implements`,
      });
      expect(router.allowed(url)).not.toContain(method);
    },
  );

  it('takes HEAD as GET, where there is one', () => {
    expect(router.find('HEAD', '/v1/user').operation.id).toBe('getAuthenticatedUser');
    expect(thrownBy(() => router.find('HEAD', '/v1/spaces/a/restore'))).toMatchObject({
      type: 'METHOD_NOT_ALLOWED',
      allow: ['POST'],
    });
  });

  it.each(['PUT', 'OPTIONS', 'TRACE', 'QUERY', 'PROPFIND', 'get', 'constructor', '__proto__'])(
    'answers 405 for %s on a path with other methods, and names them',
    (method) => {
      const error = thrownBy(() => router.find(method, '/v1/spaces/a'));
      expect(error).toMatchObject({ type: 'METHOD_NOT_ALLOWED', allow: ['GET', 'PATCH', 'DELETE', 'HEAD'] });
    },
  );

  it('decodes a parameter once', () => {
    expect(router.find('GET', '/v1/spaces/a%2Fb').path).toMatchObject({ spaceId: 'a/b' });
    expect(router.find('GET', '/v1/spaces/a%252Fb').path).toMatchObject({ spaceId: 'a%2Fb' });
    expect(router.find('GET', '/v1/spaces/%2e%2e').path).toMatchObject({ spaceId: '..' });
    expect(router.find('GET', '/v1/spaces/a+b').path).toMatchObject({ spaceId: 'a+b' });
    expect(router.find('GET', '/v1/spaces/%00').path).toMatchObject({ spaceId: '\0' });
  });

  it('takes the rest as the path of a page, with its slashes as they are or encoded', () => {
    for (const path of ['guide/install/linux', 'guide%2Finstall%2Flinux', 'guide/install%2Flinux/']) {
      const { operation, path: found } = router.find('GET', `/v1/spaces/a/content/path/${path}`);
      expect([operation.id, { ...found }]).toEqual([
        'getPageByPath',
        { spaceId: 'a', pagePath: 'guide/install/linux' },
      ]);
    }
    expect(thrownBy(() => router.find('GET', '/v1/spaces/a/content/path/'))).toMatchObject({ type: 'NOT_FOUND' });
  });

  it('prefers a fixed word to a parameter', () => {
    expect(router.find('GET', '/v1/user/tokens').operation.id).toBe('listUserTokens');
    expect(router.find('DELETE', '/v1/user/tokens/tokens').path).toMatchObject({ tokenId: 'tokens' });
  });

  it('reads the query of the operation it found', () => {
    expect(router.find('GET', '/v1/orgs').readQuery('limit=5&unknown=1')).toEqual({ limit: 5 });
  });
});
