import { eventually } from '../../shared/testing/eventually.js';
import { type DeveloperMachine, developerMachine } from '../support/developing.js';
import { type NewUser, newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { integrationClient, signedToken } from '../support/installations.js';
import { idIn, install, installationsOf, publish } from '../support/installing.js';
import { at, manifestOf } from '../support/integrations.js';
import { done } from '../support/requests/setting.js';
import { type Answer, Client } from '../support/server.js';
import { newSite } from '../support/site.js';

const admin = shared();
let organization: string;
/** A site that shows a space for admins alone. */
let sealedSite: string;
let machine: DeveloperMachine;
beforeAll(async () => {
  organization = await newOrganization(admin);
  const sealed = await newSpace(admin, organization);
  await done(admin.patch(`/v1/spaces/${sealed}`, { defaultLevel: null }));
  sealedSite = (await newSite(organization, { spaces: [sealed] })).id;
  machine = await developerMachine();
});
afterAll(() => machine.close());

/** An integration that a member develops by a tunnel. */
interface Developed {
  developer: NewUser;
  /** The API token that opened the tunnel. */
  token: { id: string; token: string };
  name: string;
  /** The path of the installation. */
  path: string;
}

const okay = async (answer: Promise<Answer>) => expect((await answer).status).toBeLessThan(300);
const openTunnel = ({ developer, token, name }: Omit<Developed, 'path'>, tunnelUrl = machine.url) =>
  okay(developer.client.request('PUT', `${at(name)}/dev`, { tunnelUrl }, { token: token.token }));

async function developed(): Promise<Developed> {
  const developer = await newUser(admin, { organization, role: 'create' });
  const { client } = developer;
  const token = await done(client.post('/v1/user/tokens', { label: 'to develop' }));
  const name = await publish(client, { organization, scopes: ['space:content:read'] });
  const path = await install(client, name, { organization });
  await done(client.post(`${path}/sites`, { siteId: sealedSite }));
  await openTunnel({ developer, token, name });
  return { developer, token, name, path };
}

const calling = (token: string) => new Client(admin.url, token);

/** Clients with the tokens that the machine is given for an event: of the integration, of the installation, and one that it makes of them. */
async function given({ path }: Developed) {
  const { urls } = await done(admin.get(path));
  expect(await (await fetch(`${urls.publicEndpoint}/`)).text()).toBe('the developer');
  const tokens = machine.given.at(-1);
  const integration = calling(String(tokens?.integration));
  const made = await done(integration.post(`${path}/tokens`));
  return { integration, installation: calling(String(tokens?.installation)), made: calling(made.token) };
}

const member = ({ developer }: Developed) => `/v1/orgs/${organization}/members/${developer.id}`;
const statusOf = async (client: Client, path: string): Promise<number> => (await client.get(path)).status;
/** What a token may read is kept for a moment. */
const isRefused = (client: Client, path: string): Promise<number> =>
  eventually(
    `${path} with 401`,
    () => statusOf(client, path),
    (found) => found === 401,
  );

/** Each way in which a tunnel ends. */
const ends: [string, (developed: Developed) => Promise<void>][] = [
  ['is closed', ({ developer, name }) => okay(developer.client.delete(`${at(name)}/dev`))],
  ['is opened to another address', (each) => openTunnel(each, 'https://tunnel.example.com')],
  ['is opened anew', (each) => openTunnel(each)],
  ['loses its API token', ({ developer, token }) => okay(developer.client.delete(`/v1/user/tokens/${token.id}`))],
  ['is of somebody who was removed', (each) => okay(admin.delete(member(each)))],
  ['is of somebody who was disabled', (each) => okay(admin.patch(member(each), { disabled: true }))],
  ['is of somebody who was made a reader', (each) => okay(admin.patch(member(each), { role: 'read' }))],
  [
    'is to an integration that an admin installs on more',
    ({ path }) => okay(admin.patch(path, { space_selection: 'all' })),
  ],
  [
    'is to an integration of which an admin publishes a version that may do more',
    ({ name }) => okay(admin.post(at(name), manifestOf(organization, { scopes: ['site:visitor:auth'] }))),
  ],
  ['is to an integration that is unpublished', ({ name }) => okay(admin.delete(at(name)))],
];

describe('the tokens that a developer is given', () => {
  it.each(ends)('end with the tunnel when it %s', async (_, end) => {
    const each = await developed();
    const { integration, installation, made } = await given(each);
    const reads: [Client, string][] = [
      [integration, installationsOf(each.name)],
      [installation, each.path],
      [made, each.path],
    ];
    for (const [client, path] of reads) expect(await statusOf(client, path)).toBe(200);
    await end(each);
    for (const client of [installation, made])
      expect((await client.patch(each.path, { externalIds: ['late'] })).status).toBe(401);
    expect((await integration.post(`${each.path}/tokens`)).status).toBe(401);
    for (const [client, path] of reads) expect(await isRefused(client, path)).toBe(401);
  });

  it('end with the installation, as all of its tokens', async () => {
    const each = await developed();
    const { integration, installation, made } = await given(each);
    await okay(admin.delete(each.path));
    for (const client of [installation, made])
      expect((await client.patch(each.path, { externalIds: ['late'] })).status).toBe(401);
    expect(await statusOf(integration, installationsOf(each.name))).toBe(200);
  });

  it('are those of the tunnel that is open; what the published script has is valid with and without one', async () => {
    const each = await developed();
    const { name, path } = each;
    const [integration, installation] = [
      await integrationClient(admin, name),
      calling(await signedToken({ installation: idIn(path) })),
    ];
    const before = await given(each);
    await openTunnel(each);
    const after = await given(each);
    expect((await before.installation.patch(path, { externalIds: ['before'] })).status).toBe(401);
    expect((await after.installation.patch(path, { externalIds: ['after'] })).status).toBe(200);
    await okay(each.developer.client.delete(`${at(name)}/dev`));
    expect((await after.installation.patch(path, { externalIds: ['late'] })).status).toBe(401);
    expect((await installation.patch(path, { externalIds: ['script'] })).status).toBe(200);
    expect((await integration.post(`${path}/tokens`)).status).toBe(200);
  });
});
