import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { walk } from '../support/fixtures.js';
import { Client, startServer } from '../support/server.js';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bindery-first-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const start = (env: Record<string, string> = {}, token?: string) =>
  startServer({ dataDir, env, ...(token === undefined ? {} : { token }) });

const banner = /API token\s+(bnd_\S+)/;
const tokenIn = (text: string) => banner.exec(text)?.[1] ?? '';

describe('the first start', () => {
  it('prints a token once and shows the handbook, also as a site; the second changes nothing', async () => {
    const first = await start({ BOOTSTRAP_TOKEN: '', BOOTSTRAP_EMAIL: 'ada@acme.example', BOOTSTRAP_ORG: 'Acme' });
    const token = tokenIn(await first.said(banner));
    const client = new Client(first.url, token);
    expect((await client.get('/v1/user')).body.email).toBe('ada@acme.example');
    const { items: organizations } = (await client.get('/v1/orgs')).body;
    expect(organizations).toMatchObject([{ title: 'Acme' }]);
    await first.said(new RegExp(organizations[0].id));
    const { items: spaces } = (await client.get(`/v1/orgs/${organizations[0].id}/spaces`)).body;
    const { pages } = (await client.get(`/v1/spaces/${spaces[0].id}/content/pages`)).body;
    expect(pages[0].title).toBe('Bindery');
    const hits = (await client.get(`/v1/spaces/${spaces[0].id}/search?query=configuration`)).body;
    expect(hits.items[0].title).toBe('Configuration');
    const [, address = ''] = /Handbook +(\S+)/.exec(first.output()) ?? [];
    const { items: sites } = (await client.get(`/v1/orgs/${organizations[0].id}/sites`)).body;
    expect(sites).toMatchObject([{ title: 'Bindery handbook', published: true, urls: { published: address } }]);
    const asBrowser = { token: null, headers: { accept: 'text/html' } };
    const { pathname } = new URL(address);
    const shown = (await client.get<string>(pathname, asBrowser)).body;
    expect(/<h1>(.*?)<\/h1>/.exec(shown)?.[1]).toContain('Bindery');
    const home = (await client.get<string>('/', asBrowser)).body;
    expect(home.match(/href="\/sites\/[^"]+"/g)).toContain(`href="${pathname}"`);
    expect((await client.delete(`/v1/orgs/${organizations[0].id}/sites/${sites[0].id}`)).status).toBe(205);
    expect(await first.stop()).toBe(0);

    const second = await start({ BOOTSTRAP_TOKEN: '' });
    const again = new Client(second.url, token);
    expect((await again.get(`/v1/spaces/${spaces[0].id}/content/pages`)).body.pages).toEqual(
      pages.map((page: any) => expect.objectContaining({ id: page.id })),
    );
    expect(await walk(again, '/v1/orgs', 10)).toHaveLength(1);
    expect(await walk(again, `/v1/orgs/${organizations[0].id}/sites`, 10)).toEqual([]);
    expect(second.output()).not.toContain('bnd_');
    expect(await second.stop()).toBe(0);
  });

  it('prints nothing that is secret where the token is set', async () => {
    const server = await start({ BOOTSTRAP_EMAIL: 'ada@acme.example' });
    await server.said(/npm run token -- link --email ada@acme\.example/);
    await server.said(/The handbook is also the first space/);
    expect(server.output()).not.toMatch(/code=|bnd_/);
    expect(await server.stop()).toBe(0);
  });

  it('tells its token at the next start when it was killed before it could', async () => {
    const first = await start({ BOOTSTRAP_TOKEN: '' });
    await first.kill();
    const second = await start({ BOOTSTRAP_TOKEN: '' });
    const token = tokenIn(first.output()) || tokenIn(await second.said(banner));
    expect((await new Client(second.url, token).get('/v1/user')).status).toBe(200);
    expect(await second.stop()).toBe(0);
  });

  it('replaces BOOTSTRAP_TOKEN and what it led to when it changes, and does not bring a revoked one back', async () => {
    const one = 'one '.repeat(10).replaceAll(' ', '_');
    const two = 'two '.repeat(10).replaceAll(' ', '_');
    const first = await start({}, one);
    const made = (await first.post('/v1/user/tokens', { label: 'Made with the first' })).body.token;
    await first.stop();
    const second = await start({}, two);
    const statuses = (server: Client, ...tokens: string[]) =>
      Promise.all(tokens.map(async (token) => (await server.get('/v1/user', { token })).status));
    expect(await statuses(second, one, made, two)).toEqual([401, 401, 200]);
    const other = (await second.post('/v1/user/tokens', { label: 'Made with the second' })).body.token;
    await second.stop();
    const unset = await start({ BOOTSTRAP_TOKEN: '' });
    expect(await statuses(unset, two, other)).toEqual([200, 200]);
    const { items } = (await unset.get('/v1/user/tokens', { token: two })).body;
    const { id } = items.find(({ label }: { label: string }) => label === 'First start');
    await unset.delete(`/v1/user/tokens/${id}`, { token: two });
    await unset.stop();
    const last = await start({}, two);
    expect(await statuses(last, one, two, other)).toEqual([401, 401, 401]);
    await last.stop();
  });

  it('keeps its folder to itself', async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(/another Bindery runs on/);
    expect((await first.get('/v1/user')).status).toBe(200);
    await first.stop();
  });

  it('names every wrong setting at once', async () => {
    const wrong = {
      PORT: 'x',
      BOOTSTRAP_EMAIL: 'nobody',
      LOG_LEVEL: 'loud',
      TRUSTED_PROXIES: '10.0.0.1',
      SERVICES: 'gateway',
    };
    const told = await start(wrong, 'too short').catch((error: Error) => error.message);
    for (const name of ['PORT', 'BOOTSTRAP_EMAIL', 'BOOTSTRAP_TOKEN', 'LOG_LEVEL', 'TRUSTED_PROXIES'])
      expect(told).toContain(`${name}:`);
    expect(await readdir(dataDir)).toEqual([]);
  });
});

describe('SIGTERM', () => {
  it('finishes what is in flight', async () => {
    const server = await start();
    const [organization] = (await server.get('/v1/orgs')).body.items;
    const inFlight = Array.from({ length: 64 }, () => server.post(`/v1/orgs/${organization.id}/spaces`, {}));
    await inFlight[0];
    const stopped = server.stop();
    const answers = await Promise.allSettled(inFlight);
    expect(await stopped).toBe(0);
    const failed = answers.filter((answer) => answer.status === 'fulfilled' && answer.value.status >= 500);
    expect(failed).toEqual([]);
  });
});
