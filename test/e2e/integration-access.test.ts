import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type NewUser, newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { idIn, install, installationsOf, publish } from '../support/installing.js';
import { at, manifestOf } from '../support/integrations.js';
import { done } from '../support/requests/setting.js';
import type { Client } from '../support/server.js';
import { newSite } from '../support/site.js';
import { installWebhook } from '../support/webhooks.js';

const admin = shared();
let organization: string;
/** Two with the role `create`, of whom one has made the spaces `owned`, and one who may install nothing. */
let owner: NewUser;
let another: NewUser;
let reviewer: NewUser;
/** Spaces for admins alone, for admins and the owner, and for all members. */
const spaces = { sealed: '', owned: '', open: '' };
/** Sites that show one of these. */
const sites = { sealed: '', owned: '' };
beforeAll(async () => {
  organization = await newOrganization(admin);
  owner = await newUser(admin, { organization, role: 'create' });
  another = await newUser(admin, { organization, role: 'create' });
  reviewer = await newUser(admin, { organization, role: 'review' });
  spaces.open = await newSpace(admin, organization);
  spaces.sealed = await sealed(admin);
  spaces.owned = await sealed(owner.client);
  for (const name of ['sealed', 'owned'] as const)
    sites[name] = (await newSite(organization, { spaces: [spaces[name]] })).id;
});

/** A space for admins and whoever made it. */
async function sealed(client: Client): Promise<string> {
  const space = await newSpace(client, organization);
  await done(client.patch(`/v1/spaces/${space}`, { defaultLevel: null }));
  return space;
}

/** What is installed where, and who may act on it besides admins. */
interface Case {
  selections?: Record<string, string>;
  space?: keyof typeof spaces;
  site?: keyof typeof sites;
  scopes?: string[];
  may: ('owner' | 'another')[];
}
const cases: Record<string, Case> = {
  nowhere: { may: ['owner', 'another'] },
  'on all spaces': { selections: { space_selection: 'all' }, may: [] },
  'on all sites': { selections: { site_selection: 'all' }, may: [] },
  'on a space for all': { space: 'open', may: ['owner', 'another'] },
  'on a space of the owner': { space: 'owned', may: ['owner'] },
  'on a sealed space': { space: 'sealed', may: [] },
  'on a site with a sealed space': { site: 'sealed', may: ['owner', 'another'] },
  'on a site with a sealed space, to sign visitors in': { site: 'sealed', scopes: ['site:visitor:auth'], may: [] },
  'on a site with a sealed space, to change claims': { site: 'sealed', scopes: ['site:adaptive:write'], may: [] },
  'on a site with a sealed space, with scripts': { site: 'sealed', scopes: ['site:script:inject'], may: [] },
  'on a site of the owner, to sign visitors in': { site: 'owned', scopes: ['site:visitor:auth'], may: ['owner'] },
};

const secret = 'a key of another product';
const configuration = { secret };

/** Published and installed by an admin. Answers the name and the path of the installation. */
async function installed({ selections = {}, space, site, scopes = [] }: Case): Promise<{ name: string; path: string }> {
  const name = await publish(admin, { organization, scopes });
  const path = await install(admin, name, { organization, configuration, ...selections });
  if (space) await done(admin.post(`${path}/spaces`, { space: spaces[space] }));
  if (site) await done(admin.post(`${path}/sites`, { siteId: sites[site] }));
  return { name, path };
}

interface Installed {
  name: string;
  path: string;
}
type Act = (client: Client, installed: Installed) => Promise<{ status: number }>;
const tunnelUrl = 'https://tunnel.example.com';
const noEvent = 'evt_none';

/** Each with what it answers to those who may; the last two end what the others act on. */
const acts: [string, Act, number][] = [
  ['read it', (client, { path }) => client.get(path), 200],
  ['read its events', (client, { path }) => client.get(`${path}/events`), 200],
  ['read an event of it', (client, { path }) => client.get(`${path}/events/${noEvent}`), 404],
  ['send an event again', (client, { path }) => client.post(`${path}/events/${noEvent}/resend`), 404],
  ['configure it', (client, { path }) => client.patch(path, { configuration: { secret: 'another' } }), 200],
  ['grant it scopes', (client, { path }) => client.patch(path, { externalIds: ['x'] }), 200],
  ['read all events', (client, { name }) => client.get(`${at(name)}/events`), 200],
  ['develop it', (client, { name }) => client.put(`${at(name)}/dev`, { tunnelUrl }), 204],
  ['end its development', (client, { name }) => client.delete(`${at(name)}/dev`), 205],
  ['republish it', (client, { name }) => client.post(at(name), manifestOf(organization)), 200],
  ['uninstall it', (client, { path }) => client.delete(path), 205],
  ['unpublish it', (client, { name }) => client.delete(at(name)), 204],
];

const callers = ['admin', 'owner', 'another', 'reviewer'] as const;
const clientOf = (caller: (typeof callers)[number]): Client =>
  ({ admin, owner: owner.client, another: another.client, reviewer: reviewer.client })[caller];

describe.each(Object.entries(cases))('an integration that an admin installed %s', (_, installation) => {
  it.each(callers)('is for its %s what the handbook says', async (caller) => {
    const client = clientOf(caller);
    const may = caller === 'admin' || installation.may.includes(caller as 'owner');
    const found = await installed(installation);
    expect((await done(client.get(at(found.name)))).permissions.admin).toBe(may);
    const listed = (await done(client.get(installationsOf(found.name)))).items;
    const shown = may ? { ...configuration } : {};
    expect(listed.map(({ id, configuration }: any) => [id, configuration])).toEqual(
      caller === 'reviewer' ? [] : [[idIn(found.path), shown]],
    );
    if (!may) await done(admin.put(`${at(found.name)}/dev`, { tunnelUrl }));
    const answers: [string, number][] = [];
    for (const [act, run] of acts) answers.push([act, (await run(client, found)).status]);
    expect(answers).toEqual(acts.map(([act, , status]) => [act, may ? status : 403]));
  });
});

describe('who does not administer all that an integration covers', () => {
  it('installs it on what they do administer, and reads and changes what is configured there alone', async () => {
    const { name, path } = await installed({ space: 'sealed', may: [] });
    await done(admin.patch(`${path}/spaces/${spaces.sealed}`, { configuration, externalIds: ['x'] }));
    const { client } = owner;
    const own = `${path}/spaces/${spaces.owned}`;
    await done(client.post(`${path}/spaces`, { space: spaces.owned }));
    const changed = await done(client.patch(own, { configuration: { key: 'mine' } }));
    expect(await done(client.get(own))).toEqual(changed);
    const items = async (by: Client) => (await done(by.get(`${path}/spaces`))).items;
    const shown = (each: any) => [each.space, each.configuration, each.externalIds];
    expect((await items(client)).map(shown)).toEqual([
      [spaces.owned, { key: 'mine' }, []],
      [spaces.sealed, {}, []],
    ]);
    expect((await items(admin)).map(shown)).toContainEqual([spaces.sealed, configuration, ['x']]);
    const sealed = `${path}/spaces/${spaces.sealed}`;
    for (const refused of [
      await client.get(sealed),
      await client.patch(sealed, { configuration: {} }),
      await client.delete(sealed),
    ])
      expect(refused.status).toBe(404);
    expect((await another.client.delete(own)).status).toBe(404);
    expect((await client.delete(own)).status).toBe(205);
    const byExternalId = async (by: Client) => done(by.get(`${installationsOf(name)}?externalId=x`));
    await done(admin.patch(path, { externalIds: ['x'] }));
    expect([(await byExternalId(admin)).count, (await byExternalId(client)).count]).toEqual([1, 0]);
  });

  it('does not change how it signs in visitors of a site', async () => {
    const { path } = await installed({ site: 'sealed', scopes: ['site:visitor:auth'], may: [] });
    const place = `${path}/sites/${sites.sealed}`;
    for (const refused of [
      await owner.client.get(place),
      await owner.client.patch(place, { configuration: { issuer: 'https://evil.example' } }),
      await owner.client.delete(place),
    ])
      expect(refused.status).toBe(403);
  });

  it('renders no component of its configuration', async () => {
    const { name } = await installed({ space: 'sealed', may: [] });
    const account = { type: 'configuration_account', organizationId: organization };
    const render = (client: Client) =>
      client.post(`${at(name)}/render`, { componentId: 'configure', props: {}, context: account });
    expect([(await render(owner.client)).status, (await render(admin)).status]).toEqual([403, 200]);
  });

  it('neither reads the secret of a webhook nor points it elsewhere', async () => {
    const path = await installWebhook(admin, { organization, url: 'https://hooks.example.com/' });
    const listed = await done(owner.client.get(installationsOf('webhook')));
    expect(listed.items).toMatchObject([{ id: idIn(path), configuration: {} }]);
    const elsewhere = { configuration: { url: 'https://evil.example/', secret: 'a-secret-of-mine-alone' } };
    const tries = [await owner.client.get(path), await owner.client.patch(path, elsewhere)];
    expect(tries.map(({ status }) => status)).toEqual([403, 403]);
    await done(admin.delete(path));
  });

  it('grants it nothing that a later version of another organization declares', async () => {
    const elsewhere = await newOrganization(admin);
    const version = { organization: elsewhere, visibility: 'public' };
    const name = await publish(admin, version);
    const path = await install(admin, name, { organization });
    await done(admin.post(`${path}/sites`, { siteId: sites.sealed }));
    await done(owner.client.patch(path, { externalIds: ['x'] }));
    await publish(admin, { ...version, name, scopes: ['site:visitor:auth'] });
    expect((await owner.client.patch(path, { externalIds: ['y'] })).status).toBe(403);
    await done(admin.patch(path, { externalIds: ['y'] }));
  });

  it('does not publish a version that would sign in visitors of what others administer', async () => {
    const name = await publish(owner.client, { organization });
    const path = await install(owner.client, name, { organization });
    await done(owner.client.post(`${path}/sites`, { siteId: sites.sealed }));
    const { status, body } = await owner.client.post(
      at(name),
      manifestOf(organization, { scopes: ['site:visitor:auth'] }),
    );
    expect([status, body.error.message]).toEqual([403, expect.stringMatching(/^You need to administer every/)]);
    await publish(owner.client, { organization, name });
  });
});

describe('a developer', () => {
  let tunnel: Server;
  let tunnelAt: string;
  beforeAll(async () => {
    tunnel = createServer((_, response) => response.end('the developer')).listen(0, '127.0.0.1');
    await once(tunnel, 'listening');
    tunnelAt = `http://127.0.0.1:${(tunnel.address() as AddressInfo).port}`;
  });
  afterAll(() => void tunnel.close());

  it('publishes, installs and develops an integration on spaces of their own', async () => {
    const { client } = owner;
    const name = await publish(client, { organization, scopes: ['space:content:read'] });
    const path = await install(client, name, { organization, configuration });
    await done(client.post(`${path}/spaces`, { space: spaces.owned }));
    await publish(client, { organization, name, scopes: ['space:content:read', 'space:content:write'] });
    await done(client.patch(path, { configuration: {} }));
    await done(client.put(`${at(name)}/dev`, { tunnelUrl: tunnelAt }));
    await done(client.delete(`${at(name)}/dev`));
    await done(client.delete(at(name)));
  });

  it('gets no more events once the integration covers what they do not administer, or their token is gone', async () => {
    const { client } = owner;
    const token = await done(client.post('/v1/user/tokens', { label: 'to develop' }));
    const name = await publish(client, { organization });
    const path = await install(client, name, { organization });
    const { urls } = await done(client.get(path));
    const answers = async () => [
      await (await fetch(`${urls.publicEndpoint}/`)).text(),
      await (await fetch(`${admin.url}/~integrations/v1/integrations/${name}/`)).text(),
    ];
    const developed = ['the developer', 'the developer'];
    const published = ['hello', 'hello'];
    await done(client.request('PUT', `/v1/integrations/${name}/dev`, { tunnelUrl: tunnelAt }, { token: token.token }));
    expect(await answers()).toEqual(developed);
    await done(admin.patch(path, { space_selection: 'all' }));
    expect(await answers()).toEqual(published);
    await done(admin.patch(path, { space_selection: 'selected' }));
    expect(await answers()).toEqual(developed);
    await done(client.delete(`/v1/user/tokens/${token.id}`));
    expect(await answers()).toEqual(published);
  });
});
