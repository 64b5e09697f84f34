import { SignJWT } from 'jose';
import { eventually } from '../../shared/testing/eventually.js';
import { document, updated } from '../support/content-changes.js';
import { proveDomain } from '../support/domains.js';
import { newSpace, shared } from '../support/fixtures.js';
import { changePages, type ShownSite, shownSite, writePages } from '../support/shown-sites.js';
import { linksIn, outcomeOf, type Shown, textIn, visit } from '../support/visitors.js';

const admin = shared();
const jwt = (key: string, claims: Record<string, unknown> = {}, expires: number | string = '1h') =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setExpirationTime(expires).sign(Buffer.from(key));
const past = () => Math.floor(Date.now() / 1000) - 5;

const shown = (address: string, cookie?: string, options: Parameters<typeof visit>[2] = {}) =>
  visit(admin, address, { ...options, headers: { ...options.headers, ...(cookie ? { cookie } : {}) } });
const outcome = async (address: string, cookie?: string) => outcomeOf(await shown(address, cookie));
const cookieOf = ({ headers }: Shown) => String(headers['set-cookie']?.[0]);
const pairOf = (answer: Shown) => String(cookieOf(answer).split(';')[0]);
const becomes = (missing: string, ask: () => Promise<string>, expected: string) =>
  eventually(missing, ask, (found) => found === expected);

describe('a site behind a sign-in', () => {
  let made: ShownSite;
  let key: string;
  let host: string;

  beforeAll(async () => {
    made = await shownSite(admin, { Home: 'Welcome.\n', Start: 'Begin.\n' }, { visibility: 'visitor-auth' });
    host = `docs.visitors-${process.pid}-${Date.now()}.example`;
    await proveDomain(admin, made.organization, host);
    await made.site.ok('PATCH', '', { hostname: host });
    key = (await made.site.ok('GET', '/publishing/auth')).privateKey;
  });

  it('is closed: 401, or on to where visitors sign in, with the page that they came for', async () => {
    const refused = await shown(`http://${host}/start`);
    expect([refused.status, refused.headers['cache-control']]).toEqual([401, 'no-store']);
    expect(refused.body).not.toContain('Begin.');
    await made.site.ok('PATCH', '/publishing/auth', { backend: 'custom', fallbackURL: 'https://login.example/in?a=1' });
    const there = '307 → https://login.example/in?a=1&location=%2Fstart';
    await becomes('the way to the sign-in', () => outcome(`http://${host}/start`), there);
    for (const token of ['nonsense', await jwt(key, {}, past()), await jwt('x'.repeat(43))])
      expect(await outcome(`http://${host}/start?jwt_token=${token}`)).toBe(there);
    expect(await outcome(`http://${host}/start`, `visitor=${await jwt(key, {}, past())}`)).toBe(there);
    for (const path of ['start.md', 'llms.txt', 'llms-full.txt', 'sitemap.xml', '~search?q=begin', '~all', '~print'])
      expect([path, (await shown(`http://${host}/${path}`)).status]).toEqual([path, 307]);
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    for (const path of ['~mcp', '~feedback', '~insights'])
      expect([path, (await shown(`http://${host}/${path}`, undefined, sent)).status]).toEqual([path, 401]);
  });

  it('takes a token out of the address into a cookie of its host that no script reads and that ends with the token', async () => {
    const token = await jwt(key, {}, '1h');
    const answer = await shown(`http://${host}/start?q=1&jwt_token=${token}&b=2`);
    expect(outcomeOf(answer)).toBe('303 → /start?q=1&b=2');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(cookieOf(answer)).toMatch(/^visitor=[\w.-]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(Number(/Max-Age=(\d+)/.exec(cookieOf(answer))?.[1])).toBeLessThanOrEqual(3600);
    const page = await shown(`http://${host}/start`, pairOf(answer));
    expect([page.status, page.body.includes('Begin.')]).toEqual([200, true]);
    expect(page.headers).toMatchObject({ 'cache-control': 'private, no-cache' });
    expect(page.body).toContain('content="noindex, nofollow"');
    expect(linksIn(page)).toContain('/~gitbook/auth/logout');
    expect((await shown(`http://${host}//evil.example/?jwt_token=${token}`)).headers.location).not.toMatch(/^\/\//);
  });

  it('keeps the cookie to its path where other sites are beside it', async () => {
    const { pathname } = new URL(made.start);
    const answer = await shown(`${made.start}start?jwt_token=${await jwt(key)}`);
    expect(cookieOf(answer)).toContain(`; Path=${pathname};`);
    expect((await shown(`${made.start}start`, pairOf(answer))).status).toBe(200);
  });

  it('takes a token on the way to the address where a page is', async () => {
    const token = await jwt(key);
    const { id } = (await made.site.ok('GET', '/site-spaces')).items[0];
    await made.site.ok('PATCH', `/site-spaces/${id}`, { path: 'guide' });
    const first = await shown(`http://${host}/guide/start?jwt_token=${token}`);
    const signedIn = await shown(`http://${host}/start?jwt_token=${token}`);
    expect([outcomeOf(signedIn), (await shown(`http://${host}/start`, pairOf(signedIn))).status]).toEqual([
      '303 → /start',
      200,
    ]);
    expect(outcomeOf(first)).toBe(`308 → https://${host}/start?jwt_token=${token}`);
  });

  it('answers the cookies that pages set for other renderers', async () => {
    for (const name of ['gitbook-visitor-token', 'gitbook-visitor-token~Lw==', '__Host-visitor'])
      expect([name, (await shown(`http://${host}/start`, `a=b; ${name}=${await jwt(key)}`)).status]).toEqual([
        name,
        200,
      ]);
  });

  it('signs out, and back in from any page', async () => {
    const cookie = `visitor=${await jwt(key)}`;
    const out = await shown(`http://${host}/~gitbook/auth/logout`, cookie);
    expect([outcomeOf(out), cookieOf(out)]).toEqual(['303 → /', 'visitor=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']);
    const login = `http://${host}/~gitbook/auth/login?location=`;
    expect(await outcome(`${login}/start`, cookie)).toBe('303 → /start');
    for (const bad of ['//evil.example', '/%5Cevil.example', 'https://evil.example'])
      expect((await shown(login + bad, cookie)).headers.location).toMatch(/^\/(?![/\\])/);
  });

  it('speaks MCP with those who signed in', async () => {
    const cookie = `visitor=${await jwt(key)}`;
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const headers = { 'content-type': 'application/json' };
    const answer = await shown(`http://${host}/~mcp`, cookie, { method: 'POST', headers, body });
    expect([answer.status, JSON.parse(answer.body).result.tools.length]).toEqual([200, 2]);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    const foreign = { ...headers, origin: 'https://evil.example' };
    expect((await shown(`http://${host}/~mcp`, cookie, { method: 'POST', headers: foreign, body })).status).toBe(403);
  });

  it('is closed within a second to the key that was replaced, and stays so', async () => {
    const cookie = `visitor=${await jwt(key)}`;
    expect((await shown(`http://${host}/start`, cookie)).status).toBe(200);
    const { privateKey } = await made.site.ok('POST', '/publishing/auth/regenerate');
    const there = '307 → https://login.example/in?a=1&location=%2Fstart';
    await becomes('the end of the key', () => outcome(`http://${host}/start`, cookie), there);
    for (let again = 0; again < 5; again++) expect(await outcome(`http://${host}/start`, cookie)).toBe(there);
    expect((await shown(`http://${host}/start`, `visitor=${await jwt(privateKey)}`)).status).toBe(200);
  });
});

describe('a public site with pages for some', () => {
  let made: ShownSite;
  let key: string;
  const forPro = "visitor.claims.unsigned.plan == 'pro'";

  beforeAll(async () => {
    made = await shownSite(
      admin,
      {
        Home: 'Welcome, <code class="expression">visitor.claims.unsigned.name ?? "whoever"</code>.\n',
        Start: 'Begin.\n',
        Secret: { document: { markdown: 'Hush.\n' }, condition: forPro },
      },
      { adaptiveContent: true },
    );
    const { site, space } = made;
    const vip = await newSpace(admin, made.organization, { title: 'VIP' });
    await writePages(admin, vip, { Lounge: 'Sit down.\n' });
    await site.section(space, 'Guide');
    const section = await site.section(vip, 'VIP');
    await site.ok('PATCH', `/sections/${section.id}`, { path: 'vip', condition: forPro });
    const links = [
      { title: 'For all', links: [], to: { kind: 'url', url: 'https://all.example/' } },
      { title: 'For pro', links: [], to: { kind: 'url', url: 'https://pro.example/' }, condition: forPro },
    ];
    const { header } = await site.ok('GET', '/customization');
    await site.ok('PUT', '/customization', {
      ...(await site.ok('GET', '/customization')),
      header: { ...header, links },
    });
    key = (await site.ok('GET', '/publishing/auth')).privateKey;
  });

  const facts = async (query: string, cookie?: string) => {
    const page = await shown(`${made.start}${query}`, cookie);
    const links = linksIn(page);
    const base = new URL(made.start).pathname;
    return {
      secret: links.includes(`${base}secret`),
      vip: links.includes(`${base}vip/`),
      pro: links.includes('https://pro.example/'),
      all: links.includes('https://all.example/'),
      caching: page.headers['cache-control'],
    };
  };
  const asAnybody = { secret: false, vip: false, pro: false, all: true, caching: 'public, max-age=0, must-revalidate' };
  const asPro = { secret: true, vip: true, pro: true, all: true, caching: 'private, no-cache' };

  it('shows each visitor its own pages, sections and links, whoever came before', async () => {
    await eventually(
      'the customization',
      () => facts(''),
      ({ all }) => all,
    );
    const claims = encodeURIComponent(JSON.stringify({ plan: 'pro' }));
    for (let turn = 0; turn < 3; turn++) {
      expect(await facts('')).toEqual(asAnybody);
      expect(await facts('?visitor.plan=pro')).toEqual(asPro);
      expect(await facts('?visitor.plan=free')).toEqual({ ...asAnybody, caching: asPro.caching });
      expect(await facts('', `gitbook-visitor-public=${claims}`)).toEqual(asPro);
      expect(await facts('', `gitbook-visitor-public-${made.site.id}=${claims}`)).toEqual(asPro);
    }
  });

  it('hides from all others, on every way to it, what is for some', async () => {
    for (const path of ['secret', 'secret.md', 'vip/', 'vip/lounge'])
      expect([path, (await shown(made.start + path)).status]).toEqual([path, 404]);
    expect((await shown(`${made.start}secret?visitor.plan=pro`)).body).toContain('Hush.');
    expect((await shown(`${made.start}vip/?visitor.plan=pro`)).body).toContain('Sit down.');
    for (const path of [
      'llms.txt',
      'llms-full.txt',
      'sitemap-pages.xml',
      '~all',
      '~print',
      '~search?q=hush',
      'no-secret',
    ])
      expect([path, /Hush\.|>Secret<|# Secret|Lounge|\/secret"/.test((await shown(made.start + path)).body)]).toEqual([
        path,
        false,
      ]);
  });

  it('forgets a token that is good no more, and reads one that is', async () => {
    const expired = await shown(`${made.start}start`, `visitor=${await jwt(key, {}, past())}`);
    expect([expired.status, cookieOf(expired)]).toEqual([
      200,
      expect.stringMatching(/^visitor=; Max-Age=0; Path=\/sites\//),
    ]);
    expect(expired.headers['cache-control']).toBe('private, no-store');
    const signed = await shown(`${made.start}start`, `visitor=${await jwt(key, { sub: 'ada' })}`);
    expect([signed.status, signed.headers['set-cookie'], signed.headers['cache-control']]).toEqual([
      200,
      undefined,
      'private, no-cache',
    ]);
    expect(linksIn(signed).some((href) => href.endsWith('/~gitbook/auth/logout'))).toBe(true);
    const anybody = await shown(`${made.start}start`);
    expect(anybody.headers['cache-control']).toBe(asAnybody.caching);
    expect(linksIn(anybody).some((href) => href.endsWith('/~gitbook/auth/logout'))).toBe(false);
  });

  it('is shown as to anybody to who claims too much', async () => {
    const claims = encodeURIComponent(JSON.stringify({ plan: 'pro', more: 'x'.repeat(4000) }));
    const page = await shown(`${made.start}start`, `gitbook-visitor-public=${claims}`);
    expect([page.status, textIn(page, 'h1')]).toEqual([200, 'Start']);
    const deep = '?visitor.a.b.c.d.e.f=1&visitor.__proto__.plan=pro&visitor.constructor.prototype.plan=pro';
    expect((await facts(deep)).secret).toBe(false);
  });
});

describe.each<
  [what: string, last: string, ask: (at: Changed) => Promise<string>, change: (at: Changed) => Promise<unknown>]
>([
  [
    'an edit',
    'Two.',
    async ({ start }) => /One\.|Two\./.exec((await shown(`${start}start`)).body)?.[0] ?? 'neither',
    ({ space, pages }) => changePages(admin, space, updated(pages[1] as string, document('Two.\n'))),
  ],
  [
    'a new title',
    'Start | Renamed',
    async ({ start }) => textIn(await shown(`${start}start`), 'title') ?? '',
    ({ site }) => site.ok('PATCH', '', { title: 'Renamed' }),
  ],
  [
    'a language',
    'de',
    async ({ start }) => /<html[^>]* lang="(\w+)"/.exec((await shown(`${start}start`)).body)?.[1] ?? '',
    async ({ site }) =>
      site.ok('PUT', '/customization', {
        ...(await site.ok('GET', '/customization')),
        internationalization: { locale: 'de' },
      }),
  ],
  ['the end of publishing', '404', status, ({ site }) => site.ok('POST', '/unpublish')],
  ['another visibility', '404', status, ({ site }) => site.ok('PATCH', '', { visibility: 'share-link' })],
  ['the trash for its space', '404', status, ({ space }) => admin.delete(`/v1/spaces/${space}`)],
  ['the end of a share link', '404', sharedStatus, ({ site, link }) => site.ok('DELETE', `/share-links/${link.id}`)],
])('after %s', (_, last, ask, change) => {
  it.concurrent(`${last} is what visitors get, and nothing older again`, async () => {
    const made = await shownSite(admin, { Home: 'Welcome.\n', Start: 'One.\n' });
    const link = await made.site.ok('POST', '/share-links', { name: 'Partners' });
    const at = { ...made, link };
    const first = await ask(at);
    expect(first).not.toBe(last);
    await change(at);
    const answers: string[] = [];
    await eventually(last, async () => {
      answers.push(await ask(at));
      return answers.at(-1) === last;
    });
    for (let again = 0; again < 10; again++) answers.push(await ask(at));
    const turns = answers.filter((each, position) => each !== answers[position - 1]);
    expect([[last], [first, last]]).toContainEqual(turns);
  });
});

interface Changed extends ShownSite {
  link: { id: string; urls: { published: string } };
}

async function status({ start }: Changed): Promise<string> {
  return String((await shown(`${start}start`)).status);
}

async function sharedStatus({ link }: Changed): Promise<string> {
  return String((await shown(`${link.urls.published}start`)).status);
}
