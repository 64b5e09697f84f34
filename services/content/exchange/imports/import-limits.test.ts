import { blobOid } from '../../format/space/blob-oid.js';
import type { SourceTree } from '../git/tree/source-tree.js';
import { importTree } from './import-tree.js';
import { importedSpace } from './testing/imported-space.js';

const { organization, space, opened } = importedSpace();

/** A tree of named texts, by path the name; says what was read. */
function treeOf(texts: Record<string, string>, paths: Record<string, string>) {
  const reads: string[] = [];
  const oids = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, blobOid(Buffer.from(text))]));
  const files = Object.entries(paths).map(([path, name]) => ({
    path,
    oid: oids[name] as string,
    size: (texts[name] as string).length,
  }));
  const tree: SourceTree = {
    files,
    async read(path) {
      reads.push(path);
      return Buffer.from(texts[paths[path] as string] ?? '');
    },
    async close() {},
  };
  return { tree, reads };
}

const at = (count: number, oid: string, end = '.md') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${String(i).padStart(5, '0')}${end}`, oid]));

const imported = (tree: SourceTree) => importTree(opened.deps, { tree, organization, space, before: null });

it('reads a page once, at however many paths it is', async () => {
  const { tree, reads } = treeOf({ page: '# One for all\n\n[Next](00001.md)\n' }, at(3000, 'page'));
  const { pages } = await imported(tree);
  expect(pages).toHaveLength(3000);
  expect(reads).toEqual(['00000.md']);
});

it('stores a file once, at however many paths it is', async () => {
  const files = Object.fromEntries(
    Object.keys(at(2000, '', '.png')).map((name) => [`.gitbook/assets/${name}`, 'image']),
  );
  const { tree, reads } = treeOf({ page: '# Files\n', image: 'no image' }, { 'README.md': 'page', ...files });
  expect((await imported(tree)).files).toHaveLength(2000);
  expect(reads).toHaveLength(2);
});

it.each([
  ['20,001 pages', treeOf({ page: '# Page\n' }, at(20_001, 'page')), /^20000\.md: .*20000 pages; there are 20001/],
  ['pages of 200 MB', treeOf({ page: 'x'.repeat(1_900_000) }, at(900, 'page')), /^00105\.md: .*more than 200 MB/],
  [
    '20,001 entries in its table of contents',
    treeOf({ summary: '* a\n'.repeat(20_001) }, { 'SUMMARY.md': 'summary' }),
    /^The table of contents: .*20000 pages; 20001 are listed/,
  ],
  [
    '50,001 files',
    treeOf(
      { page: '# Page\n', file: 'x' },
      {
        'README.md': 'page',
        ...Object.fromEntries(Object.keys(at(50_001, '', '.x')).map((n) => [`.gitbook/assets/${n}`, 'file'])),
      },
    ),
    /^\.gitbook\/assets\/50000\.x: .*50000 files; there are 50001/,
  ],
])('refuses a space with %s, and names the first that is too many', async (_, { tree, reads }, message) => {
  await expect(imported(tree)).rejects.toMatchObject({
    type: 'UNPROCESSABLE',
    permanent: true,
    message: expect.stringMatching(message),
  });
  expect(reads.length).toBeLessThan(3);
});

it.each([
  ['a source of 2 MB', `# Large\n\n${'text '.repeat(500_000)}`, 'larger than 2 MB, left out'],
  [
    'a small source that makes a large document',
    `# Large\n\n${'* a\n'.repeat(120_000)}`,
    /document of more than 16 MB, left out/,
  ],
])('leaves a page out that has %s, and names it', async (_, large, message) => {
  const { tree } = treeOf(
    { large, page: '# Page\n', summary: '* [Page](page.md)\n* [Large](guide/large.md)\n' },
    { 'SUMMARY.md': 'summary', 'page.md': 'page', 'guide/large.md': 'large' },
  );
  const { pages, problems } = await imported(tree);
  expect(pages.map(({ title, document }) => [title, document !== undefined])).toEqual([
    ['Page', true],
    ['Large', false],
  ]);
  expect(problems).toEqual([{ path: 'guide/large.md', message: expect.stringMatching(message) }]);
});

it('does not repeat what aliases of YAML repeat', async () => {
  const long = 'x'.repeat(10_000);
  const names = Array.from({ length: 90 }, (_, i) => `  v${i}: *long`).join('\n');
  const page = `---\nvars:\n  v: &long ${long}\n${names}\n---\n\n# Page\n`;
  const { tree } = treeOf({ page }, { 'README.md': 'page' });
  const { pages, problems } = await imported(tree);
  expect(JSON.stringify(pages).length).toBeLessThan(10_000);
  expect(problems).toEqual([{ path: 'README.md', message: expect.stringContaining('repeat too much') }]);
});

it('keeps of the links of pages only what the repository holds', async () => {
  const links = Array.from({ length: 2000 }, (_, i) => `[a](x/${i}.md)`).join(' ');
  const { tree } = treeOf(
    { page: `# Page\n\n${links} [code](../src) [file](../src/a.ts)\n`, file: 'x' },
    { 'docs/README.md': 'page', 'src/a.ts': 'file' },
  );
  const { outside } = await importTree(opened.deps, {
    tree,
    organization,
    space,
    projectDirectory: 'docs',
    before: null,
  });
  expect(outside).toEqual(['src', 'src/a.ts']);
});
