import { ContentWriter, deleted, document, inserted, updated } from '../support/content-changes.js';
import { newOrganization, shared } from '../support/fixtures.js';

const client = shared();
let organization: string;
let writer: ContentWriter;
beforeAll(async () => {
  organization = await newOrganization(client);
});
beforeEach(async () => {
  writer = await ContentWriter.onNew(client, organization);
});

describe('an inserted page', () => {
  it('has its title from front matter, else from its first heading, else from the change, else a default', async () => {
    const title = 'Of the change';
    const ids = await writer.insert(
      inserted(title, document('---\ntitle: Front\n---\n# Heading\n')),
      inserted(title, document('# Heading\n\nText.\n')),
      inserted(title, document('## Second level\n')),
      { operation: 'insert_page', ...document('Text.\n') },
      { operation: 'insert_page', ...document('') },
    );
    const pages = await writer.pages();
    expect(pages.map(({ id }) => id)).toEqual(ids);
    expect(pages.map(({ title, path }) => [title, path])).toEqual([
      ['Front', 'front'],
      ['Heading', 'heading'],
      ['Of the change', 'of-the-change'],
      ['Untitled page', 'untitled-page'],
      ['Untitled page', 'untitled-page-1'],
    ]);
    expect(await writer.markdown(ids[2] as string)).toBe('# Of the change\n\n## Second level\n');
    expect(await writer.source(ids[2] as string)).toBe('## Second level\n');
  });

  it('is shown once by its title, also in a title of several words, marks and scripts', async () => {
    const titles = [
      '日本語のページ',
      'Ünïcode & friends',
      '🚀',
      '*not bold*',
      '`code`',
      '# hash',
      '---',
      'a: b',
      '1.5',
    ];
    const ids = await writer.insert(...titles.map((title) => inserted(title)));
    const pages = await writer.pages();
    expect(pages.map(({ title }) => title)).toEqual(titles);
    for (const { path } of pages) expect(path).toMatch(/^[a-z0-9+._-]+$/);
    expect(new Set(pages.map(({ path }) => path)).size).toBe(titles.length);
    expect(await writer.markdown(ids[0] as string)).toBe('# 日本語のページ\n\nAbout 日本語のページ.\n');
    const spaced = await writer.insert(inserted('  Two\n lines\t'));
    expect((await writer.page(spaced[0] as string)).title).toBe('Two lines');
  });

  it('gets a slug of its own among its siblings: made from the title, or the one that the change names', async () => {
    const [one] = await writer.insert(
      inserted('Same'),
      inserted('Same'),
      inserted('SAME'),
      inserted('Other', { slug: 'Mine Own' }),
      inserted('Other', { slug: '' }),
      inserted('Third', { slug: '日本語' }),
    );
    await writer.insert(inserted('Same', { into: one }), inserted('Below', { into: one, slug: 'mine-own' }));
    expect((await writer.pages()).map(({ path }) => path)).toEqual([
      'same',
      'same/same',
      'same/mine-own',
      'same-1',
      'same-2',
      'mine-own',
      'other',
      'ri-ben-yu',
    ]);
    expect(await writer.refused(inserted('More', { slug: 'same' }))).toEqual([
      409,
      'changes.0.slug: another page in this place has same already',
    ]);
    expect((await writer.refused(inserted('New'), inserted('More', { slug: 'MINE own' })))[0]).toBe(409);
  });

  it('stands where `into` and `at` say; the end is the default, and the last place there is', async () => {
    const [a, b] = await writer.insert(inserted('A'), inserted('B'));
    const changes = [
      inserted('First', { at: 0 }),
      inserted('Last', { at: 1_000_000 }),
      inserted('Second', { at: 1 }),
      inserted('Below B', { into: b }),
      inserted('Above that', { into: b, at: 0 }),
      inserted('Below A', { into: a, at: 7 }),
    ];
    await writer.apply(...changes);
    expect(await writer.outline()).toEqual([
      ['First', 'first'],
      ['Second', 'second'],
      ['A', 'a', [['Below A', 'a/below-a']]],
      [
        'B',
        'b',
        [
          ['Above that', 'b/above-that'],
          ['Below B', 'b/below-b'],
        ],
      ],
      ['Last', 'last'],
    ]);
  });

  it('may stand below one of the same request, named by its ref', async () => {
    const [old] = await writer.insert(inserted('Old'));
    await writer.apply(
      inserted('Guide', { ref: 'guide' }),
      inserted('Install', { ref: 'install', into: './guide' }),
      inserted('Linux', { into: './install' }),
      updated(old as string, { into: './install', at: 0 }),
    );
    const below = [
      ['Old', 'guide/install/old'],
      ['Linux', 'guide/install/linux'],
    ];
    expect(await writer.outline()).toEqual([['Guide', 'guide', [['Install', 'guide/install', below]]]]);
  });

  it('may stand below one of the same request, also for a writer that names the revision it saw', async () => {
    const changes = [inserted('Guide', { ref: 'guide' }), inserted('Install', { into: './guide' })];
    expect((await writer.send({ changes, revision: await writer.revision() })).status).toBe(200);
    expect(await writer.outline()).toEqual([['Guide', 'guide', [['Install', 'guide/install']]]]);
  });

  it('cannot stand below one that is inserted later, or a file', async () => {
    const nothing = (into: string) => [400, expect.stringMatching(`into: there is no page ${into}`)];
    expect(await writer.refused(inserted('A', { into: './b' }), inserted('B', { ref: 'b' }))).toEqual(nothing('./b'));
    expect(await writer.refused(inserted('A', { into: './__proto__' }))).toEqual(nothing('./__proto__'));
    const file = { name: 'a.txt', ref: 'a', contentType: 'text/plain', base64: 'YQ==' };
    expect(await writer.refused({ operation: 'insert_files', files: [file] }, inserted('A', { into: './a' }))).toEqual(
      nothing('./a'),
    );
  });

  it('has the metadata of the change in its front matter, where its own does not say otherwise', async () => {
    const metadata = {
      emoji: '🐞',
      icon: 'bolt',
      description: 'What it is: "all"',
      hidden: true,
      noIndex: true,
      noRobotsIndex: true,
      condition: 'visitor.claims.beta == true',
    };
    const [own, plain, bare] = (await writer.insert(
      inserted('Own', {
        ...metadata,
        ...document('---\r\ndescription: Mine # why\r\nhidden: false\r\n---\r\nText.\r\n'),
      }),
      inserted('Plain', { ...metadata, ...document('Text.\n') }),
      inserted('Bare', { emoji: '', icon: '', description: '', condition: '', hidden: false, ...document('Text.\n') }),
    )) as [string, string, string];
    const { condition: _, ...shown } = metadata;
    expect(await writer.page(plain)).toMatchObject(shown);
    expect(await writer.page(own)).toMatchObject({ ...shown, description: 'Mine', hidden: false });
    expect(await writer.source(bare)).toBe('Text.\n');
    const lines = ['---', 'description: Mine # why', 'hidden: false', 'noIndex: true', 'noRobotsIndex: true'];
    lines.push('icon: bolt', 'emoji: 🐞', 'if: visitor.claims.beta == true', '---', 'Text.', '');
    expect(await writer.source(own)).toBe(lines.join('\r\n'));
    const page = await writer.page(plain);
    expect([page.createdAt, page.updatedAt]).toEqual([expect.any(String), page.createdAt]);
    for (const name of ['emoji', 'icon', 'description']) expect(await writer.page(bare)).not.toHaveProperty(name);
  });

  it('is told with its ref and its address, each page once, with the files of the batch', async () => {
    const { changeRequest, changes, insertedFiles } = await writer.apply(
      inserted('One', { ref: '__proto__' }),
      inserted('Two', { ref: '日本語' }),
      inserted('Three'),
    );
    expect(changeRequest).toEqual(await writer.state());
    expect(changes.map(({ object, ref }: any) => [object, ref])).toEqual([
      ['created_page', '__proto__'],
      ['created_page', '日本語'],
      ['created_page', undefined],
    ]);
    expect(insertedFiles).toBeUndefined();
    for (const { page } of changes) {
      expect(page).toEqual({ object: 'page', id: page.id, urls: { location: expect.any(String) } });
      const { pathname } = new URL(page.urls.location);
      expect((await client.get(pathname)).body).toEqual(await writer.page(page.id));
    }
    const [one, two] = changes.map(({ page }: any) => page.id);
    const after = await writer.apply(
      updated(two, { title: 'Deux' }),
      inserted('Short-lived', { into: one }),
      updated(one, { title: 'Un' }),
      updated(two, { slug: 'zwei' }),
      deleted(one),
    );
    expect(after.changes.map(({ object, page }: any) => [object, page.id ?? page])).toEqual([
      ['updated_page', two],
      ['deleted_page', one],
    ]);
    const compatible = await client.post(`${writer.path}/content`, { changes: [inserted('Four')] });
    expect([compatible.status, compatible.body]).toEqual([200, await writer.state()]);
  });

  it('makes one revision a batch, of the type edits, on top of the one before', async () => {
    const before = await writer.revision();
    await writer.apply(...Array.from({ length: 50 }, (_, each) => inserted(`Page ${each}`)));
    const revision = await writer.revision();
    const { body } = await client.get(`/v1/spaces/${writer.space}/revisions/${revision}`);
    expect(body).toMatchObject({ id: revision, type: 'edits', parents: [before] });
    expect(body.pages).toHaveLength(50);
    expect((await client.get(`/v1/spaces/${writer.space}/content/pages`)).body.pages).toEqual([]);
  });
});
