import { exportSetting } from '../support/exports.js';
import { newSpace, newUser, walk } from '../support/fixtures.js';
import { connect, spaceWithRepository } from '../support/git-sync.js';
import { give } from '../support/permissions.js';
import { newSite } from '../support/site.js';

const setting = exportSetting();
const { client } = setting;

const docs = { 'README.md': '# Welcome\n' };

/** A site with two spaces that are connected, and one that is not; another space is connected and not of the site. */
async function connectedSite() {
  const site = await newSite(setting.organization);
  const made = [await spaceWithRepository(setting, docs), await spaceWithRepository(setting, docs)];
  const connections = [];
  for (const each of made) {
    await site.siteSpace(each.space);
    connections.push(await connect(each));
  }
  await site.siteSpace(await newSpace(client, setting.organization));
  await connect(await spaceWithRepository(setting, docs));
  return { site, made, connections, path: site.at('/spaces/git/installations') };
}

const spacesOf = (items: any[]) => items.map(({ target }) => target.spaceId).sort();

it('the connections of the spaces of a site are listed, as each is shown, in pages', async () => {
  const { made, connections, path } = await connectedSite();
  for (const connection of connections) await connection.settled();
  const { status, body } = await client.get(path);
  expect([status, body.count, spacesOf(body.items)]).toEqual([200, 2, made.map(({ space }) => space).sort()]);
  for (const item of body.items) expect(item).toEqual((await client.get(`/v1/git/installations/${item.id}`)).body);
  expect(await walk(client, path, 1)).toEqual(body.items);
});

it('only those of spaces that the caller may sync are listed', async () => {
  const { made, path } = await connectedSite();
  const { organization } = setting;
  const reader = await newUser(client, { organization, role: 'read' });
  expect((await reader.client.get(path)).body.items).toEqual([]);
  const space = made[0]?.space as string;
  await give(`/v1/spaces/${space}`, { role: 'create', users: [reader.id] });
  expect(spacesOf((await reader.client.get(path)).body.items)).toEqual([space]);
  const stranger = await newUser(client);
  expect((await stranger.client.get(path)).status).toBe(404);
});

it('a site that is not there, or of another organization, is 404, and a wrong page 400', async () => {
  const { path } = await connectedSite();
  expect((await client.get(path.replace(/site_\w+/, 'site_none'))).status).toBe(404);
  expect((await client.get(`${path}?page=none`)).status).toBe(400);
});
