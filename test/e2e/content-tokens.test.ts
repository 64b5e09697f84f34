import { SignJWT } from 'jose';
import { eventually } from '../../shared/testing/eventually.js';
import { untilItsEnd } from '../support/expiry.js';
import { newOrganization, newUser, shared } from '../support/fixtures.js';
import type { Client } from '../support/server.js';
import { newSite, newSpaces, type Site } from '../support/site.js';

/** Content tokens live for up to an hour: what they were given out for may be gone long before. */
const admin = shared();
const plan = "visitor.claims.unsigned.plan == 'pro'";

let organization: string;
let a: string;
let b: string;
beforeAll(async () => {
  organization = await newOrganization(admin);
  [a = '', b = ''] = await newSpaces(organization, 'a', 'b');
});

interface Visitor {
  jwtToken?: string;
  unsignedClaims?: Record<string, unknown>;
}

/** Published, showing `a` and then `b`. */
async function publishedSite(changes: Record<string, unknown> = {}) {
  const site = await newSite(organization, { spaces: [a, b] });
  if (Object.keys(changes).length > 0) await site.ok('PATCH', '', changes);
  const { urls } = await site.ok('POST', '/publish');
  const [first, second] = (await site.ok('GET', '/site-spaces')).items;
  return { site, url: urls.published as string, first, second };
}

async function visit(url: string, visitor: Visitor = {}, client = admin, token: string | null = null): Promise<any> {
  const { status, body } = await client.post('/v1/urls/published', { url, visitor }, { token });
  if (status !== 200 || !body.apiToken) throw new Error(`${url}: ${status} ${JSON.stringify(body)}`);
  return body;
}

const jwt = async (site: Site, claims: Record<string, unknown> = {}, expires: number | string = '1h') => {
  const { privateKey } = await site.ok('GET', '/publishing/auth');
  const unsigned = new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setExpirationTime(expires);
  return unsigned.sign(Buffer.from(privateKey));
};

const read = async (token: string, space = a): Promise<number> =>
  (await admin.get(`/v1/spaces/${space}`, { token })).status;

/** Of a token that was in use: what is known of it is kept for a moment. */
async function becomes(expected: number, ask: () => Promise<number>, change: () => Promise<unknown>): Promise<void> {
  expect(await ask()).not.toBe(expected);
  await change();
  await eventually(`the answer ${expected}`, ask, (status) => status === expected);
}

describe('two lookups', () => {
  /** Not across the turn of a window. */
  async function inOneWindow<T>(look: () => Promise<T>): Promise<T> {
    for (;;) {
      const window = Math.floor(Date.now() / 1_800_000);
      const seen = await look();
      if (Math.floor(Date.now() / 1_800_000) === window) return seen;
    }
  }

  it('of one visitor give the same token, for whichever page and in whichever order its claims come', async () => {
    const { url } = await publishedSite();
    const tokens = await inOneWindow(async () => [
      (await visit(url, { unsignedClaims: { x: 1, y: { z: 2, w: 3 } } })).apiToken,
      (await visit(`${url}some/page`, { unsignedClaims: { y: { w: 3, z: 2 }, x: 1 } })).apiToken,
    ]);
    expect(tokens[0]).toBe(tokens[1]);
  });

  it('with a JWT and without one never share a token', async () => {
    const { site, url } = await publishedSite();
    const jwtToken = await jwt(site);
    const [known, again, anonymous] = await inOneWindow(async () => [
      await visit(url, { jwtToken }),
      await visit(url, { jwtToken: await jwt(site) }),
      await visit(url),
    ]);
    expect(known.apiToken).toBe(again.apiToken);
    expect(known.apiToken).not.toBe(anonymous.apiToken);
  });
});

describe('a content token ends', () => {
  it.concurrent('with the publication of its site, and is good again with it', async () => {
    const { site, url } = await publishedSite();
    const { apiToken } = await visit(url);
    await becomes(
      401,
      () => read(apiToken),
      () => site.ok('POST', '/unpublish'),
    );
    const { body } = await admin.get(`/v1/spaces/${a}`, { token: apiToken });
    expect(body.error.message).toBe('The content token is no longer valid: this visitor has no access any more');
    await becomes(
      200,
      () => read(apiToken),
      () => site.ok('POST', '/publish'),
    );
  });

  it.concurrent('with its site', async () => {
    const { site, url } = await publishedSite();
    const { apiToken } = await visit(url);
    await becomes(
      401,
      () => read(apiToken),
      () => site.send('DELETE', ''),
    );
  });

  it.concurrent('with its share link, switched off or deleted', async () => {
    const { site } = await publishedSite({ visibility: 'share-link' });
    const link = await site.ok('POST', '/share-links', { name: 'Partners' });
    const { apiToken } = await visit(link.urls.published);
    const ask = () => read(apiToken);
    await becomes(401, ask, () => site.ok('PATCH', `/share-links/${link.id}`, { active: false }));
    await becomes(200, ask, () => site.ok('PATCH', `/share-links/${link.id}`, { active: true }));
    await becomes(401, ask, () => site.send('DELETE', `/share-links/${link.id}`));
  });

  it.concurrent('with a visibility that does not admit its visitor', async () => {
    const { site, url } = await publishedSite();
    const link = await site.ok('POST', '/share-links', { name: 'Partners' });
    const anonymous = (await visit(url)).apiToken;
    const sharing = (await visit(link.urls.published)).apiToken;
    const known = (await visit(url, { jwtToken: await jwt(site) })).apiToken;
    const open = async () => [await read(anonymous), await read(sharing), await read(known)];
    const becomesOpen = async (expected: number[], visibility: string) => {
      await site.ok('PATCH', '', { visibility });
      await eventually(`the answers ${expected}`, open, (now) => now.join() === expected.join());
    };
    expect(await open()).toEqual([200, 200, 200]);
    await becomesOpen([401, 200, 401], 'share-link');
    await becomesOpen([401, 401, 200], 'visitor-auth');
    await becomesOpen([200, 200, 200], 'unlisted');
  });

  it.concurrent('with the private key that signed the JWT of its visitor, and no other does', async () => {
    const { site, url } = await publishedSite();
    const known = (await visit(url, { jwtToken: await jwt(site, { plan: 'pro' }) })).apiToken;
    const anonymous = (await visit(url)).apiToken;
    await becomes(
      401,
      () => read(known),
      () => site.ok('POST', '/publishing/auth/regenerate'),
    );
    expect(await read(anonymous)).toBe(200);
  });

  it.concurrent('with the JWT of its visitor', async () => {
    const { site, url } = await publishedSite({ visibility: 'visitor-auth' });
    const { status } = await untilItsEnd(
      async (end) => (await visit(url, { jwtToken: await jwt(site, {}, end.getTime() / 1000) })).apiToken,
      (token) => read(token),
    );
    expect(status).toBe(401);
  });

  it.concurrent('with its site space, removed, hidden or showing another space', async () => {
    for (const change of [
      (site: Site, id: string) => site.send('DELETE', `/site-spaces/${id}`),
      (site: Site, id: string) => site.ok('PATCH', `/site-spaces/${id}`, { condition: plan }),
      (site: Site, id: string) => site.ok('PATCH', `/site-spaces/${id}`, { spaceId: b }),
    ]) {
      const { site, url, first } = await publishedSite();
      const { apiToken } = await visit(url);
      await becomes(
        401,
        () => read(apiToken),
        () => change(site, first.id),
      );
    }
  });

  it.concurrent('with its section', async () => {
    const site = await newSite(organization);
    await site.section(a, 'AA');
    const section = await site.section(b, 'BB');
    await site.ok('POST', '/publish');
    const [, shown] = await site.structure().then(({ structure }) => structure);
    const { apiToken, space } = await visit(shown.urls.published);
    expect(space).toBe(b);
    await becomes(
      401,
      () => read(apiToken, b),
      () => site.send('DELETE', `/sections/${section.id}`),
    );
  });
});

describe('a content token reads within a second', () => {
  it.concurrent('no space that is in the trash', async () => {
    const [space = ''] = await newSpaces(organization, 'trashed');
    const site = await newSite(organization, { spaces: [a, space] });
    const { urls } = await site.ok('POST', '/publish');
    const { apiToken } = await visit(urls.published);
    const ask = () => read(apiToken, space);
    await becomes(404, ask, () => admin.delete(`/v1/spaces/${space}`));
    expect(await read(apiToken)).toBe(200);
  });

  it.concurrent('no space that was taken off the site, or hidden from its visitor, and the others still', async () => {
    for (const change of [
      (site: Site, id: string) => site.send('DELETE', `/site-spaces/${id}`),
      (site: Site, id: string) => site.ok('PATCH', `/site-spaces/${id}`, { condition: plan }),
    ]) {
      const { site, url, second } = await publishedSite();
      const { apiToken } = await visit(url);
      await becomes(
        404,
        () => read(apiToken, b),
        () => change(site, second.id),
      );
      expect(await read(apiToken)).toBe(200);
    }
  });

  it.concurrent('nothing by claims that the site does not read any more', async () => {
    const { site, url, second } = await publishedSite();
    await site.ok('PATCH', `/site-spaces/${second.id}`, { condition: plan });
    const unsignedClaims = { plan: 'pro' };
    const { apiToken } = await visit(url, { unsignedClaims });
    const ask = () => read(apiToken, b);
    await becomes(404, ask, () => site.ok('PATCH', '', { adaptiveContent: { enabled: false } }));
    await becomes(200, ask, () => site.ok('PATCH', '', { adaptiveContent: { enabled: true } }));
    const other = { type: 'boolean', description: 'Something else' };
    await becomes(404, ask, () =>
      site.ok('PUT', '/adaptive-schema', {
        jsonSchema: { type: 'object', properties: { other }, additionalProperties: false },
      }),
    );
  });
});

it('previews by API token are for those who may change the site', async () => {
  const { id } = await newSite(organization, { spaces: [a] });
  const stranger = await newUser(admin, { organization: await newOrganization(admin), role: 'admin' });
  for (const role of ['admin', 'create', 'edit', 'read', null, 'stranger']) {
    const { client } = role === 'stranger' ? stranger : await newUser(admin, { organization, role });
    const { status } = await client.post('/v1/urls/published', { url: `https://preview/${id}/` });
    expect([role, status]).toEqual([role, role === 'admin' || role === 'create' ? 200 : 404]);
  }
});

it('the content token of a preview URL ends within a second with the token that made the URL', async () => {
  const { client } = await newUser(admin, { organization, role: 'create' });
  const { id, token } = (await client.post('/v1/user/tokens', { label: 'preview' })).body;
  const site = await newSite(organization, { spaces: [a] });
  const made = await admin.get(`/v1/orgs/${organization}/sites/${site.id}/publishing/preview`, { token });
  expect(made.status).toBe(200);
  const { apiToken } = await visit(made.body.url);
  const ask = () => read(apiToken);
  await becomes(401, ask, () => client.delete(`/v1/user/tokens/${id}`));
});

describe('the content token of a preview by API token ends within a second', () => {
  const previewedBy = async (client: Client) => {
    const site = await newSite(organization, { spaces: [a] });
    return visit(`https://preview/${site.id}/`, {}, client, client.token);
  };

  it('with that API token', async () => {
    const { client } = await newUser(admin, { organization, role: 'create' });
    const { id, token } = (await client.post('/v1/user/tokens', { label: 'preview' })).body;
    const site = await newSite(organization, { spaces: [a] });
    const { apiToken } = await visit(`https://preview/${site.id}/`, {}, client, token);
    await becomes(
      401,
      () => read(apiToken),
      () => client.delete(`/v1/user/tokens/${id}`),
    );
  });

  it('with the role that may preview', async () => {
    const { client, id } = await newUser(admin, { organization, role: 'create' });
    const { apiToken } = await previewedBy(client);
    await becomes(
      401,
      () => read(apiToken),
      () => admin.patch(`/v1/orgs/${organization}/members/${id}`, { role: 'read' }),
    );
  });
});
