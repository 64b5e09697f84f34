import { newOrganization } from '../support/fixtures.js';
import { Browser, expectRefused, IdentityProvider, newEmail, requestIn } from '../support/identity-provider.js';
import { Client, type RequestOptions, type StartedServer, startServer, whileServing } from '../support/server.js';

const identityProvider = new IdentityProvider();
let server: StartedServer;
const providers: string[] = [];
beforeAll(async () => {
  server = await startServer({ env: { TRUSTED_PROXIES: '127.0.0.1/32' } });
  for (const label of ['A', 'B']) {
    const organization = await newOrganization(server);
    const settings = { label, ...identityProvider.settings, defaultRole: 'read' };
    providers.push((await server.post(`/v1/orgs/${organization}/saml`, settings)).body.id);
  }
});
afterAll(() => server.stop());

/** A client behind the proxy. */
class At extends Client {
  constructor(readonly address: string) {
    super(server.url, '');
  }
  override request<T>(method: string, path: string, body?: unknown, options: RequestOptions = {}) {
    const headers = { ...options.headers, 'x-forwarded-for': this.address };
    return super.request<T>(method, path, body, { ...options, token: null, headers });
  }
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const most = 190_000;
const large = [
  'A'.repeat(most),
  base64('<a>'.repeat(most / 4)),
  base64(`<Response ${Array.from({ length: 14_000 }, (_, at) => `a${at}="1"`).join(' ')}>`),
  base64(`<Response InResponseTo="_nobody">${'<a b="c"/>'.repeat(14_000)}</Response>`),
  base64(`<Response InResponseTo="_nobody">${'&amp;'.repeat(35_000)}</Response>`),
];

/** What an answer with as many elements as it may have looks like, signed by somebody else. */
async function costly(browser: Browser): Promise<(request: string) => string> {
  const redirect = await browser.start();
  const many = '<saml:Attribute Name="groups"><saml:AttributeValue>x</saml:AttributeValue></saml:Attribute>'.repeat(
    270,
  );
  const edit = (xml: string) =>
    xml.replace('</saml:Assertion>', `<saml:AttributeStatement>${many}</saml:AttributeStatement></saml:Assertion>`);
  const key = new IdentityProvider().own;
  const answer = await identityProvider.answer(
    await browser.metadata(),
    redirect,
    { email: newEmail() },
    { edit, key },
  );
  const xml = Buffer.from(answer, 'base64').toString();
  return (request) => base64(xml.replaceAll(requestIn(redirect), request));
}

it('strangers who post large answers hold up nobody, at their provider or at another one', async () => {
  const [attacked = '', other = ''] = providers;
  const template = await costly(new Browser(new At('192.0.2.1'), attacked));
  const statuses = new Map<string, number>();
  const count = (what: string, { status }: { status: number }) => {
    const key = `${what} ${status}`;
    statuses.set(key, (statuses.get(key) ?? 0) + 1);
  };
  let attacking = true;
  const attacks: Record<string, (browser: Browser, at: number) => Promise<{ status: number }>> = {
    'without a cookie': (browser, at) => browser.finish(large[at % large.length] as string),
    'with a cookie made up': (browser, at) => {
      browser.cookie = `saml=${'x'.repeat(43)}`;
      return browser.finish(large[at % large.length] as string);
    },
    'with a sign-in begun': async (browser) => browser.finish(template(requestIn(await browser.start()))),
  };
  const attackers = Object.entries(attacks).flatMap(([what, attack]) =>
    Array.from({ length: 12 }, async (_, n) => {
      const browser = new Browser(new At(`198.51.100.${n % 6}`), attacked);
      for (let at = n; attacking; at++) count(what, await attack(browser, at));
    }),
  );
  const health = async () => expect((await server.get('/healthz', { token: null })).status).toBe(200);
  await whileServing(server, health, async () => {
    for (let round = 0; round < 2; round++)
      for (const provider of [other, attacked]) {
        const browser = new Browser(new At(`203.0.113.${round}`), provider);
        expect((await browser.signIn(identityProvider, { email: newEmail() })).status).toBe(200);
      }
  }).finally(() => {
    attacking = false;
  });
  await Promise.all(attackers);
  const expected = /^(without a cookie 403|with a cookie made up (400|403|413)|with a sign-in begun (403|503))$/;
  expect([...statuses.keys()].filter((key) => !expected.test(key))).toEqual([]);
  for (const what of Object.keys(attacks)) expect([...statuses.keys()].some((key) => key.startsWith(what))).toBe(true);
});

it('a network may leave a thousand sign-ins without an answer at one provider, and others go on', async () => {
  const [attacked = '', other = ''] = providers;
  const start = (provider: string, address: string) =>
    new At(address).get(`/saml/${provider}/start`, { headers: { accept: 'application/json' } });
  for (let made = 0; made < 1000; made += 50)
    for (const { status } of await Promise.all(Array.from({ length: 50 }, () => start(attacked, '203.0.113.77'))))
      expect(status).toBe(302);
  expectRefused(await start(attacked, '203.0.113.77'), /Too many sign-ins of your network/, 429);
  expect((await start(other, '203.0.113.77')).status).toBe(302);
  expect((await start(attacked, '203.0.113.78')).status).toBe(302);
});
