import { eventually } from '../../shared/testing/eventually.js';
import { auditEvents } from '../support/audit.js';
import { type NewUser, newOrganization, newSpace, newUser, shared, walk } from '../support/fixtures.js';
import { importInto, openRepositories } from '../support/repository.js';
import { done } from '../support/requests/setting.js';

const admin = shared();
let organization: string;
let reader: NewUser;
beforeAll(async () => {
  organization = await newOrganization(admin);
  reader = await newUser(admin, { organization, role: 'read' });
});

const copyOf = async (space: string) => done(admin.post(`/v1/spaces/${space}/duplicate`));
const pagesOf = async (space: string) => (await done(admin.get(`/v1/spaces/${space}/content`))).pages;
const markdownOf = async (space: string, page: string) =>
  (await done(admin.get(`/v1/spaces/${space}/content/page/${page}?format=markdown`))).markdown;

it('a copy stands after the space, has its content and settings, and neither needs the other', async () => {
  const repositories = await openRepositories();
  const collection = (await done(admin.post(`/v1/orgs/${organization}/collections`, {}))).id;
  const input = { title: 'Guide', emoji: '1f680', language: 'de', parent: collection };
  const space = await newSpace(admin, organization, input);
  await newSpace(admin, organization, { title: 'Last', parent: collection });
  await repositories.commit('copied', {
    'README.md': '# Home\n\n![a](a.png) and [more](more/b.md#part).\n',
    'more/b.md': '# Walrus\n\n## Part\n',
    'a.png': 'not really an image',
    '.gitbook/includes/note.md': 'Keep this in mind.\n',
    'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n* [B](more/b.md)\n',
  });
  await importInto(admin, space, { url: `${repositories.url}/copied.git` });
  await repositories.close();
  await done(admin.patch(`/v1/spaces/${space}`, { icon: 'https://example.com/i.png' }));
  await done(admin.post(`/v1/spaces/${space}/change-requests`, { subject: 'Not copied' }));
  await done(admin.post(`/v1/spaces/${space}/comments`, { body: { markdown: 'Not copied' } }));
  await done(admin.post(`/v1/spaces/${space}/permissions`, { role: null, users: [reader.id] }));

  const answer = await admin.post(`/v1/spaces/${space}/duplicate`);
  const copy = answer.body;
  expect([answer.status, answer.headers.get('location')]).toEqual([201, copy.urls.location]);
  const { gitSync, ...original } = await done(admin.get(`/v1/spaces/${space}`));
  expect(gitSync).toBeDefined();
  expect(copy).toEqual({
    ...original,
    id: copy.id,
    title: 'Copy of Guide',
    createdAt: copy.createdAt,
    updatedAt: copy.updatedAt,
    revision: copy.revision,
    changeRequests: 0,
    changeRequestsDraft: 0,
    comments: 0,
    urls: { ...copy.urls, icon: 'https://example.com/i.png' },
  });
  const titles = (await walk(admin, `/v1/collections/${collection}/spaces`, 1)).map(({ title }) => title);
  expect(titles).toEqual(['Guide', 'Copy of Guide', 'Last']);
  expect((await reader.client.get(`/v1/spaces/${copy.id}`)).status).toBe(404);

  const pages = await pagesOf(space);
  const inBoth = (list: any[]) => list.map(({ id, title, path }) => [id, title, path]);
  expect(inBoth(await pagesOf(copy.id))).toEqual(inBoth(pages));
  expect(await markdownOf(copy.id, pages[1].id)).toBe(await markdownOf(space, pages[1].id));
  const { items: links } = await done(admin.get(`/v1/spaces/${copy.id}/links`));
  expect([links.length > 0, JSON.stringify(links).includes(space)]).toEqual([true, false]);
  const [file] = (await done(admin.get(`/v1/spaces/${copy.id}/content/files`))).items;
  expect(await (await fetch(file.downloadURL)).text()).toBe('not really an image');
  const { reusableContents } = await done(admin.get(`/v1/spaces/${copy.id}/content`));
  expect(reusableContents).toHaveLength(1);
  const found = () => admin.get(`/v1/spaces/${copy.id}/search?query=walrus`).then(({ body }) => body.items);
  await eventually('the copy in the search', found, ({ length }) => length === 1);
  const events = await auditEvents(admin, organization, 'operation=duplicateSpace', 1);
  expect(events[0]).toMatchObject({ resource: { type: 'space', id: copy.id }, details: { source: space } });

  await done(admin.delete(`/v1/spaces/${space}`));
  expect(await markdownOf(copy.id, pages[0].id)).toContain('more');
});

it('the title of a copy is cut, and an empty space is copied too', async () => {
  const space = await newSpace(admin, organization, { title: `${'x'.repeat(40)}🚀🚀🚀` });
  const copy = await copyOf(space);
  expect(copy.title).toBe(`Copy of ${'x'.repeat(40)}…`);
  expect(await pagesOf(copy.id)).toEqual([]);
});

it('who copies a space keeps the role there, and must be allowed to create', async () => {
  const maker = await newUser(admin, { organization, role: 'create' });
  const space = await newSpace(admin, organization, { title: 'Levelled' });
  await done(admin.patch(`/v1/spaces/${space}`, { defaultLevel: 'read' }));
  expect((await maker.client.post(`/v1/spaces/${space}/duplicate`)).status).toBe(403);
  await done(admin.post(`/v1/spaces/${space}/permissions`, { role: 'create', users: [maker.id] }));
  const copy = await done(maker.client.post(`/v1/spaces/${space}/duplicate`));
  expect([copy.defaultLevel, copy.permissions.admin]).toEqual(['read', true]);
  const { items } = await done(admin.get(`/v1/spaces/${copy.id}/permissions/users`));
  expect(items.map(({ user, permission }: any) => [user.id, permission])).toEqual([[maker.id, 'create']]);
  const guest = await newUser(admin, { organization, role: null });
  await done(admin.post(`/v1/spaces/${space}/permissions`, { role: 'admin', users: [guest.id] }));
  expect((await guest.client.post(`/v1/spaces/${space}/duplicate`)).status).toBe(403);
});

it('a large space is copied after the answer, which says where', async () => {
  const space = await newSpace(admin, organization, { title: 'Large', editMode: 'live' });
  for (let batch = 0; batch < 11; batch++) {
    const changes = Array.from({ length: 50 }, (_, at) => ({
      operation: 'insert_page',
      title: `Page ${batch}-${at}`,
      document: { markdown: 'Text' },
    }));
    await done(admin.post(`/v1/spaces/${space}/content`, { changes }));
  }
  const { status, body, headers } = await admin.post(`/v1/spaces/${space}/duplicate`);
  const location = `${admin.url}/v1/spaces/${body.id}`;
  expect([status, body.object, headers.get('location')]).toEqual([202, 'space-copy', location]);
  const made = () => admin.get(`/v1/spaces/${body.id}`);
  const { body: copy } = await eventually('the copy', made, (answer) => answer.status === 200);
  expect(copy.title).toBe('Copy of Large');
  expect(await pagesOf(copy.id)).toHaveLength(550);
});
