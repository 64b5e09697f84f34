import { SignJWT } from 'jose';
import { eventually } from '../../shared/testing/eventually.js';
import { proveDomain } from '../support/domains.js';
import { newOrganization, newSpace, newUser, shared, unique } from '../support/fixtures.js';
import { newTrackedSite, type TrackedSite } from '../support/insights/tracked-site.js';
import { type StartedServer, startServer } from '../support/server.js';

const admin = shared();
let site: TrackedSite;
beforeAll(async () => {
  site = await newTrackedSite(admin);
});

const nobody = { token: null };
const from = (origin: string) => ({ ...nobody, headers: { origin } });

/** A site, and the content token of a visitor of it. */
async function visitedSite(changes: object = {}) {
  const visited = await newTrackedSite(admin);
  const at = visited.at();
  await admin.post(`${at}/site-spaces`, { spaceId: await newSpace(admin, visited.organization) });
  if (Object.keys(changes).length > 0) await admin.patch(at, changes);
  const tokenFor = async (visitor: object): Promise<string> => {
    const { body } = await admin.post('/v1/urls/published', { url: visited.url, visitor }, nobody);
    return body.apiToken;
  };
  return { visited, tokenFor };
}

describe('events are taken from', () => {
  it.each(['admin', 'create', 'edit', 'review', 'comment', 'read'])(
    'a member with the role %s, of any URL',
    async (role) => {
      const { token } = await newUser(admin, { organization: site.organization, role });
      const event = site.event({ location: { url: 'https://elsewhere.example/page' } });
      expect((await site.track([event], { token })).status).toBe(204);
      expect((await site.track([event], { token, headers: { origin: 'https://elsewhere.example' } })).status).toBe(204);
    },
  );

  it('a member for a site that is not published yet', async () => {
    const draft = await newTrackedSite(admin, { organization: site.organization, published: false });
    await draft.tracked([{}]);
    expect(await draft.count()).toBe(1);
  });

  it('a visitor with a content token of the site, with the claims of the token', async () => {
    const { visited, tokenFor } = await visitedSite({ visibility: 'visitor-auth' });
    const { body: auth } = await admin.get(visited.at('/publishing/auth'));
    const signed = new SignJWT({ plan: 'pro' }).setProtectedHeader({ alg: 'HS256' }).setExpirationTime('1h');
    const token = await tokenFor({ jwtToken: await signed.sign(Buffer.from(auth.privateKey)) });
    const elsewhere = { url: 'https://preview.example/' };
    expect((await visited.track([visited.event({ location: elsewhere })], { token })).status).toBe(204);
    const session = { visitorAuthClaims: { plan: 'own' } };
    expect((await visited.track([visited.event({ session })], { token })).status).toBe(204);
    const claims = (await visited.exported()).map((event) => event.session.visitorAuthClaims);
    expect(claims).toEqual([expect.objectContaining({ plan: 'pro' }), { plan: 'own' }]);
  });

  it('pages of the site, without a token', async () => {
    for (const location of [{}, { url: `${site.url}a/b?c#d` }, { url: site.url.slice(0, -1) }])
      expect((await site.track([site.event({ location })], from(admin.url))).status).toBe(204);
  });

  it('a renderer, without a token or an origin', async () => {
    expect((await site.track([site.event()], nobody)).status).toBe(204);
  });

  it('pages at the host name of the site', async () => {
    const own = await newTrackedSite(admin);
    const hostname = `${unique('h').replace(/\W/g, '-')}.example.com`;
    await proveDomain(admin, own.organization, hostname);
    const { status } = await admin.patch(own.at(), { hostname });
    expect(status).toBe(200);
    const at = (url: string) => [own.event({ location: { url } })];
    expect((await own.track(at(`https://${hostname}/a/b`), from(`https://${hostname}`))).status).toBe(204);
    expect((await own.track([own.event()], from(`https://${hostname}`))).status).toBe(204);
    expect((await own.track(at(`https://not-${hostname}/a`), nobody)).status).toBe(400);
  });
});

describe('events are refused', () => {
  const reasons: Record<number, string> = { 400: 'invalid_request', 401: 'invalid_token', 403: 'origin_not_allowed' };
  const refused = async (options: object, expected: [status: number, message: RegExp], event = site.event()) => {
    const before = await site.count();
    const { status, body } = await site.track([site.event(), event], options);
    expect([status, body.error]).toEqual([
      expected[0],
      { code: expected[0], message: expect.stringMatching(expected[1]), reason: reasons[expected[0]] },
    ]);
    expect(await site.count()).toBe(before);
  };

  it.each([
    'https://elsewhere.example',
    'null',
    '',
    'http://127.0.0.1.example',
    'http://localhost',
    'file://',
    'x'.repeat(5000),
  ])('from a page of the origin %j', async (origin) => {
    await refused(from(origin), [403, /^Origin: must be an address of the site/]);
  });

  it('of a URL of another site, or of none, named by its index', async () => {
    const other = await newTrackedSite(admin, { organization: site.organization });
    const { origin } = new URL(site.url);
    const root = `${origin}/sites/`;
    const elsewhere = [
      other.url,
      root,
      `${origin}/`,
      `${site.url.slice(0, -1)}x/`,
      `${site.url}../${other.id}/`,
      `${root}%2e%2e/sites/${other.id}/`,
      'https://elsewhere.example/',
      site.url.replace('http://', 'http://evil.example@evil.example/'),
      'javascript:alert(1)',
      'data:text/html,x',
    ];
    for (const url of elsewhere)
      await refused(nobody, [400, /^events\.1\.location\.url: /], site.event({ location: { url } }));
  });

  it('without a token for a site that visitors cannot see', async () => {
    const draft = await newTrackedSite(admin, { organization: site.organization, published: false });
    const { status, body } = await draft.track([draft.event()], nobody);
    expect([status, body.error.message]).toEqual([404, 'Site not found']);
    await admin.post(draft.at('/publish'));
    await eventually(
      'a site that takes events once it is published',
      () => draft.track([draft.event()], nobody),
      (answer) => answer.status === 204,
    );
  });

  it('after a site is gone', async () => {
    const gone = await newTrackedSite(admin, { organization: site.organization });
    expect((await admin.delete(gone.at())).status).toBeLessThan(300);
    const { status, body } = await gone.track([gone.event()]);
    expect([status, body.error.message]).toEqual([404, 'Site not found']);
    expect((await gone.aggregate({})).status).toBe(404);
  });

  it('for a site that nobody has, or that another organization has', async () => {
    const other = await newOrganization(admin);
    for (const path of [
      `/v1/orgs/${site.organization}/sites/unknown/insights/events`,
      `/v1/orgs/${other}/sites/${site.id}/insights/events`,
      `/v1/orgs/unknown/sites/${site.id}/insights/events`,
      `/v1/orgs/__proto__/sites/constructor/insights/events`,
    ])
      for (const options of [{}, nobody]) {
        const { status, body } = await admin.post(path, { events: [site.event()] }, options);
        expect([path, status, body.error.message]).toEqual([path, 404, 'Site not found']);
      }
  });

  it('with tokens of others as they are without a token', async () => {
    const stranger = await newUser(admin, { organization: await newOrganization(admin), role: 'admin' });
    const guest = await newUser(admin, { organization: site.organization, role: null });
    const { tokenFor } = await visitedSite();
    const elsewhere = site.event({ location: { url: 'https://elsewhere.example/' } });
    for (const token of [stranger.token, guest.token, await tokenFor({})]) {
      await refused({ token }, [400, /^events\.1\.location\.url: /], elsewhere);
      await refused({ token, headers: { origin: 'https://elsewhere.example' } }, [403, /^Origin/]);
      expect((await site.track([site.event()], { token })).status).toBe(204);
    }
  });

  it('with a token that nobody has', async () => {
    await refused({ token: 'bnd_wrong_token' }, [401, /./]);
  });
});

describe('a page of another origin', () => {
  it('may ask whether it may send, and read the answer', async () => {
    const headers = {
      origin: 'https://docs.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const asked = await admin.request('OPTIONS', site.events(), undefined, { token: null, headers });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(asked.headers.get('access-control-allow-methods')).toContain('POST');
    expect(asked.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('content-type');
    const { headers: answer } = await site.track([site.event()], from('https://docs.example'));
    expect(answer.get('access-control-allow-origin')).toBe('*');
  });
});

describe('who may read', () => {
  const readers = async (token: string | null) => {
    const options = { token };
    const answers = [
      await site.aggregate({}, options),
      await admin.get(site.at('/insights/visitor-segments'), options),
      await admin.get(site.events(), options),
    ];
    return answers.map(({ status }) => status);
  };

  it.each<[string | null, number[]]>([
    ['admin', [200, 200, 200]],
    ['create', [200, 200, 200]],
    ['edit', [200, 200, 403]],
    ['review', [200, 200, 403]],
    ['comment', [200, 200, 403]],
    ['read', [200, 200, 403]],
    [null, [403, 403, 403]],
  ])('a member with the role %s', async (role, expected) => {
    const { token } = await newUser(admin, { organization: site.organization, role });
    expect(await readers(token)).toEqual(expected);
  });

  it('neither visitors nor members of other organizations', async () => {
    const { visited, tokenFor } = await visitedSite();
    const token = await tokenFor({});
    for (const path of [visited.at('/insights/visitor-segments'), visited.events()])
      expect([403, 404]).toContain((await admin.get(path, { token })).status);
    expect([403, 404]).toContain((await visited.aggregate({}, { token })).status);
    const stranger = await newUser(admin, { organization: await newOrganization(admin), role: 'admin' });
    expect(await readers(stranger.token)).toEqual([404, 404, 404]);
    expect(await readers(null)).toEqual([401, 401, 401]);
  });
});

describe('on a server with a publishing domain', () => {
  let server: StartedServer;
  let own: TrackedSite;
  beforeAll(async () => {
    const env = { PUBLISH_DOMAIN: 'docs.test', EVENTS_PER_MINUTE: '5', TRUSTED_PROXIES: '127.0.0.1/32' };
    server = await startServer({ env });
    own = await newTrackedSite(server);
    await server.patch(`/v1/orgs/${own.organization}`, { hostname: 'acme' });
    await server.patch(own.at(), { basename: 'guide' });
  });
  afterAll(() => server.stop());

  const headersOf = (address: string, origin = 'https://acme.docs.test') => ({
    token: null,
    headers: { 'x-forwarded-for': address, origin },
  });
  const shown = (url = 'https://acme.docs.test/guide/start') => own.event({ location: { url } });

  it('events come from the pages of its organization', async () => {
    const options = headersOf('203.0.113.1');
    expect((await own.track([shown()], options)).status).toBe(204);
    expect((await own.track([shown('https://acme.docs.test/other/')], options)).status).toBe(400);
    const others = headersOf('203.0.113.1', 'https://other.docs.test');
    expect((await own.track([shown()], others)).status).toBe(403);
  });

  it('each address has its share of a minute, and is told how long to wait', async () => {
    const options = headersOf('203.0.113.2');
    const batch = (count: number) => Array.from({ length: count }, () => shown());
    const before = await own.count();
    expect((await own.track(batch(3), options)).status).toBe(204);
    expect((await own.track(batch(2), options)).status).toBe(204);
    const { status, headers, body } = await own.track(batch(1), options);
    const wait = Number(headers.get('retry-after'));
    expect([status, body.error.message]).toEqual([429, `More than 5 events in a minute; wait ${wait} s`]);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect((await own.track(batch(5), headersOf('203.0.113.3'))).status).toBe(204);
    expect((await own.track(batch(6), headersOf('203.0.113.4'))).status).toBe(429);
    expect((await own.track(batch(200))).status).toBe(204);
    expect(await own.count()).toBe(before + 210);
  });
});
