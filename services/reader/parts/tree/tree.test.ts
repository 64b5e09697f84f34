import fc from 'fast-check';
import type { TreeEntry } from '../page-model.js';
import { maxWholeTree, renderTree, treeWithCurrent } from './tree.js';

const options = { icons: 'regular' as const, allPages: { title: 'All pages', href: '/~pages' } };

const titles = fc.oneof(fc.string(), fc.constantFrom(' data-at="\u0001"', '\u0001', '"><script>', '__proto__'));
const { entries: randomEntries } = fc.letrec<{ entries: TreeEntry[]; entry: TreeEntry }>((tie) => ({
  entry: fc.record({
    id: fc.uuid(),
    title: titles,
    kind: fc.constantFrom('document', 'group', 'link'),
    href: fc.option(fc.constantFrom('/a', '/b"c', 'javascript:x', 'https://example.com/'), { nil: undefined }),
    emoji: fc.option(fc.constantFrom('1f4a5', '🎉', '\u0001'), { nil: undefined }),
    children: fc.oneof({ maxDepth: 3 }, fc.constant<TreeEntry[]>([]), tie('entries')),
  }),
  entries: fc.array(tie('entry'), { maxLength: 4 }),
}));

const idsOf = (entries: TreeEntry[]): string[] => entries.flatMap(({ id, children }) => [id, ...idsOf(children)]);
const unmarked = (html: string) => html.replace(' aria-current="page"', '').replaceAll('<details open>', '<details>');

const wayTo = (entries: TreeEntry[], id: string): TreeEntry[] => {
  for (const entry of entries) {
    if (entry.id === id) return [entry];
    const below = wayTo(entry.children, id);
    if (below.length > 0) return [entry, ...below];
  }
  return [];
};
const isHeading = (entry: TreeEntry, depth: number) => entry.kind === 'group' && depth === 0;

test('marking a page changes only its mark and what is open', () => {
  fc.assert(
    fc.property(randomEntries, (entries) => {
      const tree = renderTree(entries, options);
      const plain = treeWithCurrent(tree, undefined);
      for (const id of idsOf(entries)) {
        const way = wayTo(entries, id);
        const html = treeWithCurrent(tree, id);
        expect(unmarked(html)).toBe(plain);
        const opened = way.filter((entry, depth) => entry.children.length > 0 && !isHeading(entry, depth));
        expect(html.split('<details open>').length - 1).toBe(opened.length);
        const entry = way.at(-1);
        const isLinked = entry?.kind !== 'link' && entry?.href !== undefined && !entry.href.startsWith('javascript');
        expect(html.includes(' aria-current="page"')).toBe(isLinked);
      }
    }),
    { numRuns: 50 },
  );
});

const document = (id: string, children: TreeEntry[] = []): TreeEntry => ({
  id,
  title: `Page ${id}`,
  kind: 'document',
  href: `/${id}`,
  children,
});
const many = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => document(`${prefix}${at}`));

test('a large table of contents shows what is near the page, and leads to all pages', () => {
  const tree = renderTree(
    [document('a', [...many('a', 200), document('b', many('b', 5))]), document('c', many('c', 200))],
    options,
  );
  const html = treeWithCurrent(tree, 'b');
  expect(html).toContain('<a href="/b" aria-current="page">');
  for (const shown of ['/a', '/a7', '/b4', '/c', '/~pages']) expect(html).toContain(`href="${shown}"`);
  expect(html).not.toContain('href="/c1"');
  expect(treeWithCurrent(tree, undefined)).not.toContain('href="/a1"');
});

test('a hundred thousand entries beside the page are cut, and the page is still there', () => {
  const tree = renderTree(many('a', 100_000), options);
  const html = treeWithCurrent(tree, 'a99999');
  expect(html).toContain('<a href="/a99999" aria-current="page">');
  expect(html.split('<li').length).toBeLessThan(1100);
});

test('up to 300 entries are all shown', () => {
  const tree = renderTree([document('a', many('a', maxWholeTree - 1))], options);
  expect(treeWithCurrent(tree, undefined)).toContain(`href="/a${maxWholeTree - 2}"`);
  expect(treeWithCurrent(tree, 'nowhere')).not.toContain('/~pages');
});

test('a table of contents nested a thousand deep is cut', () => {
  let deep = document('end');
  for (let at = 0; at < 1000; at += 1) deep = document(`d${at}`, [deep]);
  const html = treeWithCurrent(renderTree([deep], options), 'd999');
  expect(html.split('<li').length).toBeLessThan(100);
});
