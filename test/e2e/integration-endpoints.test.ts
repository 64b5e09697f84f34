import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { eventually } from '../../shared/testing/eventually.js';
import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { Web } from '../support/imports/web.js';
import { installed } from '../support/installations.js';
import { endpointScript } from '../support/integration-scripts.js';
import { install, publish } from '../support/integrations.js';
import { newSite } from '../support/site.js';

const admin = shared();
const policy = { 'default-src': "'self'", 'script-src': 'https://cdn.example.com' };
let organization: string;
let space: string;
let site: string;
let name: string;
let installation: string;
let endpoint: string;
const publishOne = () =>
  publish(admin, organization, endpointScript, {
    secrets: { KEY: 'hidden' },
    contentSecurityPolicy: policy,
    visibility: 'private',
  });
beforeAll(async () => {
  organization = await newOrganization(admin);
  space = await newSpace(admin, organization);
  site = (await newSite(organization)).id;
  name = await publishOne();
  const made = await install(admin, name, organization, { configuration: { greeting: 'Hello' } });
  installation = made.id;
  endpoint = made.urls.publicEndpoint;
  const at = `/v1/integrations/${name}/installations/${installation}`;
  expect((await admin.post(`${at}/spaces`, { space })).status).toBe(201);
  expect((await admin.post(`${at}/sites`, { siteId: site })).status).toBe(201);
});

const ofIntegration = () => `${admin.url}/~integrations/v1/integrations/${name}`;
const ask = (url: string, init: RequestInit = {}) => fetch(url, { redirect: 'manual', ...init });
const errorOf = async (answer: Response) => [answer.status, ((await answer.json()) as any).error.message];

describe('a public endpoint', () => {
  it('has the script answer, with what it was sent', async () => {
    const url = `${endpoint}/some%2Fpath/echo?a=1&b=%20`;
    const answer = await ask(url, {
      method: 'PUT',
      body: Buffer.from([0, 1, 2, 255]),
      headers: {
        'content-type': 'application/x-own',
        'x-signature': 't=1,v1=abc',
        cookie: 'session=1',
        authorization: 'Bearer of-another-product',
      },
    });
    expect([answer.status, answer.headers.get('x-own'), answer.headers.get('cache-control')]).toEqual([
      201,
      'yes',
      'no-store',
    ]);
    const body = (await answer.json()) as any;
    expect(body).toMatchObject({
      method: 'PUT',
      url,
      body: [4, 0, 255],
      event: { installationId: installation },
      secret: 'hidden',
      configuration: { greeting: 'Hello' },
    });
    expect(body.headers).toMatchObject({
      'content-type': 'application/x-own',
      'x-signature': 't=1,v1=abc',
      authorization: 'Bearer of-another-product',
      'x-forwarded-for': '127.0.0.1',
    });
    for (const header of ['cookie', 'connection', 'host', 'content-length'])
      expect(body.headers).not.toHaveProperty(header);
  });

  it('is one of the integration, of an installation, of a space and of a site', async () => {
    const eventOf = async (url: string) => ((await (await ask(`${url}/echo`)).json()) as any).event;
    expect(await eventOf(ofIntegration())).toEqual({});
    expect(await eventOf(endpoint)).toEqual({ installationId: installation });
    expect(await eventOf(`${endpoint}/spaces/${space}`)).toEqual({ installationId: installation, spaceId: space });
    expect(await eventOf(`${endpoint}/sites/${site}`)).toEqual({ installationId: installation, siteId: site });
  });

  it('keeps tokens of ours from the script', async () => {
    const tokens = [
      `Bearer ${admin.token}`,
      'Bearer bnd_unknown',
      `Basic ${Buffer.from('me:bnd_x').toString('base64')}`,
      `Bearer ${(await installed(admin, { organization, scopes: [] })).client.token}`,
    ];
    for (const authorization of tokens) {
      const { headers } = (await (await ask(`${endpoint}/echo`, { headers: { authorization } })).json()) as any;
      expect(headers).not.toHaveProperty('authorization');
    }
  });

  it('answers what the script does: redirects, nothing, preflights, errors of its own', async () => {
    const away = await ask(`${endpoint}/away`);
    expect([away.status, away.headers.get('location')]).toEqual([302, 'https://login.example.com/?next=1']);
    expect((await ask(`${endpoint}/empty`)).status).toBe(204);
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'PUT' };
    const preflight = await ask(`${endpoint}/cors`, { method: 'OPTIONS', headers });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      204,
      'https://a.example',
    ]);
    const failing = await ask(`${endpoint}/failing`);
    expect([failing.status, await failing.json()]).toEqual([503, { error: 'of the script' }]);
    const head = await ask(`${endpoint}/megabytes`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const large = await ask(`${endpoint}/megabytes`);
    const bytes = new Uint8Array(await large.arrayBuffer());
    expect([bytes.length, bytes[0], bytes.at(-1)]).toEqual([4 * 1024 * 1024, 7, 7]);
  });

  it('on our own origin shows pages in a sandbox, without anything that acts beyond them', async () => {
    const { headers } = await ask(`${endpoint}/page`);
    expect(headers.get('content-type')).toBe('text/html');
    const policies = headers.get('content-security-policy');
    expect(policies).toContain('sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads');
    expect(policies).not.toContain('allow-same-origin');
    expect(policies).toContain("default-src 'self'; script-src https://cdn.example.com");
    expect(policies).toContain("img-src 'none'");
    expect(policies).not.toContain("frame-ancestors 'none'");
    for (const header of [
      'set-cookie',
      'strict-transport-security',
      'clear-site-data',
      'service-worker-allowed',
      'x-accel-redirect',
      'nel',
    ])
      expect([header, headers.get(header)]).toEqual([header, null]);
    expect([headers.get('x-content-type-options'), headers.get('x-frame-options')]).toEqual(['nosniff', 'SAMEORIGIN']);
  });

  it('may be framed by the pages of documents', async () => {
    expect((await ask(`${endpoint}/echo`)).headers.get('x-frame-options')).toBeNull();
  });

  it.each([
    ['thrower', 'The integration failed: its script threw an error, which the log of the event has'],
    ['large', 'The integration failed: The answer of the script is larger than 5 MiB'],
  ])('says what is wrong with a script (%s) as a 422, and serves others', async (path, message) => {
    expect(await errorOf(await ask(`${endpoint}/${path}`))).toEqual([422, message]);
    expect((await ask(`${endpoint}/echo`)).status).toBe(201);
  });
});

describe('the events of an integration', () => {
  it('hold its requests without their secrets, and those that failed', async () => {
    // An integration of its own: of those that are asked more than ten times in a second, some requests are not kept.
    const own = await publishOne();
    const { urls } = await install(admin, own, organization);
    const headers = { authorization: 'Basic c2VjcmV0', 'x-kept': 'yes' };
    await ask(`${urls.publicEndpoint}/recorded/echo`, { headers });
    await ask(`${urls.publicEndpoint}/recorded/thrower`);
    const recorded = ({ payload }: any) => payload.request?.url.includes('/recorded/');
    const events = await eventually(
      'both requests among the events',
      async () => (await admin.get(`/v1/integrations/${own}/events`)).body.items.filter(recorded),
      (items) => items.length === 2,
    );
    const of = (path: string) => events.find(({ payload }: any) => payload.request.url.endsWith(path));
    expect(of('/echo')).toMatchObject({ status: 'success', payload: { request: { headers: { 'x-kept': 'yes' } } } });
    expect(JSON.stringify(of('/echo'))).not.toContain('c2VjcmV0');
    expect(of('/thrower').status).toBe('failed');
  });
});

describe('an address that leads nowhere', () => {
  it('is a 404 for what does not exist and for what belongs to others', async () => {
    const other = await newOrganization(admin);
    const foreign = await install(admin, await publish(admin, other, endpointScript), other);
    const [foreignSpace, foreignSite] = [await newSpace(admin, other), (await newSite(other)).id];
    const everywhere = await install(admin, await publishOne(), organization, {
      space_selection: 'all',
      site_selection: 'all',
    });
    const all = everywhere.urls.publicEndpoint;
    for (const url of [
      `${admin.url}/~integrations/v1/integrations/no-such-one/echo`,
      `${ofIntegration()}/installations/none/echo`,
      `${ofIntegration()}/installations/${foreign.id}/echo`,
      `${endpoint}/spaces/${foreignSpace}/echo`,
      `${endpoint}/spaces/${await newSpace(admin, organization)}/echo`,
      `${endpoint}/sites/${foreignSite}/echo`,
      `${all}/spaces/${foreignSpace}/echo`,
      `${all}/sites/${foreignSite}/echo`,
      `${admin.url}/~integrations/v1/`,
      `${admin.url}/~integrations/v2/integrations/${name}/echo`,
      `${admin.url}/~integrations/v1/sites/${site}/visitor-auth`,
      `${admin.url}/~integrations/v1/sites/${site}/other`,
    ])
      expect([url, (await ask(url)).status]).toEqual([url, 404]);
    expect((await ask(`${all}/spaces/${space}/echo`)).status).toBe(201);
    expect((await ask(`${all}/sites/${site}/echo`)).status).toBe(201);
  });

  it('ends with the installation and with the integration', async () => {
    const own = await publishOne();
    const { id, urls } = await install(admin, own, organization);
    expect((await ask(`${urls.publicEndpoint}/echo`)).status).toBe(201);
    await admin.delete(`/v1/integrations/${own}/installations/${id}`);
    expect((await ask(`${urls.publicEndpoint}/echo`)).status).toBe(404);
    const ofOwn = `${admin.url}/~integrations/v1/integrations/${own}/echo`;
    expect((await ask(ofOwn)).status).toBe(201);
    expect((await admin.delete(`/v1/integrations/${own}`)).status).toBe(204);
    expect((await ask(ofOwn)).status).toBe(404);
  });
});

describe('a hostile request', () => {
  it('with a body of 6 MB is a 413, whether it says so or not', async () => {
    const body = Buffer.alloc(6 * 1024 * 1024);
    const [status, message] = await errorOf(await ask(`${endpoint}/echo`, { method: 'POST', body }));
    expect([status, message]).toEqual([413, expect.stringContaining('5 MiB')]);
    const parts = new ReadableStream({
      start(controller) {
        for (let at = 0; at < 6; at++) controller.enqueue(new Uint8Array(1024 * 1024));
        controller.close();
      },
    });
    const streamed = await ask(`${endpoint}/echo`, { method: 'POST', body: parts, duplex: 'half' } as RequestInit);
    expect(streamed.status).toBe(413);
    const whole = await ask(`${endpoint}/echo`, { method: 'POST', body: Buffer.alloc(5 * 1024 * 1024, 9) });
    expect(((await whole.json()) as any).body).toEqual([5 * 1024 * 1024, 9, 9]);
  });

  it('with huge headers is a 431, with a method that is none of ours a 405', async () => {
    expect((await ask(`${endpoint}/echo`, { headers: { 'x-large': 'x'.repeat(20_000) } })).status).toBe(431);
    const answer = await ask(`${endpoint}/echo`, { method: 'PROPFIND' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, expect.stringContaining('OPTIONS')]);
  });

  it('whose body does not end holds up nobody', async () => {
    const { hostname, port, pathname } = new URL(endpoint);
    const sockets = Array.from({ length: 30 }, () => connect({ host: hostname, port: Number(port) }));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      socket.write(
        `POST ${pathname}/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n${'x'.repeat(100_000)}`,
      );
    }
    for (let at = 0; at < 5; at++)
      expect((await ask(`${endpoint}/echo`, { method: 'POST', body: 'x' })).status).toBe(201);
    for (const socket of sockets) socket.destroy();
  });

  it('beyond 64 at a time of one integration is a 429; others are served', async () => {
    // On a cluster, each process takes so many.
    const processes = (process.env.BINDERY_TEST_GATEWAYS ?? '').split(',').length;
    const all = 64 * processes + 16;
    const own = await publishOne();
    const held: ServerResponse[] = [];
    let end = (response: ServerResponse): void => void held.push(response);
    const web = new Web({ '/end': (_, response) => end(response) });
    await web.start();
    const waiting = `${admin.url}/~integrations/v1/integrations/${own}/held?until=${encodeURIComponent(`${web.url}/end`)}`;
    const statuses: number[] = [];
    const asked = Array.from({ length: all }, async () => {
      const answer = await ask(waiting);
      await answer.arrayBuffer();
      statuses.push(answer.status);
      if (answer.status === 429) expect(answer.headers.get('retry-after')).toBe('1');
    });
    await eventually('the refusal of 16', () => statuses.length >= 16);
    expect(statuses).toEqual(Array(16).fill(429));
    expect((await ask(`${endpoint}/echo`)).status).toBe(201);
    end = (response) => void response.end('over');
    held.forEach(end);
    await Promise.all(asked);
    web.stop();
    expect(statuses).toHaveLength(all);
    expect(new Set(statuses)).toEqual(new Set([429, ...statuses.filter((status) => [200, 422, 503].includes(status))]));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(16);
  });
});
