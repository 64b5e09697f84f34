import { newOrganization, newSpace, shared, walk } from '../support/fixtures.js';
import { listed, shownLocation } from '../support/links.js';
import { importInto, named, openRepositories, type Repositories } from '../support/repository.js';

const client = shared();
let repositories: Repositories;
let space: string;
beforeAll(async () => {
  repositories = await openRepositories();
  space = await newSpace(client, await newOrganization(client), { title: 'Docs' });
  await repositories.commit('backlinks', {
    'SUMMARY.md': '* [Home](README.md)\n* [Guide](guide.md)\n* [Way](guide.md#one)\n* [Alone](alone.md)\n',
    'README.md': `# Home\n\n[a](guide.md) [b](guide.md#one)\n\n## Below\n\n[c](guide.md) [d](guide.md#gone) [e](${client.url}/app/s/${space}/guide)\n`,
    'guide.md':
      '# Guide\n\n[self](#one) [self](guide.md)\n\n## One\n\n![a](.gitbook/assets/a.png) {% file src=".gitbook/assets/b.pdf" %}\n',
    'alone.md': '# Alone\n\n{% include ".gitbook/includes/note.md" %}\n',
    '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\n## Heading\n\n[f](../../guide.md) ![a](../assets/a.png)\n',
    '.gitbook/assets/a.png': 'a',
    '.gitbook/assets/b.pdf': 'b',
    '.gitbook/assets/c.pdf': 'c',
  });
  await importInto(client, space, { url: `${repositories.url}/backlinks.git` });
});
afterAll(() => repositories.close());

const at = () => `/v1/spaces/${space}/content`;
const toPage = async (title: string) => `${at()}/page/${(await named(client, space, title)).id}/backlinks`;
const toFile = async (name: string) => {
  const { items } = await listed(client, `${at()}/files`);
  return `${at()}/files/${items.find((file: any) => file.name === name).id}/backlinks`;
};

it('the backlinks of a page are the places that lead to it or to its anchors, but for its own', async () => {
  const { count, items } = await listed(client, await toPage('Guide'));
  expect(items.map(shownLocation)).toEqual(['page Home', 'page Home#below', 'page Way', 'reusable-content Note']);
  expect(count).toBe(4);
  expect((await listed(client, await toPage('Home'))).items).toEqual([]);
  expect(await walk(client, await toPage('Guide'), 1)).toEqual(items);
});

it('the backlinks of a file name the file and the place that uses it', async () => {
  const { items } = await listed(client, await toFile('a.png'));
  expect(items.map(shownLocation)).toEqual(['a.png in Guide#one', 'a.png in Note#heading']);
  const [first, second] = items;
  expect(first).toMatchObject({
    kind: 'file',
    organization: { object: 'organization' },
    space: { id: space },
    versionContext: { type: 'revision', revision: { pages: [] } },
    file: { name: 'a.png', downloadURL: expect.any(String) },
    page: { title: 'Guide', pages: [] },
    internalLocation: { type: 'anchor', anchor: 'one' },
  });
  expect(second).toMatchObject({ kind: 'file', reusableContent: { title: 'Note' } });
  expect((await listed(client, await toFile('c.pdf'))).items).toEqual([]);
});

it('backlinks of what does not exist are 404', async () => {
  const home = (await named(client, space, 'Home')).id;
  for (const [path, what] of [
    [`${at()}/page/unknown/backlinks`, 'Page'],
    [`${at()}/files/unknown/backlinks`, 'File'],
    [`${at()}/files/${home}/backlinks`, 'File'],
    [`/v1/spaces/unknown/content/page/${home}/backlinks`, 'Space'],
    [`/v1/spaces/${space}/change-requests/9/content/page/${home}/backlinks`, 'Change request'],
  ] as const) {
    const { status, body } = await client.get(path);
    expect([path, status, body.error.message]).toEqual([path, 404, expect.stringMatching(`^${what} not found`)]);
  }
});

it.each(['limit=1001', 'limit=-1', 'page=x'])('refuse %s', async (query) => {
  const { status, body } = await client.get(`${await toPage('Guide')}?${query}`);
  expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^(limit|page)/)]);
});
