import fc from 'fast-check';
import { expectLinear } from '../../../../../shared/testing/processor-time.js';
import { runs } from '../../../../../shared/testing/runs.js';
import { outline } from '../testing/outline.js';
import type { OutlinePage } from './outline-pages.js';

fc.configureGlobal({ numRuns: runs(100) });

describe('any table of contents', () => {
  const files = ['README.md', 'a.md', 'b c.md', 'd/README.md', 'd/e.md'];
  const target = fc.constantFrom(
    ...files.map(encodeURI),
    'a',
    'd',
    'A.MD',
    './a.md',
    '../a.md',
    'gone.md',
    'a.md#x',
    'https://x.test',
    '',
    '#x',
  );
  const item = fc
    .tuple(fc.nat(4), fc.constantFrom('*', '-', '+', '1.'), fc.string({ maxLength: 6 }), target)
    .map(([depth, marker, title, url]) => `${'  '.repeat(depth)}${marker} [${title}](${url})`);
  const row = fc.oneof({ weight: 6, arbitrary: item }, fc.constantFrom('## G', '***', '', '# T'), fc.string());
  const summary = fc.array(row, { maxLength: 25 }).map((rows) => rows.join('\n'));

  function everyPage(pages: OutlinePage[]): OutlinePage[] {
    return pages.flatMap((page) => [page, ...('children' in page ? everyPage(page.children) : [])]);
  }

  test('a file is at most one page, paths are unique and groups stand at the top', () => {
    fc.assert(
      fc.property(summary, (text) => {
        const { pages } = outline({ 'SUMMARY.md': text, ...Object.fromEntries(files.map((file) => [file, ''])) });
        const all = everyPage(pages);
        const used = all.flatMap((page) => (page.type === 'document' && page.file ? [page.file] : []));
        expect(new Set(used).size).toBe(used.length);
        const paths = all.flatMap((page) => (page.type === 'link' ? [] : [page.path]));
        expect(new Set(paths).size).toBe(paths.length);
        expect(all.every((page) => page.title !== '')).toBe(true);
        expect(all.filter(({ type }) => type === 'group').every((group) => pages.includes(group))).toBe(true);
      }),
      { numRuns: runs(250) },
    );
  });

  test('every listed file is a page once', () => {
    const order = fc.shuffledSubarray(files, { minLength: 1 });
    fc.assert(
      fc.property(order, fc.infiniteStream(fc.nat(3)), (chosen, depths) => {
        const rows = chosen.map(
          (file, at) => `${'  '.repeat(at === 0 ? 0 : (depths.next().value ?? 0))}* [x](<${file}>)`,
        );
        const { pages } = outline({
          'SUMMARY.md': rows.join('\n'),
          ...Object.fromEntries(files.map((file) => [file, ''])),
        });
        const used = everyPage(pages).flatMap((page) => (page.type === 'document' && page.file ? [page.file] : []));
        expect(used.sort()).toEqual([...chosen].sort());
      }),
    );
  });
});

test('many pages, all with the same title, take time by their number only', () => {
  expectLinear((count) => {
    const names = Array.from({ length: count }, (_, at) => `folder-${at % 50}/page-${at}.md`);
    const texts: Record<string, string> = Object.fromEntries(names.map((name) => [name, '']));
    const listed = names.map((name, at) => `${'  '.repeat(at % 3)}* [Same title](${name})`).join('\n');
    expect(outline(texts).pages).toHaveLength(50);
    expect(outline({ ...texts, 'SUMMARY.md': listed }).problems).toEqual([]);
  }, 500);
});
