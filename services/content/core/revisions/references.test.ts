import { expectLinear } from '../../../../shared/testing/processor-time.js';
import type { FileEntry } from './model.js';
import { includeCandidates, mayPathMeanFile, openPageFileFinder, resolveRef } from './references.js';
import { buildView, type PageEntry, type RevisionView } from './revision-view.js';

test('links to many aliases of a page take no longer each than links to few', () => {
  expectLinear((length) => {
    const aliases = Array.from({ length }, (_, at): [string, string] => [`alias-${at}`, `anchor-${at}`]);
    const page = { aliases };
    const anchorOf = (alias: string) => resolveRef({} as RevisionView, page, `#${alias}`, 'link')?.anchor;
    expect(aliases.every(([alias, anchor]) => anchorOf(alias) === anchor)).toBe(true);
    expect(resolveRef({} as RevisionView, page, '#other', 'link')).toEqual({ kind: 'anchor', anchor: 'other' });
  }, 1000);
});

describe('a link by id', () => {
  const page = (id: string, path?: string): PageEntry => ({
    id,
    type: 'document',
    title: id,
    slug: id,
    path: id,
    pages: [],
    ...(path ? { git: { oid: id, path } } : {}),
  });
  const file = (id: string, path?: string): FileEntry => ({
    id,
    name: id,
    contentType: 'image/png',
    size: 1,
    blob: id,
    ...(path ? { git: { oid: id, path } } : {}),
  });
  const aliased: PageEntry = { ...page('aliased'), aliases: [['old', 'new']] };
  const refFor = async (url: string, kind = 'link') => {
    const view = await buildView(
      { _id: 'r', space: 'Own1', treeURL: 'https://git.example/tree' } as RevisionView['revision'],
      {
        pages: [aliased, page('Made1'), page('Made2'), page('taken', 'pages/Made1.md')],
        files: [file('File1'), file('shadow', 'files/File2'), file('File2'), file('above', 'spaces/Other2')],
        reusable: [],
        outside: ['pages/Made2'],
      },
      0,
    );
    return resolveRef(view, page('from'), url, kind);
  };
  it.each(['link', 'content-ref', 'file', 'image'])('leads to a page or a file from a %s', async (kind) => {
    expect(await refFor('/files/File1', kind)).toEqual({ kind: 'file', file: 'File1' });
    expect(await refFor('/pages/taken', kind)).toEqual({ kind: 'page', page: 'taken' });
  });

  it('may have an anchor, also by an alias', async () => {
    expect(await refFor('/pages/taken#a')).toEqual({ kind: 'anchor', anchor: 'a', page: 'taken' });
    expect(await refFor('/pages/taken#c%2B%2b')).toEqual({ kind: 'anchor', anchor: 'c++', page: 'taken' });
    expect(await refFor('#100%')).toEqual({ kind: 'anchor', anchor: '100%' });
    expect(await refFor('/pages/aliased/?q=1#old')).toEqual({ kind: 'anchor', anchor: 'new', page: 'aliased' });
  });

  it('gives way to paths of the repository', async () => {
    expect(await refFor('/pages/Made1')).toEqual({ kind: 'page', page: 'taken' });
    expect(await refFor('/files/File2')).toEqual({ kind: 'file', file: 'shadow' });
    expect(await refFor('/pages/Made2')).toMatchObject({ kind: 'url' });
  });

  it.each<[string, object]>([
    ['/spaces/Other1', { kind: 'space', space: 'Other1' }],
    ['/spaces/Other1/?q=1#x', { kind: 'space', space: 'Other1' }],
    ['/spaces/Own1', { kind: 'space', space: 'Own1' }],
    ['/spaces/Other1/pages/Page1', { kind: 'page', page: 'Page1', space: 'Other1' }],
    ['/spaces/Other1/pages/taken/?q=1', { kind: 'page', page: 'taken', space: 'Other1' }],
    ['/spaces/Other1/pages/aliased#old', { kind: 'anchor', anchor: 'old', page: 'aliased', space: 'Other1' }],
    ['/spaces/Own1/pages/taken', { kind: 'page', page: 'taken' }],
    ['/spaces/Own1/pages/aliased#old', { kind: 'anchor', anchor: 'new', page: 'aliased' }],
    ['/collections/Some1', { kind: 'collection', collection: 'Some1' }],
    ['/users/Some1', { kind: 'user', user: 'Some1' }],
    ['/spaces/Other2', { kind: 'file', file: 'above' }],
  ])('%s leads out of the space where it says so', async (url, expected) => {
    for (const kind of ['link', 'content-ref', 'mention', 'button']) expect(await refFor(url, kind)).toEqual(expected);
  });

  it.each<[string, string, object]>([
    ['/spaces/Own1/pages/none', 'link', { kind: 'page', page: 'broken' }],
    ['/spaces/Other1/pages/a/b', 'link', { kind: 'page', page: 'broken' }],
    ['/spaces/Other1/other/Page1', 'link', { kind: 'page', page: 'broken' }],
    ['spaces/Other1', 'link', { kind: 'page', page: 'broken' }],
    ['/collections/a/b', 'link', { kind: 'page', page: 'broken' }],
    ['/spaces/Other1/pages/Page1', 'image', { kind: 'file', file: 'broken' }],
    ['/users/Some1', 'file', { kind: 'file', file: 'broken' }],
    ['/spaces/Other1', 'include', { kind: 'reusable-content', reusableContent: 'broken' }],
    ['/pages/none', 'link', { kind: 'page', page: 'broken' }],
    ['/files/none', 'image', { kind: 'file', file: 'broken' }],
    ['pages/taken', 'link', { kind: 'page', page: 'broken' }],
    ['/pages/taken/more', 'link', { kind: 'page', page: 'broken' }],
    ['/pages/', 'link', { kind: 'page', page: 'broken' }],
    ['/other/taken', 'link', { kind: 'page', page: 'broken' }],
  ])('%s of a %s is broken', async (url, kind, expected) => {
    expect(await refFor(url, kind)).toEqual(expected);
  });
});

describe('a link to a folder', () => {
  it.each([
    ['a/', ['a/README.md'], 'a/README.md'],
    ['a', ['a/Readme.md'], 'a/Readme.md'],
    ['a/', ['a/README.MD', 'a/b/README.md'], 'a/README.MD'],
    ['a/', ['a/readme.markdown', 'a.md'], 'a/readme.markdown'],
    ['a/', ['a/index.md'], 'a/index.md'],
    ['a/', ['a/Index.md', 'a/readme.md', 'a/README.md'], 'a/README.md'],
    ['a/', ['a/Index.md', 'a/Readme.md'], 'a/Readme.md'],
    ['a', ['a/index.md', 'a.md'], 'a.md'],
    ['.', ['ReadMe.md', 'a/README.md'], 'ReadMe.md'],
    ['', ['readme.md'], 'readme.md'],
    ['a/', ['a/b/Readme.md', 'a/other.md'], undefined],
  ])('%s finds its page among %j', (path, files, found) => {
    expect(openPageFileFinder(new Map(files.map((file) => [file, true])))(path)).toBe(found);
    if (found !== undefined) expect(mayPathMeanFile(path, found)).toBe(true);
  });

  it('finds it in a time by the number of files only', () => {
    expectLinear((length) => {
      const files = Array.from({ length }, (_, at): [string, true] => [
        `f${at % 100}/${'x'.repeat(at % 7)}/index.md`,
        true,
      ]);
      expect(openPageFileFinder(new Map(files))('f0/')).toBeUndefined();
    }, 1000);
  });
});

describe('an include', () => {
  it.each([
    ['.gitbook/includes/note.md', 'docs/a/b.md', 'docs/.gitbook/includes/note.md'],
    ['../shared/note.md', 'docs/a/b.md', 'docs/shared/note.md'],
    ['./note.md', 'docs/a/b.md', 'docs/a/note.md'],
    ['note.md', 'docs/a/b.md', 'note.md'],
    ['/shared/note.md', 'docs/a/b.md', 'docs/shared/note.md'],
    ['/shared/the%20note.md', 'b.md', 'shared/the note.md'],
  ])('of %s in %s may mean %s', (link, from, file) => {
    expect(includeCandidates(from, link)).toContain(file);
  });

  it.each([
    ['../note.md', 'a/b/c.md', ['a/note.md']],
    ['../../note.md', 'a/b.md', []],
    ['note.md', 'b.md', ['note.md', 'note.md']],
    ['/note.md', 'a/b.md', ['note.md', 'note.md', 'a/note.md']],
  ])('of %s in %s means these files at most', (link, from, files) => {
    expect(includeCandidates(from, link)).toEqual(files);
  });

  it('looks in 51 folders at most', () => {
    expect(includeCandidates(`${'a/'.repeat(1000)}b.md`, 'note.md')).toHaveLength(52);
  });
});
