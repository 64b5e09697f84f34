import { auditEvents } from '../support/audit.js';
import { document, inserted } from '../support/content-changes.js';
import { type NewUser, newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { TrackedSite } from '../support/insights/tracked-site.js';
import { installed } from '../support/installations.js';
import { listed, shownLink } from '../support/links.js';
import { petstore, publish, textOf } from '../support/openapi.js';
import { done, idOf } from '../support/requests/setting.js';
import type { Client } from '../support/server.js';
import { newSite } from '../support/site.js';

const admin = shared();
let organization: string;
/** Who installs the integrations, and a member who wrote things before. */
let installer: NewUser;
let member: NewUser;
/** Spaces that integrations are installed on, and not. */
let own: string;
let other: string;

/** An installation on `own` alone, unless the test says what else. */
const on = async (scopes: string[], more: { spaces?: 'all' | string[]; sites?: 'all' | string[] } = {}) =>
  installed(installer.client, { organization, scopes, spaces: [own], ...more });
const clientOn = async (...options: Parameters<typeof on>): Promise<Client> => (await on(...options)).client;

const write = (space: string, ...changes: unknown[]) => done(admin.post(`/v1/spaces/${space}/content`, { changes }));
const ids = ({ body }: { body: any }) => body.items.map(({ id }: { id: string }) => id);
const held = (permissions: Record<string, boolean>) =>
  Object.keys(permissions)
    .filter((right) => permissions[right])
    .sort();

beforeAll(async () => {
  organization = await newOrganization(admin);
  installer = await newUser(admin, { organization, role: 'admin' });
  member = await newUser(admin, { organization, role: 'review' });
});
beforeEach(async () => {
  [own, other] = [
    await newSpace(admin, organization, { editMode: 'live' }),
    await newSpace(admin, organization, { editMode: 'live' }),
  ];
});

describe('what an installation writes', () => {
  it('is by the user who installed it; the audit trail names the installation', async () => {
    const { id, client } = await on(['space:content:read', 'space:content:write']);
    const request = await done(client.post(`/v1/spaces/${own}/change-requests`, { subject: 'By a script' }));
    expect(request.createdBy).toMatchObject({ object: 'user', id: installer.id });
    const path = `/v1/spaces/${own}/change-requests/${request.id}`;
    await done(client.post(`${path}/content`, { changes: [inserted('Home', document('Hello\n'))] }));
    expect((await done(client.post(`${path}/merge`))).result).toBe('merge');
    await write(own, inserted('Later', document('Hello\n')));
    const [, merged] = (await done(client.get(`/v1/spaces/${own}/revisions`))).items;
    expect(merged).toMatchObject({ author: { id: installer.id }, changeRequest: request.id });
    const contributors = (await done(client.get(`${path}/contributors`))).items;
    expect(contributors).toMatchObject([{ user: { id: installer.id } }]);
    const [told] = await auditEvents(admin, organization, 'operation=mergeChangeRequest', 1);
    expect(told.actor).toMatchObject({ type: 'installation', id });
  });

  it('is done once with an Idempotency-Key', async () => {
    const client = await clientOn(['space:content:write']);
    const headers = { 'idempotency-key': 'create' };
    const create = () => client.post(`/v1/spaces/${own}/change-requests`, {}, { headers });
    const [first, second] = [await create(), await create()];
    expect([first.status, second.body]).toEqual([201, first.body]);
  });

  it('never changes who has access to a space', async () => {
    const client = await clientOn(['space:metadata:read', 'space:metadata:write']);
    const refused = await client.patch(`/v1/spaces/${own}`, { title: 'Open', defaultLevel: 'create' });
    expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringMatching(/^defaultLevel: /)]);
    expect((await done(client.patch(`/v1/spaces/${own}`, { title: 'Renamed' }))).title).toBe('Renamed');
  });
});

describe('an installation on a space', () => {
  it.each([
    [['space:metadata:read'], ['access', 'view']],
    [
      ['space:metadata:read', 'space:content:write'],
      ['access', 'comment', 'edit', 'merge', 'review', 'view'],
    ],
  ])('with %j has no more rights than its scopes need', async (scopes, rights) => {
    const client = await clientOn(scopes);
    expect(held((await done(client.get(`/v1/spaces/${own}`))).permissions)).toEqual(rights);
  });

  it('finds no other space: neither in lists, nor by search, nor behind links', async () => {
    const [{ id: page }] = (await write(other, inserted('Unreached', document('Findable\n')))).pages;
    await write(own, inserted('Reached', document(`Findable [a](/spaces/${other}/pages/${page})\n`)));
    const scopes = ['space:metadata:read', 'space:content:read'];
    const [client, wide] = [await clientOn(scopes), await clientOn(scopes, { spaces: 'all' })];
    expect(ids(await client.get(`/v1/orgs/${organization}/spaces`))).toEqual([own]);
    expect(ids(await wide.get(`/v1/orgs/${organization}/spaces`))).toEqual(expect.arrayContaining([own, other]));
    const search = `/v1/orgs/${organization}/search?query=findable&limit=1000`;
    for (let found: string[] = []; !found.includes(own) || !found.includes(other); )
      found = ids(await wide.get(search));
    expect(ids(await client.get(search))).toEqual([own]);
    const links = async (by: Client) => (await listed(by, `/v1/spaces/${own}/links`)).items.map(shownLink);
    expect(await links(wide)).toMatchObject([{ status: 'ok', target: 'page Unreached' }]);
    expect(await links(client)).toMatchObject([{ status: 'broken', target: '' }]);
    const pages = (await done(client.get(`/v1/spaces/${own}/content/pages`))).pages;
    const markdown = async (by: Client) =>
      (await done(by.get(`/v1/spaces/${own}/content/page/${pages[0].id}?format=markdown`))).markdown;
    expect(await markdown(wide)).toContain(`/app/s/${other}`);
    expect(await markdown(client)).not.toContain('/app/s/');
  });

  it('does not see it once it is deleted, though it may change it', async () => {
    const client = await clientOn(['space:metadata:read', 'space:metadata:write'], { spaces: 'all' });
    await done(admin.delete(`/v1/spaces/${own}`));
    expect((await client.get(`/v1/spaces/${own}`)).status).toBe(404);
    expect(ids(await client.get(`/v1/orgs/${organization}/spaces`))).not.toContain(own);
  });

  it('sees of imports those into it', async () => {
    const client = await clientOn(['space:content:write']);
    const body = { url: `${admin.url}/`, source: 'html' };
    for (const space of [own, other]) await done(admin.post(`/v1/spaces/${space}/content/import`, body));
    const { items } = await done(client.get(`/v1/orgs/${organization}/imports`));
    expect(items.map(({ space }: { space: string }) => space)).toEqual([own]);
  });

  it('is shown people without their addresses', async () => {
    const path = `/v1/spaces/${own}`;
    const request = await idOf(member.client.post(`${path}/change-requests`, { subject: 'By a person' }));
    const at = `${path}/change-requests/${request}`;
    const changes = [inserted('A', document('A\n'))];
    await done(member.client.post(`${at}/content`, { changes }));
    await done(admin.post(`${at}/requested-reviewers`, { users: [member.id] }));
    await done(member.client.post(`${at}/reviews`, { status: 'approved', comment: { markdown: 'Good' } }));
    const comment = await idOf(member.client.post(`${path}/comments`, { body: { markdown: 'Hello' } }));
    await done(member.client.post(`${path}/comments/${comment}/replies`, { body: { markdown: 'Hello' } }));
    const client = await clientOn(['space:content:read']);
    for (const [below, named] of [
      ['/change-requests?status=open', member.id],
      [`/change-requests/${request}`, member.id],
      [`/change-requests/${request}/contributors`, member.id],
      [`/change-requests/${request}/requested-reviewers`, member.id],
      [`/change-requests/${request}/reviews`, member.id],
      ['/revisions', (await done(admin.get('/v1/user'))).id],
      ['/comments', member.id],
      [`/comments/${comment}/replies`, member.id],
      ['/commenters', member.id],
    ] as const) {
      const shownTo = async (by: Client) => {
        const text = JSON.stringify(await done(by.get(path + below)));
        return [text.includes(named), text.includes('"email"')];
      };
      expect([below, await shownTo(admin), await shownTo(client)]).toEqual([below, [true, true], [true, false]]);
    }
  });

  it('reads comments and may do nothing with them', async () => {
    const comment = await idOf(member.client.post(`/v1/spaces/${own}/comments`, { body: { markdown: 'Hello' } }));
    const client = await clientOn(['space:content:read', 'space:content:write', 'space:metadata:write']);
    const { permissions } = await done(client.get(`/v1/spaces/${own}/comments/${comment}`));
    expect(held(permissions)).toEqual(['view']);
  });
});

describe('OpenAPI specifications', () => {
  let slug: string;
  const computed = () => ({
    type: 'builtin:openapi',
    dependencies: { spec: { ref: { kind: 'openapi', spec: slug } } },
  });
  beforeAll(async () => {
    slug = 'pets';
    await publish(admin, `/v1/orgs/${organization}/openapi/${slug}`, textOf(petstore()));
  });

  it('are none behind links and on pages for an installation without `openapi:read`', async () => {
    const props = { models: true };
    const source = { ...computed(), props };
    const content = ['space:content:read', 'space:content:write'];
    const [client, wide] = [await clientOn(content), await clientOn([...content, 'openapi:read'])];
    const path = `/v1/spaces/${own}/content`;
    const compute = (by: Client) => by.post(`${path}/computed/revision`, { source, seed: 'a' });
    expect((await compute(client)).status).toBe(404);
    expect((await compute(wide)).status).toBe(200);
    const changes = [{ operation: 'insert_page', title: 'API', computed: source }];
    const refused = await client.post(path, { changes });
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      'changes.0.computed: the integration needs the scope "openapi:read"',
    ]);
    await done(wide.post(path, { changes }));
    // A page that it sees is made of the specification by now.
    expect((await compute(client)).status).toBe(200);
  });

  it('are all that an installation may write in its organization', async () => {
    const client = await clientOn(['openapi:read', 'openapi:write']);
    const { permissions } = await done(client.get(`/v1/orgs/${organization}`));
    expect(held(permissions)).toEqual(['createOpenAPISpec', 'view']);
    expect((await done(client.get(`/v1/orgs/${organization}/openapi/${slug}`))).permissions).toMatchObject({
      edit: true,
    });
    const reader = await clientOn(['openapi:read']);
    expect(held((await done(reader.get(`/v1/orgs/${organization}`))).permissions)).toEqual(['access', 'view']);
  });
});

describe('an installation on a site', () => {
  it('sees its structure, and spaces in it as visitors do', async () => {
    const site = await newSite(organization, { spaces: [own, other] });
    const hidden = await newSite(organization);
    const scopes = ['site:metadata:read', 'space:metadata:read', 'space:metadata:write'];
    const client = await clientOn(scopes, { sites: [site.id] });
    expect(ids(await client.get(`/v1/orgs/${organization}/sites`))).toEqual([site.id]);
    expect(ids(await client.get(`/v1/orgs/${organization}/sites?space=${other}`))).toEqual([site.id]);
    expect((await client.get(hidden.at())).status).toBe(404);
    const { structure } = await done(client.get(site.at('/structure')));
    const shown = structure.map(({ space }: any) => [space.id, held(space.permissions).length > 0]);
    expect(shown).toEqual([
      [own, true],
      [other, false],
    ]);
  });

  it('sends events of a site that nobody else may send', async () => {
    const tracked = new TrackedSite(admin, organization, (await newSite(organization)).id);
    const body = { events: [tracked.event()] };
    const client = await clientOn([], { sites: [tracked.id] });
    expect((await client.post(tracked.events(), body)).status).toBe(204);
    expect((await (await clientOn([])).post(tracked.events(), body)).status).toBe(404);
  });
});
