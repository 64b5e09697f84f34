import { blobOid } from '../format/space/blob-oid.js';
import type { SourceTree } from '../git/tree/source-tree.js';
import { importTree } from './import-tree.js';
import { importedSpace } from './testing/imported-space.js';

const { organization, space, opened } = importedSpace();

function treeOf(texts: Record<string, string>): SourceTree & { reads: string[] } {
  const reads: string[] = [];
  return {
    reads,
    files: Object.entries(texts).map(([path, text]) => ({ path, oid: blobOid(Buffer.from(text)), size: text.length })),
    async read(path) {
      reads.push(path);
      return Buffer.from(texts[path] ?? '');
    },
    async close() {},
  };
}

test.each([
  ['names it', '.gitbook.yaml', 'structure: { summary: "./toc/contents.md" }\n'],
  ['names it in another case', '.gitbook.yaml', 'structure:\n  summary: toc/Contents.md # the list\n'],
  ['is a book.json', 'book.json', '{ "root": "./", "structure": { "summary": "toc/contents.md" } }'],
])('the table of contents is found where the configuration %s', async (_, config, text) => {
  const tree = treeOf({
    [config]: text,
    'SUMMARY.md': '* [Not this](a.md)\n',
    'other/SUMMARY.md': '* [Nor this](../a.md)\n',
    'toc/contents.md': '* [Listed](../a.md)\n',
    'a.md': '# A\n',
    '.gitbook/vars.yaml': 'product: Bindery\n',
  });
  const imported = () => importTree(opened.deps, { tree, organization, space, before: null });
  const { pages, variables, problems } = await imported();
  expect(pages.map(({ title }) => title)).toEqual(['Listed']);
  expect(variables).toEqual({ product: 'Bindery' });
  expect(problems).toEqual([]);
  tree.reads.length = 0;
  await imported();
  expect(tree.reads.sort()).toEqual([config, '.gitbook/vars.yaml', 'toc/contents.md'].sort());
});
