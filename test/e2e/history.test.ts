import { eventually } from '../../shared/testing/eventually.js';
import { newOrganization, newSpace, newUser, shared, shownUser, walk } from '../support/fixtures.js';
import { importInto, openRepositories, pagesOf, type Repositories } from '../support/repository.js';

const client = shared();
let organization: string;
let repositories: Repositories;
let space: string;
let url: string;
const docs = {
  'SUMMARY.md':
    '* [Home](README.md)\n* [Guide](guide/README.md)\n  * [Install](guide/install.md)\n* [Old](old.md)\n* [Out](https://example.com/)\n',
  'README.md': '# Home\n\nHello.\n',
  'guide/README.md': '# Guide\n',
  'guide/install.md': '# Install\n',
  'old.md': '# Old\n',
  '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nA.\n',
  '.gitbook/vars.yaml': 'product: Bindery\n',
  '.gitbook/assets/a.txt': 'one',
};
beforeAll(async () => {
  organization = await newOrganization(client);
  repositories = await openRepositories();
  await repositories.commit('history', docs);
  url = `${repositories.url}/history.git`;
});
afterAll(() => repositories.close());
beforeEach(async () => {
  space = await newSpace(client, organization);
  await importInto(client, space, { url });
});

const at = (rest: string) => `/v1/spaces/${space}/${rest}`;
const idOf = async (title: string) => (await pagesOf(client, space)).find((page) => page.title === title)?.id as string;
const current = async (): Promise<string> => (await client.get(`/v1/spaces/${space}`)).body.revision;

async function merged(...changes: object[]): Promise<{ request: string; revision: string }> {
  const { id } = (await client.post(at('change-requests'), { subject: 'Some words' })).body;
  const written = await client.post(at(`change-requests/${id}/content`), { changes });
  expect([written.status, written.body.error]).toEqual([200, undefined]);
  const { body } = await client.post(at(`change-requests/${id}/merge`));
  expect(body.result).toBe('merge');
  return { request: id, revision: body.revision };
}

const shown = (change: any) => [
  change.type,
  (change.page ?? change.file ?? change.reusableContent)?.title,
  change.attributes ?? change.parent,
];

describe('what a change request changes', () => {
  it('is told by page, with the values before and after', async () => {
    const [home, guide, install, old, out] = await Promise.all(['Home', 'Guide', 'Install', 'Old', 'Out'].map(idOf));
    const { id } = (await client.post(at('change-requests'), {})).body;
    expect((await client.get(at(`change-requests/${id}/changes`))).body).toEqual({ changes: [] });
    const { status, body } = await client.post(at(`change-requests/${id}/content?compat=false`), {
      changes: [
        { operation: 'update_page', page: home, description: 'Where it begins', hidden: true },
        { operation: 'update_page', page: install, into: null, at: 0 },
        { operation: 'update_page', page: guide, title: 'The guide', slug: 'the-guide' },
        { operation: 'delete_page', page: old },
        { operation: 'update_page', page: out, title: 'Outside' },
        { operation: 'insert_page', title: 'New', document: { markdown: 'Fresh.\n' }, into: guide },
        { operation: 'insert_files', files: [{ name: 'b.txt', base64: 'Yg==', contentType: 'text/plain' }] },
      ],
    });
    expect([status, body.error]).toEqual([200, undefined]);
    const { changes, more } = (await client.get(at(`change-requests/${id}/changes`))).body;
    expect(more).toBeUndefined();
    expect(changes.map(shown)).toEqual([
      ['page_moved', 'Install', { before: { id: guide, type: 'document', title: 'Guide', path: 'guide' } }],
      [
        'page_edited',
        'Home',
        {
          description: { after: 'Where it begins' },
          document: { before: expect.any(String), after: expect.any(String) },
          hidden: { after: true },
        },
      ],
      [
        'page_edited',
        'The guide',
        {
          title: { before: 'Guide', after: 'The guide' },
          slug: { before: 'guide', after: 'the-guide' },
          document: { before: expect.any(String), after: expect.any(String) },
        },
      ],
      ['page_created', 'New', undefined],
      ['page_edited', 'Outside', { title: { before: 'Out', after: 'Outside' } }],
      ['page_deleted', 'Old', undefined],
      ['file_created', undefined, undefined],
    ]);
    const few = (await client.get(at(`change-requests/${id}/changes?limit=2`))).body;
    expect([few.changes.length, few.more]).toEqual([2, 5]);
    for (const limit of ['-1', '1001', 'x'])
      expect((await client.get(at(`change-requests/${id}/changes?limit=${limit}`))).status).toBe(400);
  });
});

describe('a revision', () => {
  it('tells what it changed: of an import, with files, variables and reusable content', async () => {
    await repositories.commit('history', {
      ...docs,
      '.gitbook/includes/note.md': '---\ntitle: A note\n---\n\nA.\n',
      '.gitbook/vars.yaml': 'product: Folio\n',
      '.gitbook/assets/a.txt': 'longer',
    });
    const { revision } = await importInto(client, space, { url });
    const { changes } = (await client.get(at(`revisions/${revision}/changes`))).body;
    expect(changes.map(({ type }: any) => type)).toEqual([
      'file_edited',
      'reusable_content_edited',
      'variables_edited',
    ]);
    expect(changes[0].attributes.size).toEqual({ before: 3, after: 6 });
    expect(changes[1].attributes.title).toEqual({ before: 'Note', after: 'A note' });
    expect(changes[2].variables).toEqual({ product: { before: 'Bindery', after: 'Folio' } });
    await repositories.commit('history', docs);
  });

  it('of a merge names its change request; the first one changed nothing', async () => {
    const home = await idOf('Home');
    const { request, revision } = await merged({ operation: 'update_page', page: home, icon: 'house' });
    const { mergedFrom, changes } = (await client.get(at(`revisions/${revision}/changes`))).body;
    expect(mergedFrom).toMatchObject({
      object: 'change-request',
      id: request,
      status: 'merged',
      revisionMerged: revision,
    });
    expect(changes.map(({ type, attributes }: any) => [type, attributes.icon])).toEqual([
      ['page_edited', { after: 'house' }],
    ]);
    const history = await walk(client, at('revisions'), 50);
    const first = history.at(-1).revision;
    expect((await client.get(at(`revisions/${first}/changes`))).body).toEqual({ changes: [] });
    expect((await client.get(at('revisions/nowhere/changes'))).status).toBe(404);
    expect((await client.get(at('change-requests/7/changes'))).status).toBe(404);
  });
});

describe('the history of a space', () => {
  it('lists what was its content, the latest first, and restores it', async () => {
    const home = await idOf('Home');
    const imported = await current();
    await merged({ operation: 'update_page', page: home, title: 'Start' });
    const me = await shownUser(client);
    const { status, body } = await client.post(at(`revisions/${imported}/restore`));
    expect([status, body.type, body.parents.length]).toEqual([200, 'rollback', 1]);
    expect(await current()).toBe(body.id);
    expect((await pagesOf(client, space)).map(({ title }) => title)).toContain('Home');
    const history = await walk(client, at('revisions'), 1);
    expect(history.map(({ type, author, subject }) => [type, author?.id, subject])).toEqual([
      ['rollback', me.id, expect.stringMatching(/^Restored the revision of \d{4}-\d\d-\d\d \d\d:\d\d UTC$/)],
      ['merge', me.id, 'Some words'],
      ['edits', undefined, expect.stringContaining('Change ')],
      ['edits', me.id, undefined],
    ]);
    expect((await client.get(new URL(history[0].urls.location).pathname)).body.id).toBe(body.id);
    // The index follows within a second.
    await eventually(
      'the end of what was restored away in the search',
      async () => (await client.get(at('search?query=Start'))).body.count,
      (count) => count === 0,
    );
    expect((await client.post(at(`revisions/${body.id}/restore`))).status).toBe(409);
    expect((await client.post(at('revisions/nowhere/restore'))).status).toBe(404);
  });

  it('has no revision of a change request, and restores none', async () => {
    const { id } = (await client.post(at('change-requests'), {})).body;
    const home = await idOf('Home');
    await client.post(at(`change-requests/${id}/content`), {
      changes: [{ operation: 'update_page', page: home, title: 'Draft' }],
    });
    const { revision } = (await client.get(at(`change-requests/${id}`))).body;
    expect((await walk(client, at('revisions'), 50)).map((item) => item.revision)).not.toContain(revision);
    expect((await client.post(at(`revisions/${revision}/restore`))).status).toBe(409);
    const writer = await newUser(client, { organization, role: 'edit' });
    const [{ revision: latest }] = await walk(client, at('revisions'), 50);
    expect((await writer.client.post(at(`revisions/${latest}/restore`))).status).toBe(403);
  });
});

describe('the former path of a page', () => {
  const at = (space: string, path: string) =>
    client.get(`/v1/spaces/${space}/content/path/${encodeURIComponent(path)}`);

  it('leads to it after a merge, until another page has it; and so does that of a page below', async () => {
    const guide = await idOf('Guide');
    await merged({ operation: 'update_page', page: guide, slug: 'manual' });
    for (const [path, now] of [
      ['guide', 'manual'],
      ['guide/install', 'manual/install'],
      ['manual', 'manual'],
    ])
      expect([path, (await at(space, path as string)).body.path]).toEqual([path, now]);
    await merged({ operation: 'update_page', page: guide, slug: 'handbook' });
    for (const path of ['guide', 'manual'])
      expect((await at(space, path)).body).toMatchObject({ id: guide, path: 'handbook' });
    await merged({ operation: 'insert_page', title: 'Guide', document: { markdown: 'Another.\n' } });
    expect((await at(space, 'guide')).body).toMatchObject({ title: 'Guide', path: 'guide' });
    await merged({ operation: 'delete_page', page: guide });
    expect((await at(space, 'manual')).status).toBe(404);
  });

  it('leads to it in a live space', async () => {
    const live = await newSpace(client, organization, { editMode: 'live' });
    const change = (changes: object[]) => client.post(`/v1/spaces/${live}/content`, { changes });
    const { body } = await change([{ operation: 'insert_page', title: 'One', document: { markdown: 'A.\n' } }]);
    const { id } = body.pages[0];
    await change([{ operation: 'update_page', page: id, slug: 'two' }]);
    expect((await at(live, 'one')).body).toMatchObject({ id, path: 'two' });
  });
});
