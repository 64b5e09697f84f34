import { configurations } from '../../services/integrations/installations/model.js';
import { auditEvents } from '../support/audit.js';
import { joined, type NewUser, newOrganization, newUser, shared, withStore } from '../support/fixtures.js';
import { configurable, idIn, install, installationsOf, publish, queuedFor } from '../support/installing.js';
import { done } from '../support/requests/setting.js';

const admin = shared();
let organization: string;
let other: string;
let creator: NewUser;
beforeAll(async () => {
  [organization, other] = [await newOrganization(admin), await newOrganization(admin)];
  creator = await newUser(admin, { organization, role: 'create' });
});

const publicOne = (manifest: Record<string, unknown> = {}) =>
  publish(admin, { organization: other, visibility: 'public', ...manifest });
const get = async (path: string) => done(admin.get(path));
const audited = async (resource: string, count: number) =>
  (await auditEvents(admin, organization, `resource=${resource}&order=asc`, count)).map(({ operation, details }) => [
    operation,
    details,
  ]);

describe('an integration', () => {
  it('is installed in an organization, by whoever may do so, and told so', async () => {
    const name = await publicOne();
    const { status, headers, body } = await creator.client.post(installationsOf(name), { organization });
    const path = `/integrations/${name}/installations/${body.id}`;
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        status: 'active',
        space_selection: 'selected',
        site_selection: 'selected',
        spaces: 0,
        configuration: {},
        createdAt: expect.any(String),
        updatedAt: body.createdAt,
        urls: {
          location: `${admin.url}/v1${path}`,
          app: `${admin.url}/app/o/${organization}${path}`,
          publicEndpoint: `${admin.url}/~integrations/v1${path}`,
          publicContentEndpoint: `${admin.url}/~integrations/v1${path}`,
        },
        externalIds: [],
        target: { organization },
      },
    ]);
    expect(headers.get('location')).toBe(body.urls.location);
    expect(await get(`/v1${path}`)).toEqual(body);
    expect(await queuedFor(path)).toEqual([{ type: 'installation_setup', installationId: body.id, status: 'active' }]);
  });

  it('is installed once in each organization', async () => {
    const name = await publicOne();
    await install(admin, name, { organization });
    const again = await admin.post(installationsOf(name), { organization });
    expect([again.status, again.body.error.message]).toEqual([
      409,
      'This integration is installed in this organization already',
    ]);
    await install(admin, name, { organization: other });
    const tries = await Promise.all(
      [1, 2, 3].map(async () => {
        const fresh = await newOrganization(admin);
        const answers = await Promise.all(
          [1, 2, 3].map(() => admin.post(installationsOf(name), { organization: fresh })),
        );
        return answers.map(({ status }) => status).sort();
      }),
    );
    for (const statuses of tries) expect(statuses).toEqual([201, 409, 409]);
  });

  it('begins with the defaults of its configuration, and waits for what it requires', async () => {
    const name = await publicOne({ configurations: { account: configurable } });
    const path = await install(admin, name, { organization });
    expect(await get(path)).toMatchObject({
      status: 'pending',
      configuration: { region: 'eu', limit: 3, loud: false },
    });
    const before = { region: 'eu', limit: 3, loud: false };
    const given = { key: 'k', region: 'us', extra: { any: ['thing'] } };
    const updated = await done(admin.patch(path, { configuration: given }));
    expect(updated).toMatchObject({ status: 'active', configuration: given });
    expect(await done(admin.patch(path, { configuration: { key: null } }))).toMatchObject({ status: 'pending' });
    expect(await queuedFor(path)).toEqual([
      { type: 'installation_setup', installationId: idIn(path), status: 'pending' },
      {
        type: 'installation_setup',
        installationId: idIn(path),
        status: 'active',
        previous: { status: 'pending', configuration: before },
      },
      {
        type: 'installation_setup',
        installationId: idIn(path),
        status: 'pending',
        previous: { status: 'active', configuration: given },
      },
    ]);
  });

  it('takes a configuration with it when it is installed', async () => {
    const name = await publicOne({ configurations: { account: configurable } });
    const body = { organization, configuration: { key: 'k' }, space_selection: 'all', site_selection: 'all' };
    const { configuration, ...shown } = await get(await install(admin, name, body));
    expect(configuration).toEqual({ key: 'k' });
    expect(shown).toMatchObject({ status: 'active', space_selection: 'all', site_selection: 'all' });
  });

  it('with a component for its configuration waits until something is configured', async () => {
    const name = await publicOne({ configurations: { account: { componentId: 'configure' } } });
    const path = await install(admin, name, { organization });
    expect((await get(path)).status).toBe('pending');
    expect((await done(admin.patch(path, { configuration: { step: 1 } }))).status).toBe('active');
    expect((await done(admin.patch(path, { configuration: {} }))).status).toBe('pending');
  });

  it('keeps configurations where nobody reads them', async () => {
    const name = await publicOne();
    const secret = 'a key of another product';
    const path = await install(admin, name, { organization, configuration: { secret } });
    const stored = await withStore([configurations], async (store) => store.get(configurations, idIn(path)));
    expect(stored?.sealed).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(JSON.stringify(await audited(idIn(path), 1))).not.toContain(secret);
  });
});

describe('an update of an installation', () => {
  it('changes what it names, and nothing is told where nothing differs', async () => {
    const name = await publicOne();
    const path = await install(admin, name, { organization, configuration: { a: 1 } });
    const before = await get(path);
    for (const nothing of [{}, { configuration: { a: 1 } }, { externalIds: [] }, { space_selection: 'selected' }])
      expect(await done(admin.patch(path, nothing))).toEqual(before);
    expect(await queuedFor(path)).toHaveLength(1);
    const updated = await done(admin.patch(path, { externalIds: ['x', 'y'], site_selection: 'all' }));
    const changed = { externalIds: ['x', 'y'], site_selection: 'all', updatedAt: expect.any(String) };
    expect(updated).toEqual({ ...before, ...changed });
    expect(await queuedFor(path)).toHaveLength(2);
    expect(await get(path)).toEqual(updated);
  });

  it('loses nothing of another one at the same time', async () => {
    const name = await publicOne();
    const path = await install(admin, name, { organization });
    const bodies = [
      { configuration: { a: 1 } },
      { externalIds: ['x'] },
      { space_selection: 'all' },
      { site_selection: 'all' },
    ];
    for (const { status } of await Promise.all(bodies.map((body) => admin.patch(path, body)))) expect(status).toBe(200);
    expect(await get(path)).toMatchObject(Object.assign({}, ...bodies));
    expect(await queuedFor(path)).toHaveLength(5);
  });

  it('opens all spaces for an admin alone, who may read all of them', async () => {
    const name = await publicOne();
    const path = await install(creator.client, name, { organization });
    const all = { space_selection: 'all' };
    for (const refused of [
      await creator.client.patch(path, all),
      await creator.client.post(installationsOf(await publicOne()), { organization, ...all }),
    ])
      expect([refused.status, refused.body.error.message]).toEqual([
        403,
        expect.stringMatching(/^space_selection: .*"admin"/),
      ]);
    await done(admin.patch(path, all));
    for (const selection of [{ ...all, site_selection: 'all' }, { space_selection: 'selected' }])
      expect((await creator.client.patch(path, selection)).status).toBe(403);
  });

  it('is written to the audit trail without what it holds', async () => {
    const path = await install(admin, await publicOne(), { organization });
    await done(admin.patch(path, { configuration: { key: 'secret' }, externalIds: ['x'] }));
    await done(admin.delete(path));
    const integration = path.split('/')[3];
    expect(await audited(idIn(path), 3)).toEqual([
      ['installIntegration', { integration, status: 'active' }],
      ['updateIntegrationInstallation', { externalIds: ['x'], configured: true }],
      ['uninstallIntegration', { integration }],
    ]);
  });
});

describe('a member of the organization', () => {
  it('sees that an integration is installed, but not its configuration', async () => {
    const path = await install(admin, await publicOne(), { organization });
    const reader = await newUser(admin, { organization, role: 'review' });
    expect((await reader.client.get(path)).status).toBe(403);
    expect((await reader.client.delete(path)).status).toBe(403);
    const guest = await newUser(admin, { organization, role: null });
    expect((await guest.client.get(path)).status).toBe(404);
    const stranger = await newUser(admin);
    expect((await stranger.client.get(path)).status).toBe(404);
    await joined(admin, stranger, { organization, role: 'create' });
    expect((await stranger.client.get(path)).status).toBe(200);
  });
});
