import { type InstallationDocument, installations } from '../../services/integrations/installations/model.js';
import { newId } from '../../shared/values/ids.js';
import { newOrganization, newSpace, newUser, shared, walk, withStore } from '../support/fixtures.js';
import { configurable, idIn, install, installationsOf, publish } from '../support/installing.js';
import { done } from '../support/requests/setting.js';
import { newSite } from '../support/site.js';

const admin = shared();
let organization: string;
let other: string;
beforeAll(async () => {
  [organization, other] = [await newOrganization(admin), await newOrganization(admin)];
});

const named = (items: any[]) => items.map(({ name }) => name);
const listed = async (path: string) => named((await done(admin.get(path))).items);

it('the spaces of an installation are listed page by page, the latest first, with the total', async () => {
  const path = await install(admin, await publish(admin, { organization }), { organization });
  const spaces: string[] = [];
  for (let made = 0; made < 7; made++) {
    spaces.unshift(await newSpace(admin, organization));
    await done(admin.post(`${path}/spaces`, { space: spaces[0] }));
  }
  for (const limit of [1, 3, 7, 50])
    expect((await walk(admin, `${path}/spaces`, limit)).map(({ space }) => space)).toEqual(spaces);
  expect(await done(admin.get(`${path}/spaces?limit=0`))).toEqual({ count: 7, items: [] });
  expect((await walk(admin, `${path}/spaces?extended=true`, 2)).map(({ space }) => space.id)).toEqual(spaces);
  expect(await done(admin.get(`${path}/sites`))).toEqual({ count: 0, items: [] });
});

it('a page of large configurations ends early, and none is lost', async () => {
  const path = await install(admin, await publish(admin, { organization }), { organization });
  const ids: string[] = [];
  const configuration = { text: 'x'.repeat(250_000) };
  for (let made = 0; made < 16; made++) {
    const space = await newSpace(admin, organization);
    ids.unshift(space);
    await done(admin.post(`${path}/spaces`, { space }));
    await done(admin.patch(`${path}/spaces/${space}`, { configuration }));
  }
  const { items, next, count } = await done(admin.get(`${path}/spaces?limit=1000`));
  expect([count, items.length < 16, next]).toEqual([16, true, { page: expect.any(String) }]);
  const all = await walk(admin, `${path}/spaces`, 1000);
  expect(all.map(({ space }) => space)).toEqual(ids);
  for (const each of all) expect(each.configuration).toEqual(configuration);
});

it('the installations of an integration are listed for a person of many organizations', async () => {
  const name = await publish(admin, { organization, visibility: 'public' });
  const person = await newUser(admin);
  const made: string[] = [];
  for (let at = 0; at < 5; at++) {
    const own = await newOrganization(person.client);
    made.unshift(idIn(await install(person.client, name, { organization: own })));
  }
  await install(admin, name, { organization: other });
  for (const limit of [1, 2, 50])
    expect((await walk(person.client, installationsOf(name), limit)).map(({ id }) => id)).toEqual(made);
  expect((await done(person.client.get(`${installationsOf(name)}?limit=0`))).count).toBe(5);
});

it('the installations of an organization are listed for its admins', async () => {
  const own = await newOrganization(admin);
  const names = [await publish(admin, { organization: own }), await publish(admin, { organization: own })];
  for (const name of names) await install(admin, name, { organization: own });
  const at = `/v1/orgs/${own}/installations`;
  const shown = await walk(admin, at, 1);
  expect(shown.map(({ integration }) => integration.name)).toEqual([...names].reverse());
  const found = await done(admin.get(`${at}?search=${names[0]?.toUpperCase()}`));
  expect([found.count, found.items[0].integration.name]).toEqual([1, names[0]]);
  expect(await done(admin.get(`${at}?search=none-of-them`))).toEqual({ count: 0, items: [] });
  const { installation } = shown[0];
  expect(installation).toEqual(await done(admin.get(`${installationsOf(names[1] as string)}/${installation.id}`)));
  const creator = await newUser(admin, { organization: own, role: 'create' });
  expect((await creator.client.get(at)).status).toBe(403);
});

describe('the integrations of an organization', () => {
  it('are public ones, its own, and those that it has installed', async () => {
    const [own, elsewhere] = [await newOrganization(admin), await newOrganization(admin)];
    const mark = `mark-${own.toLowerCase()}`;
    const one = (suffix: string, manifest: Record<string, unknown>) =>
      publish(admin, { name: `${mark}-${suffix}`, ...manifest } as never);
    const a = await one('a', { organization: elsewhere, visibility: 'public', categories: ['analytics'] });
    const b = await one('b', { organization: own, scopes: ['space:git:sync'], target: 'space' });
    const c = await one('c', { organization: elsewhere, visibility: 'unlisted', title: 'Installed by us' });
    await one('d', { organization: elsewhere });
    const e = await one('e', { organization: own, visibility: 'public', blocks: [{ id: 'x', title: 'Block' }] });
    await one('f', { organization: elsewhere, visibility: 'unlisted' });
    await install(admin, c, { organization: own });
    const at = `/v1/orgs/${own}/integrations?search=${mark}`;
    expect(await listed(at)).toEqual([a, b, c, e]);
    for (const limit of [1, 2, 3]) expect(named(await walk(admin, at, limit))).toEqual([a, b, c, e]);
    expect((await done(admin.get(`${at}&limit=0`))).count).toBe(4);
    expect(await listed(`${at}&category=analytics`)).toEqual([a]);
    expect(await listed(`${at}&scope=space:git:sync`)).toEqual([b]);
    expect(await listed(`${at}&target=space`)).toEqual([b]);
    expect(await listed(`${at}&blocks=true`)).toEqual([e]);
    expect(await listed(`${at}&blocks=false`)).toEqual([a, b, c]);
    expect(await listed(`${at}&contentSources=true`)).toEqual([]);
    expect(await listed(`${at}&owner=${own}`)).toEqual([b, e]);
    expect(await listed(`${at}&owner=${elsewhere}`)).toEqual([a, c]);
    expect(await listed(`/v1/orgs/${own}/integrations?search=installed by us&owner=${elsewhere}`)).toEqual([c]);
    const reader = await newUser(admin, { organization: own, role: 'read' });
    expect(named((await done(reader.client.get(at))).items)).toEqual([a, b, c, e]);
    const guest = await newUser(admin, { organization: own, role: null });
    expect((await guest.client.get(at)).status).toBe(403);
    expect((await (await newUser(admin)).client.get(at)).status).toBe(404);
  });

  it('that are installed are listed with their status', async () => {
    const own = await newOrganization(admin);
    const waiting = await publish(admin, { organization: own, configurations: { account: configurable } });
    const active = await publish(admin, { organization: own, title: 'Active one' });
    const none = await publish(admin, { organization: own });
    for (const name of [waiting, active]) await install(admin, name, { organization: own });
    const at = `/v1/orgs/${own}/integrations`;
    const shown = await walk(admin, `${at}/installations-status`, 1);
    const statuses = shown.map(({ status, integration }) => [integration.name, status]);
    expect(statuses).toEqual([
      [waiting, 'pending'],
      [active, 'active'],
    ]);
    for (const { target } of shown) expect(target).toEqual({ type: 'organization', organizationId: own });
    expect((await done(admin.get(`${at}/installations-status?search=active ONE`))).items).toEqual([shown[1]]);
    const one = async (name: string) => (await admin.get(`${at}/${name}/installation_status`)).body;
    expect(await one(waiting)).toEqual({ status: 'pending' });
    expect(await one(active)).toEqual({ status: 'active' });
    for (const missing of [none, 'no-such-one'])
      expect(await one(missing)).toEqual({
        error: { code: 404, message: 'Installation not found', reason: 'not_found' },
      });
  });
});

describe('what integrations add', () => {
  const injecting = {
    scopes: ['space:script:inject', 'space:script:cookies', 'site:script:inject'],
    contentSecurityPolicy: { 'script-src': "'self' https://a.example", 'img-src': '*' },
  };
  const block = { id: 'poll', title: 'Poll', urlUnfurl: ['https://polls.example/**'] };

  it('to a space comes with an active installation there, or on all spaces', async () => {
    const own = await newOrganization(admin);
    const space = await newSpace(admin, own);
    const unselected = await newSpace(admin, own);
    const [all, some, waiting, plain] = [
      await publish(admin, { organization: own, ...injecting, blocks: [block] }),
      await publish(admin, {
        organization: own,
        scopes: ['space:script:inject'],
        contentSecurityPolicy: "default-src 'self'",
      }),
      await publish(admin, {
        organization: own,
        ...injecting,
        blocks: [block],
        configurations: { space: configurable },
      }),
      await publish(admin, { organization: own, title: 'Plain one' }),
    ] as [string, string, string, string];
    const everywhere = await install(admin, all, { organization: own, space_selection: 'all' });
    const here = await install(admin, some, { organization: own });
    await done(admin.post(`${here}/spaces`, { space }));
    const pending = await install(admin, waiting, { organization: own });
    await done(admin.post(`${pending}/spaces`, { space }));
    await done(admin.post(`${await install(admin, plain, { organization: own })}/spaces`, { space }));
    const at = (id: string, rest: string) => `/v1/spaces/${id}/${rest}`;
    expect(await listed(at(space, 'integrations'))).toEqual([all, some, plain]);
    expect(await listed(at(space, 'integrations?search=plain'))).toEqual([plain]);
    expect(named(await walk(admin, at(space, 'integrations'), 1))).toEqual([all, some, plain]);
    expect(await listed(at(unselected, 'integrations'))).toEqual([all]);
    const blocks = [{ name: all, blocks: [block] }];
    expect(await done(admin.get(at(space, 'integration-blocks')))).toEqual(blocks);
    const script = (path: string) => `${admin.url}/~integrations${path}/spaces/${space}/script.js?version=1`;
    const ofAll = {
      script: script(everywhere),
      contentSecurityPolicy: "script-src 'self' https://a.example; img-src *",
      cookies: true,
    };
    const ofSome = { script: script(here), contentSecurityPolicy: "default-src 'self'", cookies: false };
    expect(await done(admin.get(at(space, 'integration-scripts')))).toEqual([ofAll, ofSome]);
    expect(await done(admin.get(at(unselected, 'integration-scripts')))).toHaveLength(1);
    await done(admin.patch(`${pending}/spaces/${space}`, { configuration: { key: 'k' } }));
    expect(await listed(at(space, 'integrations'))).toEqual([all, some, waiting, plain]);
    expect(await done(admin.get(at(space, 'integration-blocks')))).toHaveLength(2);
    await done(admin.delete(everywhere));
    expect(await listed(at(unselected, 'integrations'))).toEqual([]);
    expect(await done(admin.get(at(unselected, 'integration-scripts')))).toEqual([]);
  });

  it('to a site is shown to whoever shows the site', async () => {
    const own = await newOrganization(admin);
    const space = await newSpace(admin, own);
    const site = await newSite(own, { spaces: [space] });
    const name = await publish(admin, { organization: own, ...injecting });
    const path = await install(admin, name, { organization: own });
    const published = async () => (await done(admin.get(site.at('/published')))).scripts;
    expect(await published()).toEqual([]);
    await done(admin.post(`${path}/sites`, { siteId: site.id }));
    const script = {
      script: `${admin.url}/~integrations${path}/sites/${site.id}/script.js?version=1`,
      contentSecurityPolicy: "script-src 'self' https://a.example; img-src *",
      cookies: false,
    };
    expect(await done(admin.get(site.at('/integration-scripts')))).toEqual([script]);
    expect(await listed(site.at('/integrations'))).toEqual([name]);
    expect(await published()).toEqual([script]);
    await publish(admin, { name, organization: own, ...injecting });
    expect((await published())[0].script).toMatch(/\?version=2$/);
    await done(admin.delete(`${path}/sites/${site.id}`));
    expect(await published()).toEqual([]);
    await done(admin.patch(path, { site_selection: 'all' }));
    expect(await published()).toHaveLength(1);
  });

  it('is shown to visitors too, and nobody else', async () => {
    const own = await newOrganization(admin);
    const space = await newSpace(admin, own);
    const site = await newSite(own, { spaces: [space] });
    await done(admin.post(site.at('/publish')));
    const name = await publish(admin, { organization: own, ...injecting, blocks: [block] });
    await install(admin, name, { organization: own, space_selection: 'all', site_selection: 'all' });
    const { apiToken } = await done(
      admin.post('/v1/urls/published', { url: `${admin.url}/sites/${site.id}/` }, { token: null }),
    );
    const visitor = { token: apiToken };
    const of = async (path: string) => (await admin.get(path, visitor)).body;
    expect(await of(site.at('/integration-scripts'))).toHaveLength(1);
    expect(await of(`/v1/spaces/${space}/integration-scripts`)).toHaveLength(1);
    expect(await of(`/v1/spaces/${space}/integration-blocks`)).toEqual([{ name, blocks: [block] }]);
    expect((await of(site.at('/published'))).scripts).toHaveLength(1);
    expect((await admin.get(`/v1/spaces/${space}/integrations`, visitor)).status).toBe(403);
    const stranger = await newUser(admin);
    for (const path of [`/v1/spaces/${space}/integration-scripts`, `/v1/spaces/${space}/integration-blocks`])
      expect((await stranger.client.get(path)).status).toBe(404);
  });
});

it('an organization installs a bounded number of integrations', async () => {
  const own = await newOrganization(admin);
  const [one, more] = [await publish(admin, { organization: own }), await publish(admin, { organization: own })];
  const id = idIn(await install(admin, one, { organization: own }));
  await withStore([installations], async (store) => {
    const installed = await store.get(installations, id);
    const others = Array.from({ length: 199 }, () => ({ ...installed, _id: newId(), publication: newId() }));
    await store.insertMany(installations, others as InstallationDocument[]);
  });
  const refused = await admin.post(installationsOf(more), { organization: own });
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    'There are at most 200 integrations in an organization; delete some first',
  ]);
  await done(admin.delete(`${installationsOf(one)}/${id}`));
  await install(admin, more, { organization: own });
});
