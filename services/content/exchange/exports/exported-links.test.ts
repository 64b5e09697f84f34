import { buildView, type PageEntry, type RevisionView } from '../../core/revisions/revision-view.js';
import { rewriteAddress } from './exported-links.js';

const page = (id: string, path: string): PageEntry => ({
  id,
  type: 'document',
  title: id,
  slug: id,
  path: id,
  pages: [],
  git: { oid: id, path },
});

async function addressing() {
  const revision = { _id: 'r', space: 's' } as RevisionView['revision'];
  const git = { oid: 'p', path: '.gitbook/assets/a (1).png' };
  const picture = { id: 'Pic', name: 'a (1).png', contentType: 'image/png', size: 1, blob: 'p', git };
  const note = { id: 'Note', title: 'Note', document: 'n', git: { oid: 'n', path: 'shared/note.md' } };
  const pages = [
    page('Home', 'README.md'),
    page('Guide', 'guide/README.md'),
    page('Moved', 'guide/moved.md'),
    page('Other', 'other/Readme.MD'),
  ];
  const view = await buildView(revision, { pages, files: [picture], reusable: [note], outside: [] }, 0);
  const paths = new Map([
    ['Other', 'other/Readme.MD'],
    ['Note', 'shared/note.md'],
    ['Home', 'README.md'],
    ['Guide', 'guide/README.md'],
    ['Moved', 'guide/now.md'],
    ['Pic', '.gitbook/assets/a (1).png'],
    ['New', 'new page/(x).md'],
  ]);
  return { view, pathOf: (id: string) => paths.get(id) };
}

const from = (former: string, path = former) => ({ item: { git: { path: former } }, path });

describe('a link of an exported page', () => {
  it.each([
    ['an address of the web', 'https://example.com/pages/Home', undefined],
    ['a mail address', 'mailto:ada@example.com', undefined],
    ['nothing', '', undefined],
    ['an anchor', '#here', undefined],
    ['a page that stays', '../README.md#x', undefined],
    ['a folder', './', undefined],
    ['a folder whose page is named in another case', '../other/', undefined],
    ['a missing file', '../missing.md', undefined],
    ['a page by id', '/pages/Home', '../README.md'],
    ['a page by id, with an anchor', '/pages/Home#a(b)', '../README.md#a%28b%29'],
    ['a page by id, with a query', '/pages/Home/?a=1#b', '../README.md?a=1#b'],
    ['the page itself by id, with an anchor', '/pages/Guide#x', '#x'],
    ['a file by id', '/files/Pic', '../.gitbook/assets/a%20%281%29.png'],
    ['a page without a file before', '/pages/New', '../new%20page/%28x%29.md'],
    ['an unknown page by id', '/pages/Gone', undefined],
    ['a page whose file was renamed', 'moved.md#x', 'now.md#x'],
    ['a page whose file was renamed, without its ending', 'moved', 'now.md'],
  ])('to %s', async (_, url, expected) => {
    expect(
      rewriteAddress(await addressing(), from('guide/README.md'), { url, kind: 'link' })
        ?.replaceAll('(', '%28')
        .replaceAll(')', '%29'),
    ).toBe(expected);
  });

  it.each([
    ['../shared/note.md', undefined],
    ['/shared/note.md', undefined],
    ['shared/note.md', undefined],
    ['../shared/./note.md', undefined],
    ['gone.md', undefined],
  ])('that includes %s stays', async (url, expected) => {
    expect(rewriteAddress(await addressing(), from('guide/README.md'), { url, kind: 'include' })).toBe(expected);
  });

  it.each([
    ['a page', '../README.md', '../../README.md'],
    ['code beside', '../src/main.ts#L1', '../../src/main.ts#L1'],
    ['an image', '../.gitbook/assets/a%20(1).png', '../../.gitbook/assets/a%20%281%29.png'],
    ['a path from the top', '/README.md', undefined],
  ])('to %s still leads there when its own file moves to another folder', async (_, url, expected) => {
    const moved = from('guide/moved.md', 'guide/deep/now.md');
    expect(
      rewriteAddress(await addressing(), moved, { url, kind: 'link' })
        ?.replaceAll('(', '%28')
        .replaceAll(')', '%29'),
    ).toBe(expected);
  });
});
