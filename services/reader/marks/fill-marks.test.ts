import { english } from '../words/english.js';
import { type Filling, fillMarks, fragmentOf } from './fill-marks.js';

const mark = (text: string) => `\u0001${text}\u0002`;
const hostile = `"><script>alert('1')</script>&`;
const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;';

const filling: Filling = {
  page: (path, anchor) => `/docs/${path}${fragmentOf(anchor)}`,
  file: (path) => `/app${path}`,
  outside: (position) => (position === 0 ? { href: `/other/?${hostile}`, title: hostile } : null),
  search: (query) => `/docs/~search?q=${query}`,
  words: english,
  formatDate: (iso) => `on ${iso}`,
};
const fill = (html: string) => fillMarks(html, filling);

it.each([
  [`<a href="${mark('pstart')}">`, '<a href="/docs/start">'],
  [`<a href="${mark('pstart#top')}">`, '<a href="/docs/start#top">'],
  [`<a href="${mark('p')}">`, '<a href="/docs/">'],
  [`<img src="${mark('f/~files/1/x')}">`, '<img src="/app/~files/1/x">'],
  [`<a href="${mark('sa&amp;b')}">`, '<a href="/docs/~search?q=a&amp;b">'],
  [`<time>${mark('d2026-01-01')}</time>`, '<time>on 2026-01-01</time>'],
  [mark('wsearch'), english.search],
  [mark('wnothing'), ''],
  [mark('wconstructor'), ''],
  [mark('xnothing'), ''],
  ['no mark', 'no mark'],
])('%j becomes %j', (html, expected) => {
  expect(fill(html)).toBe(expected);
});

it('what is put into a page is escaped, also where titles and addresses are hostile', () => {
  expect(fill(`<a href="${mark('o0')}">${mark('t0')}</a>`)).toBe(`<a href="/other/?${escaped}">${escaped}</a>`);
  const inPath = fill(`<a href="${mark(`p${escaped}`)}">`);
  expect([inPath.includes('<script'), inPath.match(/"/g)?.length]).toEqual([false, 2]);
});

it('a reference that leads nowhere is text that says so', () => {
  expect(fill(`<a href="${mark('o7')}">${mark('t7')}</a>`)).toBe(
    `<a class="broken" title="${english.brokenLink}">${english.brokenLink}</a>`,
  );
});

it('what is filled in is not filled in again', () => {
  const again = { ...filling, search: () => mark('wsearch') };
  expect(fillMarks(mark('sx'), again)).toBe(mark('wsearch'));
});
