import {
  isReadmeFile,
  joinPath,
  newFileFinder,
  newSlugClaims,
  pageNameOf,
  redirectKey,
  slugOf,
  titleOfName,
} from './paths.js';

test.each([
  ['', './docs/', 'docs'],
  ['docs', 'a/../b.md', 'docs/b.md'],
  ['docs', '../b.md', 'b.md'],
  ['docs', '../../b.md', undefined],
  ['docs', '/b.md', 'b.md'],
  ['', '.', ''],
])('from %j, %j is %j', (folder, target, path) => {
  expect(joinPath(folder, target)).toBe(path);
});

test.each([
  ['Getting Started', 'getting-started'],
  ['Elsa Server + Studio (WASM)', 'elsa-server-+-studio-wasm'],
  ['Math & TeX', 'math-and-tex'],
  ["What's new in v1.2?", 'whats-new-in-v1.2'],
  ['snake_case', 'snake_case'],
  ['Über Größe', 'uber-grosse'],
  ['資料庫 系統', 'zi-liao-ku-xi-tong'],
  ['日本語 ガイド', 'ri-ben-yu-gaido'],
  ['Руководство', 'rukovodstvo'],
  ['../..', 'page'],
  ['🚀', 'page'],
  ['a/b\\c%2f#d', 'a-b-c-2f-d'],
  ['x'.repeat(101), 'x'.repeat(100)],
])('the slug of %j is %j', (text, slug) => {
  expect(slugOf(text, 'page')).toBe(slug);
});

test('slugs among siblings differ, also where a suffix is taken', () => {
  const claim = newSlugClaims();
  expect(['a', 'a-1', 'a', 'a', 'b'].map(claim)).toEqual(['a', 'a-1', 'a-2', 'a-3', 'b']);
  const long = 'x'.repeat(100);
  expect([long, long].map(claim)).toEqual([long, `${'x'.repeat(98)}-1`]);
});

test('a README is named by its folder, but not at the root', () => {
  expect(pageNameOf('docs', 'docs/guides/README.md')).toBe('guides');
  expect(pageNameOf('docs', 'docs/README.md')).toBe('README');
  expect(pageNameOf('', 'guides/v1.2.md')).toBe('v1.2');
  expect(isReadmeFile('a/readme.markdown')).toBe(true);
  expect(isReadmeFile('a/README-2.md')).toBe(false);
});

test('a name becomes a title', () => {
  expect(titleOfName('getting-started_now')).toBe('Getting started now');
  expect(titleOfName('-')).toBe('-');
});

test('a file is found as people link to it', () => {
  const find = newFileFinder(new Set(['README.md', 'Guides/README.md', 'guides/first.md', 'logo.png']));
  expect(find('guides/first')).toBe('guides/first.md');
  expect(find('Guides')).toBe('Guides/README.md');
  expect(find('')).toBe('README.md');
  expect(find('LOGO.PNG')).toBe('logo.png');
  expect(find('guides/second.md')).toBeUndefined();
});

test('redirects are compared in any case, encoding and form of the file', () => {
  const forms = ['a b/C', '/A%20b/c/', 'a b//c.md', './a b/c/README.md', 'a%20b/c/readme', 'A B/C.markdown'];
  expect(new Set(forms.map(redirectKey))).toEqual(new Set(['a b/c']));
  expect(['README.md', '', '/', 'readme'].map(redirectKey)).toEqual(['', '', '', '']);
  expect(redirectKey('100%')).toBe('100%');
});
