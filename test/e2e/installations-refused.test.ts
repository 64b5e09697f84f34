import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { configurable, idIn, install, installationsOf, publish, queuedFor } from '../support/installing.js';
import { RefusalClient } from '../support/refusals.js';
import { done } from '../support/requests/setting.js';
import { newSite } from '../support/site.js';

const admin = shared();
/** What the requests of the table name. */
const known: Record<string, string> = {};
const clients: Record<string, RefusalClient> = {};
let before: unknown;
beforeAll(async () => {
  const [organization, foreign] = [await newOrganization(admin), await newOrganization(admin)];
  const outsider = await newUser(admin);
  const outside = await newOrganization(outsider.client);
  const schemas = { account: configurable, space: configurable, site: configurable };
  const name = await publish(admin, { organization, visibility: 'public', configurations: schemas });
  const unused = { organization, visibility: 'public', configurations: { account: configurable } };
  const installation = await install(admin, name, { organization });
  const [space, other] = [await newSpace(admin, organization), await newSpace(admin, organization)];
  const trashed = await newSpace(admin, organization);
  const foreignSpace = await newSpace(admin, foreign);
  await done(admin.delete(`/v1/spaces/${trashed}`));
  const [site, otherSite] = [await newSite(organization), await newSite(organization)];
  await done(admin.post(`${installation}/spaces`, { space }));
  await done(admin.post(`${installation}/sites`, { siteId: site.id }));
  const onSites = await publish(admin, { organization, visibility: 'public', target: 'site' });
  const onSpaces = await publish(admin, { organization, visibility: 'public', target: 'space' });
  const onOrganizations = await publish(admin, { organization, visibility: 'public', target: 'organization' });
  Object.assign(known, {
    organization,
    foreign,
    outside,
    name,
    unused: await publish(admin, unused),
    private: await publish(admin, { organization }),
    hidden: await publish(outsider.client, { organization: outside }),
    onSites,
    onSpaces,
    onOrganizations,
    id: idIn(installation),
    ofSites: idIn(await install(admin, onSites, { organization })),
    ofSpaces: idIn(await install(admin, onSpaces, { organization })),
    ofOrganizations: idIn(await install(admin, onOrganizations, { organization })),
    space,
    other,
    trashed,
    foreignSpace,
    site: site.id,
    otherSite: otherSite.id,
  });
  const as = async (role: string) => (await newUser(admin, { organization, role })).client;
  const callers = { admin, outsider: outsider.client, creator: await as('create'), editor: await as('edit') };
  for (const [name, client] of Object.entries(callers)) clients[name] = new RefusalClient(client);
  before = await everything();
});

/** With what `{…}` stands for. */
const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (_, key: string) => known[key] ?? key);

const long = 'x'.repeat(257);
const large = { configuration: { text: 'x'.repeat(262_144) } };

type Refusal = [method: string, path: string, body: unknown, status: number, message: RegExp, by?: string];
const here = '{name}/installations/{id}';

const refusals: Refusal[] = [
  ['POST', '{unused}/installations', undefined, 400, /body|required/],
  ['POST', '{unused}/installations', {}, 400, /^organization: required/],
  ['POST', '{unused}/installations', { organization: '' }, 400, /^organization: /],
  ['POST', '{unused}/installations', { organization: 7 }, 400, /^organization: must be a string/],
  ['POST', '{unused}/installations', { organization: 'nowhere' }, 404, /^Organization not found/],
  ['POST', '{unused}/installations', { organization: '{outside}' }, 404, /^Organization not found/],
  ['POST', '{unused}/installations', { organization: '{organization}' }, 404, /^Organization not found/, 'outsider'],
  ['POST', '{unused}/installations', { organization: '{organization}' }, 403, /"installIntegration"/, 'editor'],
  [
    'POST',
    '{unused}/installations',
    { organization: '{organization}', space_selection: 'some' },
    400,
    /^space_selection: must be one of/,
  ],
  [
    'POST',
    '{unused}/installations',
    { organization: '{organization}', site_selection: 1 },
    400,
    /^site_selection: must be one of/,
  ],
  [
    'POST',
    '{unused}/installations',
    { organization: '{organization}', configuration: [] },
    400,
    /^configuration: must be an object/,
  ],
  [
    'POST',
    '{unused}/installations',
    { organization: '{organization}', configuration: { key: 1 } },
    400,
    /^configuration\.key: must be a string/,
  ],
  [
    'POST',
    '{unused}/installations',
    { organization: '{organization}', configuration: { limit: 'x' } },
    400,
    /^configuration\.limit: must be a number/,
  ],
  [
    'POST',
    '{unused}/installations',
    { organization: '{organization}', configuration: { region: 'x' } },
    400,
    /^configuration\.region: must be one of eu, us/,
  ],
  [
    'POST',
    '{unused}/installations',
    { organization: '{organization}', configuration: { [long]: 1 } },
    400,
    /^configuration/,
  ],
  ['POST', '{unused}/installations', { organization: '{organization}', ...large }, 413, /larger than 256 KiB/],
  [
    'POST',
    '{unused}/installations',
    { organization: '{organization}', space_selection: 'all' },
    403,
    /^space_selection: /,
    'creator',
  ],
  ['POST', '{private}/installations', { organization: '{foreign}' }, 403, /A private integration/],
  ['POST', '{private}/installations', { organization: '{outside}' }, 404, /^Integration not found/, 'outsider'],
  ['POST', '{hidden}/installations', { organization: '{organization}' }, 404, /^Integration not found/],
  ['POST', 'no-such-one/installations', { organization: '{organization}' }, 404, /^Integration not found/],
  ['POST', '{name}/installations', { organization: '{organization}' }, 409, /installed in this organization already/],
  ['POST', '{onSites}/installations', { organization: '{foreign}', space_selection: 'all' }, 400, /^space_selection: /],
  ['POST', '{onSpaces}/installations', { organization: '{foreign}', site_selection: 'all' }, 400, /^site_selection: /],
  [
    'POST',
    '{onOrganizations}/installations',
    { organization: '{foreign}', space_selection: 'all' },
    400,
    /^space_selection: /,
  ],
  ['PATCH', here, { configuration: 'x' }, 400, /^configuration: must be an object/],
  ['PATCH', here, { configuration: null }, 400, /^configuration: must be an object/],
  ['PATCH', here, { configuration: { loud: 'x' } }, 400, /^configuration\.loud: must be true or false/],
  ['PATCH', here, { externalIds: 'x' }, 400, /^externalIds: must be an array/],
  ['PATCH', here, { externalIds: ['1', '2', '3', '4', '5', '6'] }, 400, /^externalIds: at most 5 items/],
  ['PATCH', here, { externalIds: [''] }, 400, /^externalIds\.0: /],
  ['PATCH', here, { externalIds: [long] }, 400, /^externalIds\.0: at most 256/],
  ['PATCH', here, { space_selection: 'none' }, 400, /^space_selection: must be one of/],
  ['PATCH', here, large, 413, /larger than 256 KiB/],
  ['PATCH', here, { externalIds: ['x'] }, 403, /"configure"/, 'editor'],
  ['PATCH', here, { externalIds: ['x'] }, 404, /^Installation not found/, 'outsider'],
  ['PATCH', '{unused}/installations/{id}', { externalIds: ['x'] }, 404, /^Installation not found/],
  ['PATCH', '{name}/installations/none', { externalIds: ['x'] }, 404, /^Installation not found/],
  ['DELETE', '{unused}/installations/{id}', undefined, 404, /^Installation not found/],
  ['DELETE', here, undefined, 403, /"uninstall"/, 'editor'],
  ['DELETE', here, undefined, 404, /^Installation not found/, 'outsider'],
  ['POST', `${here}/tokens`, undefined, 403, /kind "user"/],
  ['POST', `${here}/spaces`, {}, 400, /^space: required/],
  ['POST', `${here}/spaces`, { space: ['{other}'] }, 400, /^space: must be a string/],
  ['POST', `${here}/spaces`, { space: 'none' }, 404, /^Space not found/],
  ['POST', `${here}/spaces`, { space: '{trashed}' }, 404, /^Space not found/],
  ['POST', `${here}/spaces`, { space: '{foreignSpace}' }, 404, /^Space not found/],
  ['POST', `${here}/spaces`, { space: '{space}' }, 409, /installed on this space already/],
  ['POST', `${here}/spaces`, { space: '{other}' }, 403, /"install"/, 'editor'],
  ['POST', `${here}/spaces?extended=perhaps`, { space: '{other}' }, 400, /^extended: /],
  ['POST', '{unused}/installations/{id}/spaces', { space: '{other}' }, 404, /^Installation not found/],
  ['POST', '{onSites}/installations/{ofSites}/spaces', { space: '{other}' }, 400, /^space: this integration cannot/],
  ['POST', '{onOrganizations}/installations/{ofOrganizations}/spaces', { space: '{other}' }, 400, /^space: /],
  ['POST', '{onOrganizations}/installations/{ofOrganizations}/sites', { siteId: '{otherSite}' }, 400, /^siteId: /],
  [
    'POST',
    '{onSpaces}/installations/{ofSpaces}/sites',
    { siteId: '{otherSite}' },
    400,
    /^siteId: this integration cannot/,
  ],
  ['POST', `${here}/sites`, { site: '{otherSite}' }, 400, /^siteId: required/],
  ['POST', `${here}/sites`, { siteId: 'site_none' }, 404, /^Site not found/],
  ['POST', `${here}/sites`, { siteId: '{site}' }, 409, /installed on this site already/],
  ['PATCH', `${here}/spaces/{space}`, { configuration: { limit: [] } }, 400, /^configuration\.limit: must be a number/],
  ['PATCH', `${here}/spaces/{space}`, { externalIds: [1] }, 400, /^externalIds\.0: must be a string/],
  ['PATCH', `${here}/spaces/{space}`, large, 413, /larger than 256 KiB/],
  ['PATCH', `${here}/spaces/{other}`, { externalIds: ['x'] }, 404, /^Installation not found/],
  ['PATCH', `${here}/sites/{site}`, { configuration: { key: {} } }, 400, /^configuration\.key: must be a string/],
  ['DELETE', `${here}/spaces/{other}`, undefined, 404, /^Installation not found/],
  ['DELETE', `${here}/sites/{otherSite}`, undefined, 404, /^Installation not found/],
  ['GET', `${here}/spaces?limit=1001`, undefined, 400, /^limit: /],
  ['GET', `${here}/spaces?page=x`, undefined, 400, /^page: /],
  ['GET', `{name}/installations?externalId=${long}`, undefined, 400, /^externalId: at most 256/],
  ['GET', '{name}/spaces', undefined, 403, /"operate"/, 'outsider'],
];

it.each(refusals)('%s %s with %j is a %i', async (method, path, body, status, message, by = 'admin') => {
  const sent = body === undefined ? undefined : JSON.parse(filled(JSON.stringify(body)));
  const client = clients[by] as RefusalClient;
  const answer = await client.request(method, `/v1/integrations/${filled(path)}`, sent);
  expect([answer.status, answer.body.error?.message]).toEqual([status, expect.stringMatching(message)]);
  expect(answer.body.error.code).toBe(status);
  if (client.hasSent()) expect(await everything()).toEqual(before);
});

/** What a refusal must leave as it is. */
async function everything(): Promise<unknown> {
  const of = async (path: string) => (await done(admin.get(path))).items;
  const paths = [`/v1/orgs/${known.organization}/installations`, `/v1/orgs/${known.foreign}/installations`];
  const own = `${installationsOf(known.name as string)}/${known.id}`;
  return Promise.all([...[...paths, `${own}/spaces`, `${own}/sites`].map(of), queuedFor(`/${known.id}`)]);
}
