import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { linksAt, listed } from '../support/links.js';
import { importInto, named, openRepositories, type Repositories } from '../support/repository.js';
import type { Client } from '../support/server.js';

/** Links by id to what is not in the content: spaces and their pages, collections and users. */
const client = shared();
let organization: string;
let repositories: Repositories;
let space: string;
let other: string;
let collection: string;
let member: string;
beforeAll(async () => {
  organization = await newOrganization(client);
  repositories = await openRepositories();
  member = (await newUser(client, { organization })).id;
  collection = (await client.post(`/v1/orgs/${organization}/collections`, { title: 'Shelf' })).body.id;
  other = await newSpace(client, organization, { title: 'Other', parent: collection });
  await repositories.commit('beside', { 'README.md': '# Start\n', 'far.md': '# Far\n\n## Away\n' });
  await importInto(client, other, { url: `${repositories.url}/beside.git` });
  space = await newSpace(client, organization, { title: 'Docs' });
  const far = (await named(client, other, 'Far')).id;
  const foreign = await newUser(client);
  const urls = [
    ...[`/spaces/${other}`, `/spaces/${other}/pages/${far}`, `/spaces/${other}/pages/${far}#away`],
    ...[`/spaces/${other}/pages/${far}#none`, `/spaces/${other}/pages/gone`, '/spaces/gone', '/spaces/gone/pages/gone'],
    ...[`/collections/${collection}`, '/collections/gone', `/users/${member}`, `/users/${foreign.id}`],
  ];
  await repositories.commit('linking', { 'README.md': `# Home\n\n${urls.map((url) => `[x](${url})`).join(' ')}\n` });
  await importInto(client, space, { url: `${repositories.url}/linking.git` });
});
afterAll(() => repositories.close());

const seenBy = async (by: Client) =>
  Object.values(await linksAt(by, `/v1/spaces/${space}/links`)).map(({ status, target }) => target || status);

it('are told by what they are, for who may see it', async () => {
  expect(await seenBy(client)).toEqual([
    ...['space Other', 'page Far', 'page Far#away', 'broken', 'broken', 'broken', 'broken'],
    ...['collection Shelf', 'broken', `user ${member}`, 'broken'],
  ]);
});

it('are broken for guests and readers who may not see it', async () => {
  const guest = await newUser(client, { organization, role: null });
  await client.post(`/v1/spaces/${space}/permissions`, { role: 'read', users: [guest.id] });
  expect(await seenBy(guest.client)).toEqual(Array.from({ length: 11 }, () => 'broken'));
  const { stats } = await listed(guest.client, `/v1/spaces/${space}/links?limit=0`);
  expect(stats).toEqual({ total: 11, broken: { total: 11 } });
});

it('are broken once their space is deleted', async () => {
  const page = (await named(client, space, 'Home')).id;
  const path = `/v1/spaces/${space}/content/page/${page}/links?limit=0`;
  expect((await listed(client, path)).stats.broken.total).toBe(6);
  await client.delete(`/v1/spaces/${other}`);
  expect((await listed(client, path)).stats.broken.total).toBe(9);
});
