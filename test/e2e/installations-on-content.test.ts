import { eventually } from '../../shared/testing/eventually.js';
import { type NewUser, newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { configurable, idIn, install, installationsOf, publish, queuedFor } from '../support/installing.js';
import { done } from '../support/requests/setting.js';
import { newSite } from '../support/site.js';

const admin = shared();
let organization: string;
let other: string;
let creator: NewUser;
let space: string;
beforeAll(async () => {
  [organization, other] = [await newOrganization(admin), await newOrganization(admin)];
  creator = await newUser(admin, { organization, role: 'create' });
  space = await newSpace(admin, organization);
});

const publicOne = (manifest: Record<string, unknown> = {}) =>
  publish(admin, { organization: other, visibility: 'public', ...manifest });
const get = async (path: string) => done(admin.get(path));

describe('an integration on spaces and sites', () => {
  it('is installed where its user may do that, and told so', async () => {
    const name = await publicOne({ configurations: { space: configurable } });
    const path = await install(admin, name, { organization });
    const { status, headers, body } = await creator.client.post(`${path}/spaces`, { space });
    const location = `${path}/spaces/${space}`;
    const publicEndpoint = `${admin.url}/~integrations${location}`;
    expect([status, body]).toEqual([
      201,
      {
        integration: name,
        installation: idIn(path),
        status: 'pending',
        configuration: { region: 'eu', limit: 3, loud: false },
        externalIds: [],
        urls: { location: `${admin.url}${location}`, publicEndpoint, publicContentEndpoint: publicEndpoint },
        space,
      },
    ]);
    expect(headers.get('location')).toBe(body.urls.location);
    expect(await get(location)).toEqual(body);
    expect(await get(path)).toMatchObject({ spaces: 1 });
    const again = await admin.post(`${path}/spaces`, { space });
    expect([again.status, again.body.error.message]).toEqual([
      409,
      'This integration is installed on this space already',
    ]);
    const updated = await done(creator.client.patch(location, { configuration: { key: 'k' }, externalIds: ['x'] }));
    expect(updated).toEqual({ ...body, status: 'active', configuration: { key: 'k' }, externalIds: ['x'] });
    expect((await creator.client.delete(location)).status).toBe(205);
    expect((await admin.delete(location)).status).toBe(404);
    expect(await get(path)).toMatchObject({ spaces: 0 });
    const about = { installationId: idIn(path), spaceId: space };
    const configuration = { region: 'eu', limit: 3, loud: false };
    expect((await queuedFor(path)).slice(1)).toEqual([
      { type: 'space_installation_setup', ...about, status: 'pending' },
      { type: 'space_installation_setup', ...about, status: 'active', previous: { status: 'pending', configuration } },
      { type: 'space_installation_deleted', ...about, previous: { status: 'active', configuration: { key: 'k' } } },
    ]);
  });

  it('is installed on a site as on a space', async () => {
    const name = await publicOne({ configurations: { site: configurable } });
    const path = await install(admin, name, { organization });
    const { id } = await newSite(organization);
    const { status, body } = await creator.client.post(`${path}/sites`, { siteId: id });
    expect([status, body]).toEqual([201, expect.objectContaining({ site: id, status: 'pending' })]);
    const location = `${path}/sites/${id}`;
    expect(await done(admin.patch(location, { configuration: { key: 'k' } }))).toMatchObject({ status: 'active' });
    expect(await get(path)).toMatchObject({ spaces: 0 });
    expect((await admin.delete(location)).status).toBe(205);
    expect((await queuedFor(path)).map(({ type, siteId }) => [type, siteId]).slice(1)).toEqual([
      ['site_installation_setup', id],
      ['site_installation_setup', id],
      ['site_installation_deleted', id],
    ]);
  });

  it('shows the whole space or site on demand, to those who see it', async () => {
    const path = await install(admin, await publicOne(), { organization });
    const { id } = await newSite(organization);
    const made = await done(admin.post(`${path}/spaces?extended=true`, { space }));
    expect(made.space).toMatchObject({ object: 'space', id: space, title: 'A space', permissions: { view: true } });
    expect((await get(`${path}/spaces/${space}?extended=true`)).space).toEqual(made.space);
    const site = await done(admin.post(`${path}/sites?extended=true`, { siteId: id }));
    expect(site.site).toEqual(await get(`/v1/orgs/${organization}/sites/${id}`));
    const hidden = await newSpace(admin, organization);
    await done(admin.patch(`/v1/spaces/${hidden}`, { defaultLevel: null }));
    await done(admin.post(`${path}/spaces`, { space: hidden }));
    const shown = (await done(creator.client.get(`${path}/spaces?extended=true`))).items;
    expect(shown.map((each: any) => each.space.id ?? each.space)).toEqual([hidden, space]);
    expect(shown[0].space).toBe(hidden);
    expect(shown[1].space.title).toBe('A space');
  });

  it('is gone with them', async () => {
    const path = await install(admin, await publicOne(), { organization });
    const { id } = await newSite(organization);
    await done(admin.post(`${path}/sites`, { siteId: id }));
    await done(admin.delete(`/v1/orgs/${organization}/sites/${id}`));
    await eventually(
      'the end of the installation on the site',
      () => admin.get(`${path}/sites/${id}`),
      ({ status }) => status === 404,
    );
    expect((await queuedFor(path)).map(({ type }) => type)).toEqual([
      'installation_setup',
      'site_installation_setup',
      'site_installation_deleted',
    ]);
  });
});

describe('uninstalling', () => {
  it('removes it from spaces and sites first, and tells all of it in order', async () => {
    const name = await publicOne();
    const path = await install(admin, name, { organization, configuration: { key: 'k' } });
    const { id } = await newSite(organization);
    await done(admin.post(`${path}/spaces`, { space }));
    await done(admin.post(`${path}/sites`, { siteId: id }));
    expect((await creator.client.delete(path)).status).toBe(205);
    for (const gone of [path, `${path}/spaces`, `${path}/spaces/${space}`, `${path}/sites/${id}`])
      expect((await admin.get(gone)).status).toBe(404);
    expect((await admin.delete(path)).status).toBe(404);
    // Those that still waited when it was uninstalled are dropped.
    const told = (await queuedFor(path)).filter(({ type }) => type.endsWith('_deleted'));
    expect(
      told
        .slice(0, 2)
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['site_installation_deleted', 'space_installation_deleted']);
    expect(told.slice(2)).toEqual([
      {
        type: 'installation_deleted',
        installationId: idIn(path),
        previous: { status: 'active', configuration: { key: 'k' } },
      },
    ]);
    await install(admin, name, { organization });
  });

  it('of what is on many spaces is told to the end', async () => {
    const path = await install(admin, await publicOne(), { organization: other, space_selection: 'selected' });
    const spaces: string[] = [];
    for (let made = 0; made < 120; made += 20)
      spaces.push(...(await Promise.all(Array.from({ length: 20 }, () => newSpace(admin, other)))));
    for (const each of spaces) await done(admin.post(`${path}/spaces`, { space: each }));
    expect(await get(path)).toMatchObject({ spaces: 120 });
    expect((await admin.delete(path)).status).toBe(205);
    expect((await admin.get(path)).status).toBe(404);
    // Those that still waited when it was uninstalled are dropped.
    const ends = async () => (await queuedFor(path)).filter(({ type }) => type.endsWith('_deleted'));
    const told = await eventually('all ends', ends, ({ length }) => length >= 121);
    const gone = told.slice(0, 120).map(({ type, spaceId }) => [type, spaceId]);
    expect(gone).toEqual(expect.arrayContaining(spaces.map((each) => ['space_installation_deleted', each])));
    expect(told.slice(120).map(({ type }) => type)).toEqual(['installation_deleted']);
  });

  it('and unpublishing leave nothing to a name that is used again', async () => {
    const name = await publish(admin, { organization, visibility: 'public' });
    const path = await install(admin, name, { organization: other });
    await done(admin.delete(`/v1/integrations/${name}`));
    expect((await admin.get(path)).status).toBe(404);
    await publish(admin, { name, organization: other, visibility: 'public' });
    expect((await admin.get(path)).status).toBe(404);
    expect((await done(admin.get(installationsOf(name)))).items).toEqual([]);
    await install(admin, name, { organization: other });
  });
});
