import { expectLinear } from '../../../shared/testing/processor-time.js';
import { hasWildcard, keysOfPath, redirectFor, sourceKey } from './redirect-keys.js';
import { redirectSourceSchema } from './resources.js';

/** The source, of several, that a path leads to first, with what its wildcard stands for. */
function found(path: string, ...sources: string[]): [string, string[]] | null {
  const keys = keysOfPath(path);
  const redirect = redirectFor(
    [...keys.keys()],
    sources.map((source) => ({ source, key: sourceKey(source) })),
  );
  return redirect ? [redirect.source, keys.get(redirect.key)?.() ?? []] : null;
}

describe('a path', () => {
  it.each<[string, string, string[] | null]>([
    ['/old/*', '/old/a', ['a']],
    ['/old/*', '/OLD/a/b%20c/', ['a', 'b%20c']],
    ['/old/*', '/old', null],
    ['/old/*', '/older/a', null],
    ['/old*', '/old', []],
    ['/old*', '/older/a', ['er', 'a']],
    ['/old*', '/old/a', ['a']],
    ['/caf%C3%A9*', '/CAFE\u0301s/a', ['s', 'a']],
    ['/a*', '/a%2Fb/c', ['%2Fb', 'c']],
    ['/a*', '/a%20b/c', ['%20b', 'c']],
    ['/old/*', '/old/../../etc/./%2e%2e', ['etc']],
    ['/old/*', '/old/*', ['*']],
    ['/old/%2A', '/old/*', ['*']],
    ['/old/%2A', '/old/a', null],
    ['/old/a', '/old/a', []],
    ['/old/a', '/old/a/b', null],
  ])('%s is at %s', (source, path, captured) => {
    expect(found(path, source)).toEqual(captured && [source, captured]);
  });

  it('leads to the redirect without a wildcard, or else to the longest', () => {
    const sources = ['/a*', '/a/b/c', '/a/*', '/a/b*', '/a/b/*'];
    expect(['/a/b/c', '/a/b/d', '/a/bc', '/a/c', '/ac'].map((path) => found(path, ...sources)?.[0])).toEqual([
      '/a/b/c',
      '/a/b/*',
      '/a/b*',
      '/a/*',
      '/a*',
    ]);
  });

  it('leads to no draft', () => {
    for (const path of ['/old', '//old', '/%2Fold'])
      expect([...keysOfPath(path).keys()]).not.toContain(sourceKey('/old', true));
  });

  it('of any length has no more keys than the longest source has characters', () => {
    expect(keysOfPath(`/${'a/'.repeat(1024)}`).size).toBe(513);
    expectLinear((size) => redirectSourceSchema.safeParse(`/${'a'.repeat(size)}*/`), 1000);
  });
});

describe('a source', () => {
  it.each([
    ['/old/*', true],
    ['/old*', true],
    ['/old+new', true],
    ['/*', false],
    ['/**', false],
    ['/old/**', false],
    ['/old/*/', false],
    ['/old/*/new', false],
    ['*', false],
  ])('%s: %s', (source, taken) => {
    expect(redirectSourceSchema.safeParse(source).success).toBe(taken);
    if (taken) expect(hasWildcard(source)).toBe(source.endsWith('*'));
  });
});
