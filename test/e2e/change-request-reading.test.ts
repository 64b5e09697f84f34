import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { importInto, openRepositories } from '../support/repository.js';

const client = shared();
let organization: string;
let space: string;
let changeRequest: { id: string; number: number; revision: string };

beforeAll(async () => {
  organization = await newOrganization(client);
  space = await newSpace(client, organization);
  const repositories = await openRepositories();
  const url = `${repositories.url}/drafts.git`;
  await repositories.commit('drafts', {
    'README.md': '# Home\n\nOf then. ![a](a.png) ![b](b.png)\n\n{% include ".gitbook/includes/note.md" %}\n',
    'guide.md': '# Guide\n',
    'a.png': 'none',
    'b.png': 'some',
    '.gitbook/includes/note.md': 'Keep this in mind.\n',
  });
  await importInto(client, space, { url });
  changeRequest = (await client.post(`/v1/spaces/${space}/change-requests`, { subject: 'Later' })).body;
  await repositories.commit('drafts', { 'README.md': '# Home\n\nOf now.\n' });
  await importInto(client, space, { url });
  await repositories.close();
});

const at = (name: string | number = changeRequest.id, of = space) => `/v1/spaces/${of}/change-requests/${name}/content`;
const ok = async (path: string) => {
  const { status, body } = await client.get(path);
  expect([path, status]).toEqual([path, 200]);
  return body;
};

describe('the content of a change request', () => {
  it('is read as that of its revision, by id and by number', async () => {
    const revision = `/v1/spaces/${space}/revisions/${changeRequest.revision}`;
    const { pages, files, reusableContents } = await ok(at());
    const page = `/page/${pages[0].id}`;
    const included = `/reusable-contents/${reusableContents[0].id}`;
    const reads = ['', '/pages', page, `${page}?format=markdown`, `${page}/document`, `/path/${pages[1].path}`];
    reads.push('/files', '/files?limit=1', `/files/${files[0].id}`, included, `${included}/document`);
    for (const read of reads) {
      const expected = await ok(revision + read);
      for (const name of [changeRequest.id, changeRequest.number]) expect(await ok(at(name) + read)).toEqual(expected);
    }
    expect((await ok(`${at()}${page}?format=markdown`)).markdown).toContain('Of then.');
    expect((await ok(`/v1/spaces/${space}/content${page}?format=markdown`)).markdown).toContain('Of now.');
  });

  it('has the same bodies in the current content, each as a document too', async () => {
    const current = `/v1/spaces/${space}/content`;
    const { id, pages, reusableContents } = await ok(current);
    for (const read of [`/page/${pages[0].id}/document`, `/reusable-contents/${reusableContents[0].id}/document`])
      expect(await ok(current + read)).toEqual(await ok(`/v1/spaces/${space}/revisions/${id}${read}`));
  });

  it('is versioned by its revision, and tagged for renderers', async () => {
    const { headers } = await client.get(at());
    expect(headers.get('etag')).toBe(`W/"${changeRequest.revision}"`);
    expect(headers.get('x-gitbook-cache-tag')).toBe(`space:${space},space:${space}:change-request:${changeRequest.id}`);
    const { pages } = await ok(at());
    for (const read of ['', '/files', `/page/${pages[0].id}/document`]) {
      const known = { headers: { 'if-none-match': `"${changeRequest.revision}"` } };
      const again = await client.get(at() + read, known);
      expect([read, again.status, again.headers.get('cache-control')]).toEqual([
        read,
        304,
        expect.not.stringContaining('immutable'),
      ]);
    }
  });

  it('is found in its space only', async () => {
    const other = await newSpace(client, organization);
    for (const [of, name] of [
      [space, 'unknown'],
      [space, 99],
      [other, changeRequest.id],
      [other, changeRequest.number],
    ] as const) {
      const { status, body } = await client.get(at(name, of));
      expect([status, body.error.message]).toEqual([404, expect.stringMatching(/^Change request not found/)]);
    }
    const stranger = await newUser(client);
    expect((await stranger.client.get(at())).status).toBe(404);
    const reader = await newUser(client, { organization, role: 'read' });
    expect((await reader.client.get(at())).status).toBe(200);
  });

  it('keeps a list of files on the revision that it began with', async () => {
    const began = await ok(`/v1/spaces/${space}/revisions/${changeRequest.revision}/files?limit=1`);
    const { items, count } = await ok(`${at()}/files?limit=1&page=${began.next.page}`);
    expect([count, items.length, items[0].id === began.items[0].id]).toEqual([2, 1, false]);
  });

  it('is new with every change, and the content of the space stays', async () => {
    const { body: made } = await client.post(`/v1/spaces/${space}/change-requests`);
    const before = await client.get(at(made.id));
    const [home, guide] = before.body.pages;
    const markdown = `# Home\n\nOf later, see [it](/pages/${guide.id}).\n`;
    const changes = [
      { operation: 'update_page', page: home.id, document: { markdown } },
      { operation: 'update_page', page: guide.id, title: 'Manual' },
    ];
    const changed = await client.post(at(made.id), { changes });
    expect([changed.status, changed.body.revision === made.revision]).toEqual([200, false]);
    const after = await client.get(at(made.id), { headers: { 'if-none-match': before.headers.get('etag') as string } });
    expect([after.status, after.body.id, after.body.pages[1].title]).toEqual([200, changed.body.revision, 'Manual']);
    const textOf = async (place: string, page: string) => (await ok(`${place}/page/${page}?format=markdown`)).markdown;
    expect(await textOf(at(made.id), home.id)).toBe('# Home\n\nOf later, see [it](guide).\n');
    expect(await textOf(at(made.id), guide.id)).toBe('# Manual\n');
    expect(await textOf(`/v1/spaces/${space}/content`, home.id)).toContain('Of now.');
    expect(await textOf(`/v1/spaces/${space}/content`, guide.id)).toBe('# Guide\n');
  });
});
