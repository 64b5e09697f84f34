import { archivePath, type Reference, withReferences } from './references.js';

const url = new URL('https://docs.test/guide/');
const find = (address: URL): Reference => {
  if (address.hostname !== 'docs.test') return { address: address.href };
  if (address.pathname === '/gone') return null;
  return address.pathname.startsWith('/guide') ? { path: 'guide/a b/index.html' } : { address: address.href };
};
const rewritten = (text: string, path = 'guide/c/index.html') => withReferences(text, { url, path, find });

it.each([
  ['<a href="/guide/a">', '<a href="../a%20b/index.html">'],
  ['<a href="https://docs.test/guide/a?x=1#y%20z">', '<a href="../a%20b/index.html#y%20z">'],
  ['<a href="/gone" class="b">', '<a class="b">'],
  ['<a href="/other#z">', '<a href="https://docs.test/other#z">'],
  ['<a href="https://else.test/a b?c=1&amp;d=&quot;">', '<a href="https://else.test/a b?c=1&amp;d=&quot;">'],
  ['<a href="#here">', '<a href="#here">'],
  ['<a href="mailto:a@b.c">', '<a href="mailto:a@b.c">'],
  [
    '<link rel="canonical" href="https://docs.test/guide/a">',
    '<link rel="canonical" href="https://docs.test/guide/a">',
  ],
  ['<p>href=&quot;/guide/a&quot;</p>', '<p>href=&quot;/guide/a&quot;</p>'],
  ['src:url("/guide/font.woff2")', 'src:url("../a%20b/index.html")'],
])('%s becomes %s', (text, expected) => {
  expect(rewritten(text)).toBe(expected);
});

it.each([
  ['/guide/%C3%BC/a%20b/', 'guide/ü/a b'],
  ['/a/../b', 'a/-/b'],
  ['/a%2Fb/c:d%5C', 'a-b/c-d-'],
  ['/%E0', '%E0'],
  ['/', ''],
])('the path %s in an archive is %s', (path, expected) => {
  expect(archivePath(path)).toBe(expected);
});
