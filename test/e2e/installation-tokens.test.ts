import { eventually } from '../../shared/testing/eventually.js';
import { newOrganization, newSpace, newUser, shared, unique } from '../support/fixtures.js';
import { integrationClient, signedToken } from '../support/installations.js';
import { configurable, idIn, install, installationsOf, publish, queuedFor } from '../support/installing.js';
import { done } from '../support/requests/setting.js';
import { Client } from '../support/server.js';
import { newSite } from '../support/site.js';

const admin = shared();
let organization: string;
let other: string;
let space: string;
let unselected: string;
beforeAll(async () => {
  [organization, other] = [await newOrganization(admin), await newOrganization(admin)];
  [space, unselected] = [await newSpace(admin, organization), await newSpace(admin, organization)];
});

const scopes = ['space:content:read', 'space:metadata:read', 'site:metadata:read'];
const publicOne = (manifest: Record<string, unknown> = {}) =>
  publish(admin, { organization, visibility: 'public', scopes, ...manifest });
const asInstallation = async (path: string) => new Client(admin.url, await signedToken({ installation: idIn(path) }));
const statusOf = async (client: Client, path: string): Promise<number> => (await client.get(path)).status;

/** What a token may do is kept for a moment. */
const becomes = (client: Client, path: string, status: number): Promise<number> =>
  eventually(
    `${path} with ${status}`,
    () => statusOf(client, path),
    (found) => found === status,
  );

describe('the token of an installation', () => {
  it('is given to the integration alone, and speaks for the installation', async () => {
    const name = await publicOne();
    const path = await install(admin, name, { organization });
    const integration = await integrationClient(admin, name);
    const { token } = await done(integration.post(`${path}/tokens`));
    const itself = new Client(admin.url, token);
    expect(await done(itself.get(path))).toEqual(await done(admin.get(path)));
    for (const refused of [admin, itself]) expect((await refused.post(`${path}/tokens`)).status).toBe(403);
    const another = await integrationClient(admin, await publicOne());
    expect((await another.post(`${path}/tokens`)).status).toBe(404);
  });

  it('configures the installation, but does not choose what it is installed on', async () => {
    const name = await publicOne({ configurations: { account: configurable } });
    const path = await install(admin, name, { organization });
    const itself = await asInstallation(path);
    const updated = await done(itself.patch(path, { configuration: { key: 'k' }, externalIds: ['x'] }));
    expect(updated).toMatchObject({ status: 'active', configuration: { key: 'k' }, externalIds: ['x'] });
    for (const selection of [{ space_selection: 'all' }, { site_selection: 'selected' }])
      expect((await itself.patch(path, selection)).status).toBe(403);
    expect((await itself.delete(path)).status).toBe(403);
    expect((await itself.post(`${path}/spaces`, { space })).status).toBe(403);
    await done(admin.post(`${path}/spaces`, { space }));
    const there = `${path}/spaces/${space}`;
    expect(await done(itself.patch(there, { externalIds: ['y'] }))).toMatchObject({ externalIds: ['y'] });
    expect((await itself.delete(there)).status).toBe(403);
    expect((await queuedFor(path)).map(({ type }) => type)).toEqual([
      'installation_setup',
      'installation_setup',
      'space_installation_setup',
      'space_installation_setup',
    ]);
  });

  it('reaches nothing of other installations and organizations', async () => {
    const name = await publicOne();
    const path = await install(admin, name, { organization });
    const elsewhere = await install(admin, name, { organization: other });
    const itself = await asInstallation(path);
    expect(await statusOf(itself, elsewhere)).toBe(404);
    expect((await itself.patch(elsewhere, { externalIds: ['x'] })).status).toBe(404);
    expect(await statusOf(itself, `${elsewhere}/spaces`)).toBe(404);
    expect(await statusOf(itself, `/v1/spaces/${await newSpace(admin, other)}`)).toBeGreaterThanOrEqual(403);
  });

  it('ends with the installation', async () => {
    const path = await install(admin, await publicOne(), { organization });
    const itself = await asInstallation(path);
    expect(await statusOf(itself, path)).toBe(200);
    await done(admin.delete(path));
    expect(await becomes(itself, path, 401)).toBe(401);
  });

  it('ends with the integration, also where its name is used again', async () => {
    const name = await publicOne();
    const path = await install(admin, name, { organization });
    const [itself, integration] = [await asInstallation(path), await integrationClient(admin, name)];
    expect(await statusOf(itself, path)).toBe(200);
    expect(await statusOf(integration, installationsOf(name))).toBe(200);
    await done(admin.delete(`/v1/integrations/${name}`));
    await publicOne({ name });
    expect(await becomes(itself, path, 401)).toBe(401);
    expect(await becomes(integration, installationsOf(name), 401)).toBe(401);
  });

  /** Each way in which the script of an integration comes to do less, and what a change by its token is answered after that. */
  const shrinking: [string, (shrunk: { name: string; path: string }) => Promise<unknown>, number][] = [
    [
      'a version declares less',
      ({ name }) =>
        publish(admin, { organization: other, visibility: 'public', name, scopes: ['space:metadata:read'] }),
      403,
    ],
    [
      'a version declares again what nobody has granted since',
      async ({ name, path }) => {
        await publish(admin, { organization: other, visibility: 'public', name, scopes: ['space:metadata:read'] });
        await done(admin.patch(path, { externalIds: ['granted'] }));
        await publish(admin, { organization: other, visibility: 'public', name, scopes: writing });
      },
      403,
    ],
    ['it is uninstalled from the space', ({ path }) => admin.delete(`${path}/spaces/${space}`), 404],
    ['it is uninstalled', ({ path }) => admin.delete(path), 401],
    ['the integration is unpublished', ({ name }) => admin.delete(`/v1/integrations/${name}`), 401],
  ];
  const writing = ['space:metadata:read', 'space:metadata:write'];

  it.each(shrinking)('changes nothing more when %s', async (_, shrink, status) => {
    const name = await publish(admin, { organization: other, visibility: 'public', scopes: writing });
    const path = await install(admin, name, { organization });
    await done(admin.post(`${path}/spaces`, { space }));
    const itself = await asInstallation(path);
    const rename = (title: string) => itself.patch(`/v1/spaces/${space}`, { title });
    const { title } = await done(rename(unique('before')));
    await shrink({ name, path });
    expect((await rename('after')).status).toBe(status);
    expect((await done(admin.get(`/v1/spaces/${space}`))).title).toBe(title);
  });

  it('changes nothing more of spaces when it is on all of them no longer', async () => {
    const path = await install(admin, await publicOne({ scopes: writing }), { organization, space_selection: 'all' });
    const itself = await asInstallation(path);
    const rename = () => itself.patch(`/v1/spaces/${unselected}`, { title: unique('renamed') });
    await done(rename());
    await done(admin.patch(path, { space_selection: 'selected' }));
    expect((await rename()).status).toBe(404);
  });

  it('is no token of this server if another one signed it', async () => {
    const path = await install(admin, await publicOne(), { organization });
    const token = (await signedToken({ installation: idIn(path) })).slice(0, -4);
    for (const forged of [
      `${token}AAAA`,
      await signedToken({ installation: 'none' }),
      await signedToken({ publication: '' }),
    ])
      expect(await statusOf(new Client(admin.url, forged), path)).toBe(401);
  });
});

describe('an integration', () => {
  it('lists its installations everywhere, and finds one by its external id', async () => {
    const name = await publicOne();
    const [one, two] = [
      await install(admin, name, { organization }),
      await install(admin, name, { organization: other }),
    ];
    const integration = await integrationClient(admin, name);
    const ids = async (query = '') =>
      (await done(integration.get(`${installationsOf(name)}${query}`))).items.map(({ id }: any) => id);
    expect(await ids()).toEqual([idIn(two), idIn(one)]);
    await done(integration.patch(one, { externalIds: ['workspace-1', 'shared'] }));
    await done(integration.patch(two, { externalIds: ['workspace-2', 'shared'] }));
    expect(await ids('?externalId=workspace-1')).toEqual([idIn(one)]);
    expect(await ids('?externalId=shared')).toEqual([idIn(two), idIn(one)]);
    expect(await ids('?externalId=none')).toEqual([]);
    await done(integration.patch(one, { externalIds: [] }));
    expect(await ids('?externalId=shared')).toEqual([idIn(two)]);
  });

  it('finds the spaces and sites that it is installed on by their external ids', async () => {
    const name = await publicOne();
    const path = await install(admin, name, { organization });
    const { id: site } = await newSite(organization);
    await done(admin.post(`${path}/spaces`, { space }));
    await done(admin.post(`${path}/spaces`, { space: unselected }));
    await done(admin.post(`${path}/sites`, { siteId: site }));
    const integration = await integrationClient(admin, name);
    await done(integration.patch(`${path}/spaces/${space}`, { externalIds: ['repository'] }));
    await done(integration.patch(`${path}/sites/${site}`, { externalIds: ['repository'] }));
    const at = `/v1/integrations/${name}`;
    const found = async (where: string) => (await done(integration.get(`${at}/${where}`))).items;
    expect((await found('spaces')).map((each: any) => each.space)).toEqual([unselected, space]);
    expect((await found('spaces?externalId=repository')).map((each: any) => each.space)).toEqual([space]);
    expect((await found('sites?externalId=repository')).map((each: any) => each.site)).toEqual([site]);
    expect(await found('sites?externalId=none')).toEqual([]);
  });

  it('sees nothing of other integrations', async () => {
    const name = await publicOne();
    const path = await install(admin, name, { organization });
    const another = await integrationClient(admin, await publicOne());
    expect(await statusOf(another, path)).toBe(404);
    expect(await statusOf(another, `/v1/integrations/${name}/spaces`)).toBe(403);
    expect((await done(another.get(installationsOf(name)))).items).toEqual([]);
    expect((await another.patch(path, { externalIds: ['x'] })).status).toBe(404);
  });
});

describe('a person', () => {
  it('lists the installations in the organizations where they may install', async () => {
    const name = await publicOne();
    const one = await install(admin, name, { organization });
    await install(admin, name, { organization: other });
    const creator = await newUser(admin, { organization, role: 'create' });
    const reader = await newUser(admin, { organization, role: 'read' });
    const ids = async ({ client }: { client: Client }) =>
      (await done(client.get(installationsOf(name)))).items.map(({ id }: any) => id);
    expect(await ids(creator)).toEqual([idIn(one)]);
    expect(await ids(reader)).toEqual([]);
  });
});
