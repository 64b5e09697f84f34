import { eventually } from '../../shared/testing/eventually.js';
import { type NewUser, newOrganization, newUser, shared, signedInTo, unique } from '../support/fixtures.js';
import {
  at,
  freeName,
  fullManifest,
  manifestOf,
  namesIn,
  pixel,
  published,
  sampleScript,
} from '../support/integrations.js';
import type { Client } from '../support/server.js';

const admin = shared();
let organization: string;
let publisher: NewUser;
beforeAll(async () => {
  organization = await newOrganization(admin);
  publisher = await newUser(admin, { organization, role: 'create' });
});

const get = async (client: Client, name: string) => {
  const { status, body } = await client.get(at(name));
  return status === 200 ? body : status;
};
describe('publishing', () => {
  it('makes an integration with defaults for everything unset', async () => {
    const name = freeName();
    const { status, body } = await publisher.client.post(at(name), manifestOf(organization));
    expect([status, body]).toEqual([
      200,
      {
        object: 'integration',
        name,
        version: 1,
        title: 'Hello',
        description: 'Says hello.',
        previewImages: [],
        target: 'all',
        verified: false,
        visibility: 'private',
        scopes: [],
        categories: [],
        blocks: [],
        contentSources: [],
        configurations: {},
        externalLinks: [],
        owner: (await publisher.client.get(`/v1/orgs/${organization}`)).body,
        urls: {
          location: admin.url + at(name),
          app: `${admin.url}/app/integrations/${name}`,
          assets: `${admin.url}/app/integrations/${name}/assets`,
          publicEndpoint: `${admin.url}/~integrations/v1/integrations/${name}`,
          publicContentEndpoint: `${admin.url}/~integrations/v1/integrations/${name}`,
        },
        permissions: { admin: true, install: true },
      },
    ]);
    expect(await get(publisher.client, name)).toEqual(body);
  });

  it('keeps all that a manifest declares, and never shows the secrets', async () => {
    const name = freeName();
    const { body } = await publisher.client.post(at(name), manifestOf(organization, fullManifest));
    const { icon: _, previewImages, secrets: __, scopes, ...declared } = fullManifest;
    expect(body).toMatchObject({ ...declared, scopes: scopes.slice(0, 2) });
    expect(body.previewImages).toHaveLength(previewImages.length);
    const { items } = (await admin.get(`/v1/orgs/${organization}/audit-events?limit=1000`)).body;
    const record = items.find(({ resource }: any) => resource.id === name);
    expect(record).toMatchObject({ operation: 'publishIntegration', details: { version: 1, visibility: 'public' } });
    const all = JSON.stringify([body, await get(admin, name), items]);
    expect(all).not.toMatch(/nobody sees this|secrets|formData/);
  });

  it('serves its images to everybody who has their URL', async () => {
    const name = freeName();
    const { body } = await publisher.client.post(at(name), manifestOf(organization, fullManifest));
    const served = async (url: string) => {
      const answer = await fetch(url);
      return [
        answer.status,
        answer.headers.get('content-type'),
        Buffer.from(await answer.arrayBuffer()).toString('base64'),
      ];
    };
    expect(await served(body.urls.icon)).toEqual([200, 'image/png', pixel.png]);
    const types = ['image/jpeg', 'image/gif', 'image/webp'];
    for (const [index, url] of body.previewImages.entries())
      expect(await served(url)).toEqual([200, types[index], fullManifest.previewImages[index]]);
    expect((await fetch(body.urls.icon.replace(/skip=\d+/, 'skip=1'))).status).toBe(404);
  });

  it('again makes a new version of all but its development mode', async () => {
    const name = await published(publisher.client, organization, fullManifest);
    const tunnel = { tunnelUrl: 'https://tunnel.example.com' };
    expect((await publisher.client.put(`${at(name)}/dev`, tunnel)).status).toBe(204);
    const { body } = await publisher.client.post(at(name), manifestOf(organization, { title: 'Bye' }));
    expect(body).toMatchObject({ version: 2, title: 'Bye', visibility: 'private', blocks: [], configurations: {} });
    for (const field of ['summary', 'contentSecurityPolicy']) expect(body).not.toHaveProperty(field);
    expect(body.urls).not.toHaveProperty('icon');
    expect(await namesIn(admin, `blocks=true&owner=${organization}`)).not.toContain(name);
    expect((await publisher.client.delete(`${at(name)}/dev`)).status).toBe(205);
    expect((await publisher.client.delete(`${at(name)}/dev`)).status).toBe(404);
  });

  it('at once gives each publisher a version of its own', async () => {
    const name = freeName();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        publisher.client.post(at(name), manifestOf(organization, { title: `Title ${index}` })),
      ),
    );
    expect(answers.map(({ body }) => body.version).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    const last = answers.find(({ body }) => body.version === 6);
    expect(await get(publisher.client, name)).toEqual(last?.body);
  });

  it('takes the host name of the organization for its id', async () => {
    const hostname = unique('h').replace(/\W/g, '-').slice(-30);
    await admin.patch(`/v1/orgs/${organization}`, { hostname });
    for (const named of [hostname, hostname.toUpperCase()]) {
      const { body } = await publisher.client.post(at(freeName()), manifestOf(named));
      expect(body.owner?.id ?? body).toBe(organization);
    }
  });

  it('is for members with the role `create`', async () => {
    const name = await published(publisher.client, organization);
    const stranger = await newUser(admin);
    await newOrganization(stranger.client);
    for (const [role, expected] of [
      ['edit', 403],
      ['read', 403],
      [null, 403],
    ] as const) {
      const { client } = await newUser(admin, { organization, role });
      const { status, body } = await client.post(at(name), manifestOf(organization));
      expect([status, body.error.message]).toEqual([expected, expect.stringContaining('role "create"')]);
    }
    const outside = [manifestOf(organization), manifestOf('unknown'), manifestOf('__proto__')];
    for (const manifest of outside) {
      const { status, body } = await stranger.client.post(at(name), manifest);
      expect([status, body.error.message]).toEqual([404, 'Organization not found']);
    }
    expect((await get(publisher.client, name)).version).toBe(1);
  });

  it('refuses a name of another organization, even to its members', async () => {
    const name = await published(publisher.client, organization, { visibility: 'public' });
    const other = await newOrganization(publisher.client);
    const { status, body } = await publisher.client.post(at(name), manifestOf(other));
    expect([status, body.error.message]).toEqual([403, expect.stringContaining('name')]);
    expect(await get(publisher.client, name)).toMatchObject({ version: 1, owner: { id: organization } });
  });

  it('takes everything at its largest', async () => {
    const padded = (base64: string, bytes: number) => {
      const image = Buffer.from(base64, 'base64');
      return Buffer.concat([image, Buffer.alloc(bytes - image.length)]).toString('base64');
    };
    const manifest = manifestOf(organization, {
      icon: padded(pixel.png, 250_000),
      previewImages: [pixel.jpg, pixel.gif, pixel.webp].map((image) => padded(image, 1_000_000)),
      script: `${sampleScript}//${'x'.repeat(2_000_000)}`,
      secrets: Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`a.$${index}`, 'x'.repeat(20_000)])),
      blocks: [{ id: 'b', title: 'Block', icon: 'x'.repeat(350_000) }],
    });
    const { status, body } = await publisher.client.post(at(freeName()), manifest);
    expect([status, body.version]).toEqual([200, 1]);
    expect((await (await fetch(body.previewImages[0])).arrayBuffer()).byteLength).toBe(1_000_000);
  });
});

describe('an integration', () => {
  it('that is private is seen by members alone; others are seen by everybody', async () => {
    const member = await newUser(admin, { organization, role: 'read' });
    const guest = await newUser(admin, { organization, role: null });
    const stranger = await newUser(admin);
    const seen = async (visibility: string) => {
      const name = await published(publisher.client, organization, { visibility });
      return Promise.all(
        [publisher, member, guest, stranger].map(async ({ client }) => {
          const found = await get(client, name);
          return typeof found === 'number' ? found : found.permissions.admin;
        }),
      );
    };
    expect(await seen('private')).toEqual([true, false, 404, 404]);
    expect(await seen('unlisted')).toEqual([true, false, false, false]);
    expect(await seen('public')).toEqual([true, false, false, false]);
  });

  it('tells strangers the name of its owner, and nothing of how the owner works', async () => {
    const domain = `${freeName('d')}.example`;
    await admin.patch(`/v1/orgs/${organization}`, { emailDomains: [domain], defaultRole: 'edit' });
    const name = await published(publisher.client, organization, { visibility: 'public' });
    const stranger = await newUser(admin);
    const { owner, permissions } = await get(stranger.client, name);
    expect(owner).toMatchObject({ id: organization, emailDomains: [], inviteLinks: false });
    for (const field of ['defaultRole', 'sso', 'ai', 'useCase', 'defaultContent'])
      expect(owner).not.toHaveProperty(field);
    expect(Object.values(owner.permissions)).not.toContain(true);
    expect(permissions).toEqual({ admin: false, install: false });
    const [listed] = (await stranger.client.get(`/v1/integrations?search=${name}`)).body.items;
    expect(listed.owner).toEqual(owner);
    await newOrganization(stranger.client);
    expect((await get(stranger.client, name)).permissions).toEqual({ admin: false, install: true });
  });

  it('is nothing to a token that is limited to another organization', async () => {
    const name = await published(admin, organization);
    const other = await newOrganization(publisher.client);
    const { client } = await signedInTo(other, publisher);
    expect(await get(client, name)).toBe(404);
    expect((await client.post(at(name), manifestOf(organization))).status).toBe(404);
  });

  it('that was unpublished is gone, and its name is free for others', async () => {
    const name = await published(publisher.client, organization, { ...fullManifest, secrets: { KEY: 'old' } });
    const { urls } = await get(publisher.client, name);
    const stranger = await newUser(admin);
    expect((await stranger.client.delete(at(name))).status).toBe(403);
    expect((await publisher.client.delete(at(name))).status).toBe(204);
    expect((await publisher.client.delete(at(name))).status).toBe(404);
    expect([await get(publisher.client, name), await namesIn(admin, `search=${name}`)]).toEqual([404, []]);
    await eventually(
      'the end of the icon',
      async () => (await fetch(urls.icon)).status,
      (status) => status === 404,
    );
    const other = await newOrganization(stranger.client);
    const { body } = await stranger.client.post(at(name), manifestOf(other));
    expect(body).toMatchObject({ version: 1, owner: { id: other }, visibility: 'private' });
    expect(await get(publisher.client, name)).toBe(404);
  });
});
