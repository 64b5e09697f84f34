import { readFile } from 'node:fs/promises';
import lzString from 'lz-string';
import { packageFile } from '../../shared/process/package-root.js';
import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { renderingScript } from '../support/integration-scripts.js';
import { install, publish } from '../support/integrations.js';
import type { Client } from '../support/server.js';
import { newSite } from '../support/site.js';

const admin = shared();
let organization: string;
let space: string;
let other: string;
let name: string;
let installation: string;
beforeAll(async () => {
  organization = await newOrganization(admin);
  [space, other] = [await newSpace(admin, organization), await newSpace(admin, organization)];
  const configurations = { account: { properties: { key: { type: 'string' } }, required: ['key'] } };
  name = await publish(admin, organization, renderingScript, { configurations });
  installation = (await install(admin, name, organization, { configuration: { key: 'a' } })).id;
  const added = await admin.post(`/v1/integrations/${name}/installations/${installation}/spaces`, { space });
  expect(added.status).toBe(201);
});

const inDocument = (more: object = {}) => ({
  type: 'document',
  spaceId: space,
  editable: false,
  theme: 'light',
  ...more,
});
const bodyOf = (componentId: string, more: object = {}) => ({
  componentId,
  props: { a: 1 },
  context: inDocument(),
  ...more,
});
const render = (componentId: string, more: object = {}, client: Client = admin, of = name) =>
  client.post(`/v1/integrations/${of}/render`, bodyOf(componentId, more));
const compressed = (value: unknown) =>
  lzString.compressToEncodedURIComponent(typeof value === 'string' ? value : JSON.stringify(value));
const renderByGet = (request: string, client: Client = admin) =>
  client.get(`/v1/integrations/${name}/render?request=${request}`);

it('the script in the handbook does what the handbook says', async () => {
  const text = await readFile(packageFile('docs/api/integration-runtime.md'), 'utf8');
  const [, script = ''] = /```js\n(.*?)```/s.exec(text) ?? [];
  const hello = await publish(admin, organization, script);
  const { urls } = await install(admin, hello, organization, {
    space_selection: 'all',
    configuration: { greeting: 'Hello' },
  });
  const { body } = await render('hello', { props: { name: 'Ada' } }, admin, hello);
  const [, answer = ''] = /```json\n(.*?)```/s.exec(text) ?? [];
  expect(body).toEqual(JSON.parse(answer));
  const asked = await fetch(`${urls.publicEndpoint}/x`);
  expect(await asked.json()).toEqual({ greeting: 'Hello', path: new URL(`${urls.publicEndpoint}/x`).pathname });
});

describe('a component', () => {
  it('is rendered by the script, which says how long caches keep it', async () => {
    const { status, headers, body } = await render('shown');
    expect([status, headers.get('cache-control'), headers.get('vary')]).toEqual([
      200,
      'public, max-age=300',
      expect.stringContaining('Authorization'),
    ]);
    expect(body).toEqual({
      type: 'element',
      element: { type: 'block', children: [{ type: 'text', children: ['shown'] }] },
      state: { count: 0 },
      props: { a: 1 },
    });
  });

  it('is rendered the same by GET, for caches', async () => {
    const { status, headers, body } = await renderByGet(compressed(bodyOf('shown')));
    expect([status, body]).toEqual([200, (await render('shown')).body]);
    expect([headers.get('cache-control'), headers.get('x-gitbook-cache-tag')]).toEqual([
      'public, max-age=300',
      `integration:${name}`,
    ]);
  });

  it('gets what it is rendered with, where it is and who looks at it', async () => {
    const { id } = (await admin.get('/v1/user')).body;
    const { headers, body } = await render('event', { state: { count: 2 }, action: { action: 'click', by: 1 } });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.props).toEqual({
      eventId: expect.any(String),
      type: 'ui_render',
      installationId: installation,
      spaceId: space,
      componentId: 'event',
      props: { a: 1 },
      state: { count: 2 },
      action: { action: 'click', by: 1 },
      context: inDocument(),
      auth: { userId: id },
      status: 'active',
    });
  });

  it('may end with a value', async () => {
    const { body } = await render('complete', { action: { action: 'submit' } });
    expect(body).toEqual({ type: 'complete', returnValue: { action: { action: 'submit' } } });
  });

  it.each([
    ['missing', 404, 'Component missing not found'],
    ['refusing', 422, 'The integration failed: the token is missing'],
    ['failing', 422, 'The integration failed: it answered 502'],
    ['thrower', 422, 'The integration failed: its script threw an error, which the log of the event has'],
    ['text', 422, 'The integration failed: it did not answer JSON'],
    ['shapeless', 422, expect.stringMatching(/^The integration failed: it rendered nothing that can be shown/)],
    ['large', 422, 'The integration failed: it answered more than 1048576 bytes of JSON'],
    ['deep', 422, 'The integration failed: its JSON is nested more than 500 levels deep'],
  ])('%s is a %d: %s', async (componentId, status, message) => {
    const answer = await render(componentId);
    expect([answer.status, answer.body.error?.message]).toEqual([status, message]);
  });
});

describe('who renders', () => {
  it('in a document is who may read it, where the integration is installed', async () => {
    const [reader, guest, stranger] = [
      await newUser(admin, { organization, role: 'read' }),
      await newUser(admin, { organization, role: null }),
      await newUser(admin),
    ];
    const asked = async (client: Client, more: object = {}) => (await render('shown', more, client)).status;
    expect(await asked(reader.client)).toBe(200);
    for (const { client } of [guest, stranger]) expect(await asked(client)).toBe(404);
    const elsewhere = await render('shown', { context: inDocument({ spaceId: other }) });
    expect([elsewhere.status, elsewhere.body.error.message]).toEqual([404, 'Installation not found']);
    expect(
      await asked(admin, {
        context: inDocument({ spaceId: await newSpace(stranger.client, await newOrganization(stranger.client)) }),
      }),
    ).toBe(404);
  });

  it('as an editor is who may edit', async () => {
    const reader = await newUser(admin, { organization, role: 'comment' });
    const context = inDocument({ editable: true });
    expect((await render('shown', { context }, reader.client)).status).toBe(403);
    expect((await render('shown', { context })).status).toBe(200);
  });

  it('visits a site that shows the space, as a visitor of another site does not', async () => {
    const own = (await newSite(organization, { spaces: [space] })).id;
    const foreign = (await newSite(organization, { spaces: [other] })).id;
    for (const site of [own, foreign])
      expect((await admin.post(`/v1/orgs/${organization}/sites/${site}/publish`)).status).toBe(200);
    const visitorOf = async (site: string) => {
      const { urls } = (await admin.get(`/v1/orgs/${organization}/sites/${site}`)).body;
      const { body } = await admin.post('/v1/urls/published', { url: urls.published }, { token: null });
      return body.apiToken as string;
    };
    const by = async (site: string, context: object = inDocument()) =>
      (
        await admin.post(`/v1/integrations/${name}/render`, bodyOf('shown', { context }), {
          token: await visitorOf(site),
        })
      ).status;
    expect([await by(own), await by(foreign), await by(own, inDocument({ editable: true }))]).toEqual([200, 404, 403]);
    const account = { type: 'configuration_account', organizationId: organization };
    expect([403, 404]).toContain(await by(own, account));
  });

  it('a configuration is who may install, whatever the status of the installation', async () => {
    const own = await newOrganization(admin);
    const pending = await install(admin, name, own);
    expect(pending.status).toBe('pending');
    const context = { type: 'configuration_account', organizationId: own };
    const { status, body } = await render('event', { context });
    expect([status, body.props.status, body.props.installationId, body.props.spaceId]).toEqual([
      200,
      'pending',
      pending.id,
      undefined,
    ]);
    const member = await newUser(admin, { organization: own, role: 'edit' });
    expect((await render('event', { context }, member.client)).status).toBe(403);
    expect((await render('event', { context }, (await newUser(admin)).client)).status).toBe(404);
  });

  it('the configuration of a space or site is who may install there', async () => {
    const site = (await newSite(organization)).id;
    const member = await newUser(admin, { organization, role: 'edit' });
    for (const [context, field] of [
      [{ type: 'configuration_space', spaceId: space }, 'spaceId'],
      [{ type: 'configuration_site', siteId: site }, 'siteId'],
    ] as const) {
      const { status, body } = await render('event', { context });
      expect([status, body.props[field]]).toEqual([200, Object.values(context)[1]]);
      expect((await render('event', { context }, member.client)).status).toBe(403);
    }
    const source = { type: 'configuration_contentsource', organizationId: organization, spaceId: space };
    expect((await render('shown', { context: source })).status).toBe(200);
    const foreign = await newSpace(admin, await newOrganization(admin));
    expect((await render('shown', { context: { ...source, spaceId: foreign } })).status).toBe(404);
  });

  it('is somebody with a token', async () => {
    const { status } = await admin.post(`/v1/integrations/${name}/render`, bodyOf('shown'), { token: null });
    expect(status).toBe(401);
  });
});

describe('a request that is refused', () => {
  it.each([
    [{ componentId: '' }, 'componentId'],
    [{ props: undefined }, 'props'],
    [{ props: [] }, 'props'],
    [{ state: 1 }, 'state'],
    [{ action: {} }, 'action.action'],
    [{ context: undefined }, 'context'],
    [{ context: { type: 'page' } }, 'context.type'],
    [{ context: { type: 'document', editable: false } }, 'context.spaceId'],
    [{ context: { type: 'document', spaceId: 'a', editable: 'no' } }, 'context.editable'],
    [{ context: { type: 'configuration_site' } }, 'context.siteId'],
  ])('%j names what is wrong, in both forms', async (wrong, field) => {
    const body = bodyOf('shown', wrong);
    const posted = await admin.post(`/v1/integrations/${name}/render`, body);
    expect([posted.status, posted.body.error.message]).toEqual([400, expect.stringContaining(field)]);
    const got = await renderByGet(compressed(body));
    expect([got.status, got.body.error.message]).toEqual([400, expect.stringMatching(`^request: .*${field}`)]);
  });

  it.each([
    ['nothing', '', /^request: /],
    ['no compressed text', '%00%FF!!', /^request: must be JSON, compressed/],
    ['a text that is cut', compressed(JSON.stringify({ componentId: 'shown' })).slice(0, 9), /^request: /],
    ['no JSON', compressed('hello'), /^request: not JSON/],
    ['deep JSON', compressed(`${'['.repeat(3000)}${']'.repeat(3000)}`), /^request: nested more than 500 levels deep/],
    ['many values', compressed(`[${'1,'.repeat(20_000)}1]`), /^request: more than 10000 values/],
    ['a bomb', compressed(JSON.stringify('x'.repeat(1_000_000))), /^request: more than 262144 bytes/],
    ['a long text', 'x'.repeat(4097), /^request: at most 4096 characters/],
  ])('as %s by GET is a 400', async (_, request, message) => {
    const { status, body } = await renderByGet(request);
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(message)]);
  });

  it('is a 413 when it is large', async () => {
    expect((await render('shown', { props: { text: 'x'.repeat(300_000) } })).status).toBe(413);
  });

  it('is a 404 for an integration that does not exist, and for one that is private to others', async () => {
    expect((await render('shown', {}, admin, 'no-such-integration')).status).toBe(404);
    const hidden = await publish(admin, await newOrganization(admin), renderingScript, { visibility: 'private' });
    const stranger = await newUser(admin, { organization, role: 'admin' });
    expect((await render('shown', {}, stranger.client, hidden)).status).toBe(404);
  });
});
