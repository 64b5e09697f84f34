import type { FileEntry, ReusableEntry } from '../../core/revisions/model.js';
import { buildView, type PageEntry, type RevisionView } from '../../core/revisions/revision-view.js';
import { assignPaths, relocatePath } from './item-paths.js';

let made = 0;
const page = (slug: string, more: Partial<PageEntry> = {}): PageEntry => ({
  id: `${slug}-${++made}`,
  type: 'document',
  title: slug,
  slug,
  path: slug,
  pages: [],
  document: 'd',
  ...more,
});
const at = (path: string, oid = '1') => ({ git: { path, oid } });
const file = (name: string): FileEntry => ({ id: `f-${++made}`, name, contentType: 'a/b', size: 1, blob: 'b' });

interface Given {
  pages: PageEntry[];
  files?: FileEntry[];
  reusable?: ReusableEntry[];
  theirs?: string[];
  root?: string;
}

/** The pages with the paths that their places give them. */
const placed = (pages: PageEntry[], above = ''): PageEntry[] =>
  pages.map((each) => ({ ...each, path: above + each.slug, pages: placed(each.pages, `${above}${each.slug}/`) }));

/** The paths that pages, files and reusable content get, in their order. */
async function pathsOf({ pages, files = [], reusable = [], theirs = [], root = '' }: Given): Promise<unknown[]> {
  const revision = { _id: 'r', space: 's' } as RevisionView['revision'];
  const view = await buildView(revision, { pages: placed(pages), files, reusable, outside: [] }, 0);
  const { paths } = await assignPaths({ view, base: undefined, place: { directory: '', root }, from: '', theirs });
  const ids = [...view.pageById.keys(), ...files.map(({ id }) => id), ...reusable.map(({ id }) => id)];
  return ids.map((id) => paths.get(id));
}

describe('a new page', () => {
  it.each<[string, Given, unknown[]]>([
    ['is named after its path', { pages: [page('a')] }, ['a.md']],
    ['has an index file above others', { pages: [page('a', { pages: [page('b')] })] }, ['a/README.md', 'a/b.md']],
    [
      'lies in the folder of its group',
      { pages: [page('g', { type: 'group', pages: [page('b')] })] },
      [undefined, 'g/b.md'],
    ],
    ['lies in the root', { pages: [page('a')], root: 'docs/x' }, ['docs/x/a.md']],
    ['without anything to say has no file', { pages: [page('a', { document: undefined })] }, [undefined]],
    ['with an icon alone has one', { pages: [page('a', { document: undefined, icon: 'star' })] }, ['a.md']],
    ['takes no name that is in use', { pages: [page('a')], theirs: ['a.md'] }, ['a/README.md']],
    ['nor one that differs in case', { pages: [page('a')], theirs: ['A.MD', 'a/readme.md'] }, ['2/a.md']],
    ['nor a third', { pages: [page('a')], theirs: ['a.md', 'a/README.md', '2/a.md'] }, ['3/a.md']],
    ['nor that of a folder', { pages: [page('a')], theirs: ['a.md/b.txt'] }, ['a/README.md']],
    ['nor a folder that is a file', { pages: [page('a', { pages: [page('b')] })], theirs: ['a'] }, ['a.md', '2/b.md']],
    [
      'below a folder that is a file',
      { pages: [page('a', { type: 'group', pages: [page('b')] })], theirs: ['A'] },
      [undefined, '2/b.md'],
    ],
    ['called readme gets a folder', { pages: [page('x', at('x.md')), page('readme')] }, ['x.md', 'readme/README.md']],
  ])('%s', async (_, given, expected) => {
    expect(await pathsOf(given)).toEqual(expected);
  });
});

it('a page that others include has one file, as a page', async () => {
  const included = { id: 'r1', title: 'A', document: 'd', ...at('a.md') };
  expect(await pathsOf({ pages: [page('a', at('a.md'))], reusable: [included] })).toEqual(['a.md', undefined]);
  expect(await pathsOf({ pages: [page('b', at('b.md'))], reusable: [included] })).toEqual(['b.md', 'a.md']);
});

describe('a page with a file', () => {
  it.each<[string, Given, unknown[]]>([
    ['keeps it', { pages: [page('a', at('other/a.md'))] }, ['other/a.md']],
    [
      'keeps it below another page',
      { pages: [page('p', { pages: [page('a', at('a.md'))] })] },
      ['p/README.md', 'a.md'],
    ],
    [
      'keeps it though its slug is that of a title in another script',
      { pages: [page('wen-shu', at('文書.md'))] },
      ['文書.md'],
    ],
    [
      'gets another when its slug does not come from its name',
      { pages: [page('b', at('other/a.md'))] },
      ['other/b.md'],
    ],
    ['moves with its folder as an index', { pages: [page('b', at('x/a/README.md'))] }, ['x/b/README.md']],
    [
      'keeps the second slug of two of one name',
      { pages: [page('a', at('x/a.md')), page('a-1', at('y/a.md'))] },
      ['x/a.md', 'y/a.md'],
    ],
    [
      'gives way to the one that has it',
      { pages: [page('a', at('a.md')), page('a-1', at('a.md'))] },
      ['a.md', 'a-1.md'],
    ],
  ])('%s', async (_, given, expected) => {
    expect(await pathsOf(given)).toEqual(expected);
  });
});

describe('other new content', () => {
  it.each<[string, string]>([
    ['a.png', '.gitbook/assets/a.png'],
    ['a (1).png', '.gitbook/assets/a (1).png'],
    ['a:b*c?.png', '.gitbook/assets/a-b-c-.png'],
    ['.htaccess', '.gitbook/assets/htaccess'],
    ['...', '.gitbook/assets/file'],
    ['GIT~1', '.gitbook/assets/git-1'],
    ['taken.png', '.gitbook/assets/taken-1.png'],
    ['TAKEN.png', '.gitbook/assets/TAKEN-1.png'],
  ])('a file called %s gets %s', async (name, expected) => {
    const theirs = ['.gitbook/assets/taken.png'];
    expect(await pathsOf({ pages: [], files: [file(name)], theirs })).toEqual([expected]);
  });

  it('of one name gets numbers', async () => {
    const files = [file('a.png'), file('a.png'), file('a.png')];
    expect(await pathsOf({ pages: [], files, root: 'docs' })).toEqual([
      'docs/.gitbook/assets/a.png',
      'docs/.gitbook/assets/a-1.png',
      'docs/.gitbook/assets/a-2.png',
    ]);
  });

  it('does not replace a file that stands where its folder has to be', async () => {
    const given = { pages: [], files: [file('a.png')], theirs: ['.gitbook'] };
    await expect(pathsOf(given)).rejects.toMatchObject({
      reason: 'conflict',
      message: expect.stringContaining('.gitbook'),
    });
  });
});

describe('a path in another folder', () => {
  it.each([
    ['', '', 'a/b.md', 'a/b.md'],
    ['', 'docs', 'a/b.md', 'docs/a/b.md'],
    ['docs', '', 'docs/a.md', 'a.md'],
    ['docs', 'x/y', 'docs/a.md', 'x/y/a.md'],
    ['docs', 'x', 'docs2/a.md', 'x/docs2/a.md'],
  ])('from %j to %j: %s is %s', (from, directory, path, expected) => {
    expect(relocatePath(path, { from, place: { directory, root: directory } })).toBe(expected);
  });
});
