import type { Visit } from '../visits/visit.js';
import { addressesOf } from './addresses.js';
import { cacheControlOf } from './answers.js';

const siteSpace = (id: string, section: string, space: string, published?: string) => ({
  ...{ object: 'site-space', id, section, space: { id: space }, urls: published ? { published } : {} },
});

/** A visit of `guide` at `/docs/guide/`, with `api` shown in two sections of the same site. */
const visit = {
  shown: {
    ...{ space: 'guide', siteSpace: 'g', siteSection: 'two', pathname: 'a/b' },
    ...{ basePath: '/docs/guide/', siteBasePath: '/docs/', canonicalUrl: 'https://docs.test/docs/guide/a/b' },
  },
  visitor: {},
  site: {
    structure: {
      type: 'siteSpaces',
      structure: [
        siteSpace('x', 'one', 'api', 'https://docs.test/docs/one/api/'),
        siteSpace('y', 'two', 'api', 'https://docs.test/docs/two/api/'),
        siteSpace('g', 'two', 'guide', 'https://docs.test/docs/guide/'),
        siteSpace('z', 'two', 'elsewhere', 'https://other.test/z/'),
        siteSpace('n', 'two', 'nowhere'),
      ],
    },
  },
} as unknown as Visit;
const at = (url: string, known = url) =>
  addressesOf(visit, { url: new URL(url), known: new URL(known), rootPath: '/app' });
const addresses = at('https://docs.test/docs/guide/a/b');

it('pages, files and their canonical addresses are below the place of the visit', () => {
  expect(addresses.page('')).toBe('/docs/guide/');
  expect(addresses.page('a b/ü?', 'x y')).toBe('/docs/guide/a%20b/%C3%BC%3F#x%20y');
  expect(addresses.file('/~files/1')).toBe('/app/~files/1');
  expect([addresses.canonical(''), addresses.canonical('c/d')]).toEqual([
    'https://docs.test/docs/guide/',
    'https://docs.test/docs/guide/c/d',
  ]);
});

it('pages of other spaces are where the site shows them, near ones first', () => {
  const target = (space: string, path = 'p', anchor?: string) =>
    addresses.target({ kind: 'page', space, path, title: '', ...(anchor ? { anchor } : {}) });
  expect(target('guide', 'p', 'x')).toBe('/docs/guide/p#x');
  expect(target('api', 'p', 'x')).toBe('/docs/two/api/p#x');
  expect(target('elsewhere')).toBe('https://other.test/z/p');
  expect([target('nowhere'), target('unknown')]).toEqual([null, null]);
  expect(addresses.target({ kind: 'url', url: 'https://x.test/' })).toBe('https://x.test/');
});

it('addresses are local under each name of the server', () => {
  expect(addresses.local('https://docs.test/x?a=1#b')).toBe('/x?a=1#b');
  expect(addresses.local('https://other.test/x')).toBe('https://other.test/x');
  expect(at('http://127.0.0.1:4000/docs/guide/', 'https://docs.test/docs/guide/').local('https://docs.test/x')).toBe(
    '/x',
  );
});

it('only what is the same for everybody may be kept by others', () => {
  const by = (visitor: object, isAnonymous = true) =>
    cacheControlOf({ visitor: { given: {}, isAnonymous }, visit: { ...visit, visitor: visitor as Visit['visitor'] } });
  expect(by({})).toBe('public, max-age=0, must-revalidate');
  for (const answer of [by({}, false), by({ shareKey: 'k' }), by({ signedBy: 'k' }), by({ preview: {} })])
    expect(answer).toBe('private, no-cache');
});
