import type { RedirectEntry } from '../../core/revisions/model.js';
import { resolveRef } from '../../core/revisions/references.js';
import { buildView, type PageEntry, type RevisionView } from '../../core/revisions/revision-view.js';
import { blobOid } from '../../format/space/blob-oid.js';
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

test('images that front matter names are files of the space, wherever they lie', async () => {
  const matter = (...lines: string[]) => `---\n${lines.join('\n')}\n---\n`;
  const tree = treeOf({
    'docs/a.md': `${matter('cover: ../img/cover', 'coverDark: /img/dark.png')}# A\n`,
    'docs/b.md': `${matter('cover:', '  light: ../img/light%20one.png', '  dark: https://example.com/d.png')}# B\n`,
    'docs/c.md': `${matter('social:', '  image: og.png', '  page: a.md')}# C\n`,
    'docs/og.png': '1',
    'img/cover': '2',
    'img/dark.png': '3',
    'img/light one.png': '4',
    'img/unused.png': '5',
  });
  const { files } = await importTree(opened.deps, { tree, organization, space, before: null });
  expect(files.map(({ git }) => git?.path).sort()).toEqual([
    'docs/og.png',
    'img/cover',
    'img/dark.png',
    'img/light one.png',
  ]);
});

test('links lead to files whose names are composed otherwise, or are no UTF-8', async () => {
  const nfd = (path: string) => path.normalize('NFD');
  const tree = treeOf({
    'SUMMARY.md': '* [A](a.md)\n* [B](bücher/café.md)\n* [C](%FCber.md)\n',
    'a.md':
      '# A\n\n[b](bücher/café.md#é) [encoded](b%C3%BCcher/caf%C3%A9.md) [raw](%FCber.md) ![c](bücher/ö.png)\n\n{% include "bücher/é.md" %}\n',
    [nfd('bücher/café.md')]: '# B\n\n## é\n',
    [nfd('bücher/é.md')]: 'Included.\n',
    [nfd('bücher/ö.png')]: '1',
    '%FCber.md': '# C\n',
  });
  const imported = await importTree(opened.deps, { tree, organization, space, before: null });
  expect(imported.problems).toEqual([]);
  expect(imported.pages.map(({ git }) => git?.path)).toEqual(['a.md', nfd('bücher/café.md'), '%FCber.md']);
  expect(imported.files.map(({ git }) => git?.path)).toEqual([nfd('bücher/ö.png')]);
  expect(imported.reusable.map(({ git }) => git?.path)).toEqual([nfd('bücher/é.md')]);
  const view = await buildView({ _id: '1', space } as never, imported, 0);
  const [a, b, c] = imported.pages;
  const refOfLink = (url: string, kind = 'link') => resolveRef(view, a as PageEntry, url, kind);
  expect(refOfLink('bücher/café.md')).toEqual({ kind: 'page', page: b?.id });
  expect(refOfLink('b%C3%BCcher/caf%C3%A9')).toEqual({ kind: 'page', page: b?.id });
  expect(refOfLink('%FCber.md')).toEqual({ kind: 'page', page: c?.id });
  expect(refOfLink('bücher/ö.png', 'image')).toEqual({ kind: 'file', file: imported.files[0]?.id });
  expect(refOfLink('bücher/é.md', 'include')).toEqual({
    kind: 'reusable-content',
    reusableContent: imported.reusable[0]?.id,
  });
});

test('what pages include from outside the folder of their space comes in, with what that includes', async () => {
  const tree = treeOf({
    'docs/a.md': '# A\n\n{% include "../shared/note.md" %}\n\n{% include "/top.md" %}\n\n{% include "../none.md" %}\n',
    'shared/note.md': 'A note.\n\n{% include "more/deep.md" %}\n\n[A](../docs/a.md)\n',
    'shared/more/deep.md': 'More.\n\n{% include "../note.md" %}\n',
    'shared/unused.md': '# Unused\n',
    'top.md': '# Top\n',
  });
  const imported = await importTree(opened.deps, { tree, organization, space, projectDirectory: 'docs', before: null });
  expect(imported.pages.map(({ git }) => git?.path)).toEqual(['docs/a.md']);
  const paths = imported.reusable.map(({ git }) => git?.path);
  expect(paths.toSorted()).toEqual(['shared/more/deep.md', 'shared/note.md', 'top.md']);
  expect(imported.problems).toEqual([
    { path: 'docs/a.md', message: '../none.md is included, but is no page of the repository' },
  ]);
  const view = await buildView({ _id: '1', space } as never, imported, 0);
  const [page] = imported.pages as [PageEntry];
  const [note, deep] = ['shared/note.md', 'shared/more/deep.md'].map((path) =>
    imported.reusable.find(({ git }) => git?.path === path),
  );
  expect(resolveRef(view, page, '../shared/note.md', 'include')?.reusableContent).toBe(note?.id);
  expect(resolveRef(view, note as PageEntry, 'more/deep.md', 'include')?.reusableContent).toBe(deep?.id);
  expect(resolveRef(view, note as PageEntry, '../docs/a.md', 'link')).toEqual({ kind: 'page', page: page.id });
});

test('a page that includes thousands of files which are not there does not fill the memory with warnings', async () => {
  const includes = Array.from({ length: 1200 }, (_, at) => `{% include "none-${at}.md" %}`).join('\n\n');
  const tree = treeOf({ 'a.md': `# A\n\n${includes}\n` });
  const { problems } = await importTree(opened.deps, { tree, organization, space, before: null });
  expect(problems).toHaveLength(1000);
});

test('500 folders in each other, and what a repository leaves out, do not end an import', async () => {
  const deep = `${'a/'.repeat(500)}b.md`;
  const summary = Array.from({ length: 500 }, (_, level) => `${'  '.repeat(level)}* [P](p${level}.md)`).join('\n');
  const listed = Object.fromEntries(Array.from({ length: 500 }, (_, level) => [`p${level}.md`, `# P${level}\n`]));
  const levels = (pages: readonly PageEntry[]): number => Math.max(0, ...pages.map((page) => 1 + levels(page.pages)));
  const imported = (files: Record<string, string>, leftOut?: number) =>
    importTree(opened.deps, { tree: { ...treeOf(files), leftOut }, organization, space, before: null });
  const { pages, problems } = await imported({ 'README.md': '# A\n', [deep]: '# B\n' }, 2);
  expect(levels(pages)).toBe(51);
  expect(problems).toEqual([
    { path: '', message: '2 files of the repository have a path of more than 1,024 bytes, left out' },
  ]);
  expect(levels((await imported({ 'SUMMARY.md': summary, ...listed })).pages)).toBe(50);
});

describe('the former paths of pages', () => {
  /** Content of one page, `guide.md`, at a path of its own. */
  const contentAt = async (path: string, redirects: RedirectEntry[], before: RevisionView) => {
    const page = { ...(before.pages[0] as PageEntry), path };
    return buildView(before.revision, { pages: [page], files: [], reusable: [], outside: [], redirects }, 0);
  };
  const treeWith = (redirects: number) => {
    const configured = Array.from({ length: redirects }, (_, at) => `  configured-${at}: guide.md\n`);
    return treeOf({
      '.gitbook.yaml': `redirects:\n${configured.join('')}`,
      'SUMMARY.md': '* [Guide](guide.md)\n',
      'guide.md': '# Guide\n',
    });
  };
  const imported = async (tree: SourceTree, before: RevisionView | null) =>
    importTree(opened.deps, { tree, organization, space, before });
  const firstView = async () => {
    const { pages } = await imported(treeWith(0), null);
    const revision = { ...(await opened.deps.revisions.current(space)).revision };
    return buildView(revision, { pages, files: [], reusable: [], outside: [] }, 0);
  };

  it.each([
    ['none of its own', 0],
    ['some of its own', 4000],
    ['as many of its own as there may be', 10_000],
  ])('are kept as redirects beside %s, the latest, up to 10,000', async (_, own) => {
    const first = await firstView();
    const page = first.pages[0]?.id as string;
    const former = Array.from(
      { length: 10_000 },
      (_, at): RedirectEntry => ({ from: `former-${at}`, page, moved: true }),
    );
    const before = await contentAt('elsewhere', former, first);
    const { redirects = [] } = await imported(treeWith(own), before);
    const room = 10_000 - own;
    expect(redirects).toHaveLength(10_000);
    expect(redirects.slice(0, own).every(({ from, moved }) => from.startsWith('configured') && !moved)).toBe(true);
    expect(redirects.slice(own).map(({ from }) => from)).toEqual(
      [...former.map(({ from }) => from), 'elsewhere'].slice(10_001 - room),
    );
  });

  it('are not those that an author wrote, of pages that are gone, or of paths that are taken', async () => {
    const first = await firstView();
    const page = first.pages[0]?.id as string;
    const before = await contentAt(
      'Guide',
      [
        { from: 'written', page },
        { from: 'gone', page: 'gone', moved: true },
        { from: 'GUIDE/', page, moved: true },
        { from: 'Configured-0.md', page, anchor: 'a', moved: true },
        { from: 'kept', page, anchor: 'a', moved: true },
      ],
      first,
    );
    const { redirects } = await imported(treeWith(1), before);
    expect(redirects).toEqual([
      { from: 'configured-0', page },
      { from: 'kept', page, anchor: 'a', moved: true },
    ]);
  });
});
