import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { issueApiToken } from '../../services/identity/accounts/api-tokens.js';
import { createLog } from '../../shared/monitoring/log.js';
import { openStore } from '../../shared/process/platform.js';
import { readConfig } from '../../shared/settings/config.js';
import type { Store } from '../../shared/store/port.js';
import { eventually } from '../../shared/testing/eventually.js';
import { type ClickHouse, startClickHouse } from '../support/clickhouse.js';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { RendererStandIn } from '../support/renderer.js';
import { importInto, openRepositories } from '../support/repository.js';
import { type StartedServer, startServer, testToken } from '../support/server.js';
import { aSecondLater, slowClock, withoutPolls } from './clocks.js';

const { MONGODB_URL, NATS_URL } = process.env;
const servers = MONGODB_URL && NATS_URL ? describe : describe.skip;
if (servers === describe.skip)
  console.warn('SKIPPED: the services on NATS and MongoDB; set NATS_URL and MONGODB_URL to test them');

/**
 * Two gateways, identity, comments, sites, insights and two content processes, as on a cluster: a database of their own on the given servers.
 * What gateways keep of callers for a second lasts longer than any test here, and identity tells of changes at once or never.
 */
servers('services of their own processes', () => {
  const database = `bindery-test-${randomBytes(6).toString('hex')}`;
  const started: StartedServer[] = [];
  let gateway: StartedServer;
  let other: StartedServer;
  let contents: StartedServer[];
  let clickhouse: ClickHouse;

  const renderer = new RendererStandIn('secret');
  const start = async (services: string, more: Record<string, string> = {}) => {
    const url = new URL(String(MONGODB_URL));
    url.pathname = `/${database}`;
    const env = {
      SERVICES: services,
      NATS_URL: String(NATS_URL),
      MONGODB_URL: url.href,
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      BASE_URL: 'https://bindery.test',
      RENDERER_URLS: renderer.url,
      RENDERER_SECRET: 'secret',
      // The last tests wait until a killed process is missed, and a request for it ends.
      TIME_SCALE: '3',
    };
    const server = await startServer({ env: { ...env, ...more, SECRET_KEY: secretKey } });
    started.push(server);
    return server;
  };
  const secretKey = randomBytes(32).toString('base64');
  /** Readiness is looked at once a second. */
  const readiness = async (gateway: StartedServer) => {
    await aSecondLater(gateway);
    return gateway.get('/readyz');
  };
  const ready = (gateway: StartedServer) =>
    eventually(
      'a gateway that is ready',
      () => readiness(gateway),
      ({ status }) => status === 200,
    );

  let store: Store;
  /** A member with a token of its own, as the operator's command makes it. */
  const newMember = async (organization: string, role: string) => {
    const email = `${randomBytes(6).toString('hex')}@people.example`;
    const { body } = await gateway.post(`/v1/orgs/${organization}/invites`, { emails: [email], role });
    return { id: body.users[0] as string, token: await issueApiToken(store, { email, label: 'test' }) };
  };

  beforeAll(async () => {
    const url = new URL(String(MONGODB_URL));
    url.pathname = `/${database}`;
    store = await openStore(readConfig({ MONGODB_URL: url.href, SECRET_KEY: secretKey }), createLog('silent'));
    await renderer.open();
    await start('identity', withoutPolls);
    await start('comments');
    await start('sites');
    await start('integrations');
    clickhouse = await startClickHouse({ user: 'ada', password: 'hidden', database: 'docs' });
    await start('insights', { CLICKHOUSE_URL: clickhouse.url });
    contents = [await start('content'), await start('content')];
    gateway = await start('gateway', slowClock);
    other = await start('gateway', slowClock);
    await Promise.all([ready(gateway), ready(other)]);
  });
  afterAll(async () => {
    for (const server of started.toReversed())
      if (server.process.exitCode === null && server.process.signalCode === null) await server.stop();
    await store.close();
    await renderer.close();
    await clickhouse.close();
    const client = await new MongoClient(String(MONGODB_URL)).connect();
    await client.db(database).dropDatabase();
    await client.close();
  });

  it('answer as one, and each sees what the others wrote', async () => {
    const organization = await newOrganization(gateway);
    for (let i = 0; i < 10; i++) {
      const space = await newSpace(gateway, organization);
      expect((await gateway.get(`/v1/spaces/${space}`)).status).toBe(200);
    }
    expect((await gateway.get(`/v1/orgs/${organization}/spaces`)).body.count).toBe(10);
  });

  it('carry answers that are larger than a message, and files', async () => {
    const repositories = await openRepositories();
    try {
      const page = (name: number) => [
        `page-${name}.md`,
        `---\ndescription: ${'long '.repeat(60)}\n---\n# Page ${name}\n\nText.\n`,
      ];
      const files = Object.fromEntries(Array.from({ length: 1200 }, (_, i) => page(i)));
      await repositories.commit('large', { 'README.md': '# Large\n', '.gitbook/assets/a.txt': 'a file', ...files });
      const space = await newSpace(gateway, await newOrganization(gateway));
      expect(await importInto(gateway, space, { url: `${repositories.url}/large.git` })).toMatchObject({
        state: 'success',
      });
      const { body, headers } = await gateway.get(`/v1/spaces/${space}/content`);
      expect(JSON.stringify(body).length).toBeGreaterThan(1024 * 1024);
      expect(headers.get('etag')).toBe(`W/"${body.id}"`);
      expect(body.pages).toHaveLength(1201);
      expect((await gateway.get(`/v1/spaces/${space}/search?query=page-77`)).body.items[0].title).toBe('Page 77');
      const file = await fetch(body.files[0].downloadURL.replace(/^https?:\/\/[^/]+/, gateway.url));
      expect(await file.text()).toBe('a file');
    } finally {
      await repositories.close();
    }
  });

  it('refuse a revoked token: at once where it was revoked, everywhere else by an event, before a cache expires', async () => {
    const { body } = await gateway.post('/v1/user/tokens', { label: 'to revoke' });
    const ask = async (server: StartedServer) => (await server.get('/v1/user', { token: body.token })).status;
    for (const server of [gateway, other]) expect(await ask(server)).toBe(200);
    await gateway.delete(`/v1/user/tokens/${body.id}`);
    expect(await ask(gateway)).toBe(401);
    await eventually(
      'the revoked token of the other gateway',
      () => ask(other),
      (status) => status === 401,
    );
  });

  it('keep out a member that was removed, a role and a grant that were taken away, everywhere', async () => {
    const organization = await newOrganization(gateway);
    const space = await newSpace(gateway, organization);
    const { id, token } = await newMember(organization, 'create');
    const become = async (expected: number, ask: (server: StartedServer) => Promise<{ status: number }>) => {
      for (const server of [gateway, other])
        await eventually(
          `${expected} after a change`,
          async () => (await ask(server)).status,
          (status) => status === expected,
        );
    };
    const read = (server: StartedServer) => server.get(`/v1/spaces/${space}`, { token });
    const create = (server: StartedServer) => server.post(`/v1/orgs/${organization}/spaces`, {}, { token });
    const members = `/v1/orgs/${organization}/members/${id}`;
    await become(201, create);
    await gateway.patch(members, { role: null });
    await become(403, create);
    await become(404, read);
    await gateway.post(`/v1/spaces/${space}/permissions`, { users: [id], role: 'read' });
    await become(200, read);
    await gateway.delete(`/v1/spaces/${space}/permissions/users/${id}`);
    await become(404, read);
    await gateway.delete(members);
    await become(404, (server) => server.get(`/v1/orgs/${organization}`, { token }));
  });

  it('end a content token with what it was given out for, everywhere when a second has gone by', async () => {
    const organization = await newOrganization(gateway);
    const space = await newSpace(gateway, organization);
    const site = `/v1/orgs/${organization}/sites/`;
    const { id } = (await gateway.post(site, { spaces: [space] })).body;
    const answers = (token: string) =>
      Promise.all(
        [gateway, other].map(async (server) => {
          await aSecondLater(server);
          return (await server.get(`/v1/spaces/${space}`, { token })).status;
        }),
      );
    const { urls } = (await gateway.post(`${site}${id}/publish`)).body;
    const { apiToken } = (await other.post('/v1/urls/published', { url: urls.published }, { token: null })).body;
    expect(await answers(apiToken)).toEqual([200, 200]);
    await gateway.post(`${site}${id}/unpublish`);
    expect(await answers(apiToken)).toEqual([401, 401]);
    await gateway.post(`${site}${id}/publish`);
    expect(await answers(apiToken)).toEqual([200, 200]);
    await gateway.patch(`${site}${id}`, { visibility: 'share-link' });
    expect(await answers(apiToken)).toEqual([401, 401]);
    const link = (await gateway.post(`${site}${id}/share-links`, { name: 'Link' })).body;
    const url = link.urls.published;
    const shared = (await other.post('/v1/urls/published', { url }, { token: null })).body.apiToken;
    expect(await answers(shared)).toEqual([200, 200]);
    await gateway.delete(`${site}${id}/share-links/${link.id}`);
    expect(await answers(shared)).toEqual([401, 401]);
  });

  it('tell a renderer of a change, whichever of them made it', async () => {
    const organization = await newOrganization(gateway);
    const space = await newSpace(gateway, organization);
    const { id } = (await gateway.post(`/v1/orgs/${organization}/sites`, { spaces: [space] })).body;
    await other.patch(`/v1/spaces/${space}`, { title: 'Renamed' });
    await renderer.toldOf([`site:${id}`, `space:${space}`]);
    expect(renderer.problems).toEqual([]);
  });

  it('count a team exactly that both gateways change at once', async () => {
    const organization = await newOrganization(gateway);
    const people = await Promise.all(Array.from({ length: 8 }, () => newMember(organization, 'read')));
    const { body: team } = await gateway.put(`/v1/orgs/${organization}/teams`, { title: 'Raced' });
    const path = `/v1/orgs/${organization}/teams/${team.id}`;
    const turns = Array.from({ length: 64 }, (_, turn) => {
      const server = turn % 2 === 0 ? gateway : other;
      const member = `${path}/members/${people[turn % 8]?.id}`;
      return turn % 3 === 0 ? server.delete(member) : server.put(member, {});
    });
    const statuses = (await Promise.all(turns)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 204 && status !== 404)).toEqual([]);
    const { body: listed } = await gateway.get(`${path}/members`);
    expect([listed.count, (await other.get(path)).body.members]).toEqual([listed.items.length, listed.items.length]);
  });

  it('bring every write to the audit trail', async () => {
    const organization = await newOrganization(gateway);
    const space = await newSpace(gateway, organization);
    const events = `/v1/orgs/${organization}/audit-events?order=asc`;
    const found = await eventually(
      'two records',
      async (): Promise<{ operation: string; resource: { id: string } }[]> =>
        (await other.get(events)).body.items ?? [],
      ({ length }) => length === 2,
    );
    expect(found.map(({ operation, resource }) => [operation, resource.id])).toEqual([
      ['createOrganization', organization],
      ['createSpace', space],
    ]);
  });

  it('answer every read when one of them is killed: who held it is not waited for', async () => {
    const organization = await newOrganization(gateway);
    const answers: number[] = [];
    let going = true;
    const clients = Array.from({ length: 8 }, async () => {
      while (going) answers.push((await gateway.get(`/v1/orgs/${organization}/spaces`)).status);
    });
    await (contents[0] as StartedServer).kill();
    const enough = answers.length + 100;
    await eventually('enough answers', () => answers.length >= enough);
    going = false;
    await Promise.all(clients);
    expect(answers.filter((status) => status !== 200)).toEqual([]);
  });

  it('answer every request when one of them is stopped', async () => {
    const third = await start('content');
    const organization = await newOrganization(gateway);
    const answers: number[] = [];
    let going = true;
    const clients = Array.from({ length: 8 }, async (_, n) => {
      const path = `/v1/orgs/${organization}/spaces`;
      while (going) answers.push((await (n % 2 === 0 ? gateway.get(path) : gateway.post(path, {}))).status);
    });
    await eventually('enough answers', () => answers.length >= 50);
    expect(await third.stop()).toBe(0);
    const enough = answers.length + 50;
    await eventually('enough answers', () => answers.length >= enough);
    going = false;
    await Promise.all(clients);
    expect(answers.filter((status) => status !== 200 && status !== 201)).toEqual([]);
  });

  it('answer 503 for a service that is gone, and say so in readiness', async () => {
    await (contents[1] as StartedServer).stop();
    const organization = (await gateway.get('/v1/orgs?limit=1')).body.items[0].id;
    const gone = await gateway.get(`/v1/orgs/${organization}/spaces`);
    expect([gone.status, gone.body.error.code]).toEqual([503, 503]);
    expect(gone.headers.get('retry-after')).toBe('1');
    expect((await gateway.get('/v1/user')).status).toBe(200);
    const ready = await readiness(gateway);
    expect(ready.status).toBe(503);
    expect(ready.body.services).toMatchObject({ identity: 'ok', content: expect.not.stringMatching(/^ok$/) });
    expect((await gateway.get('/healthz')).status).toBe(200);
    expect(testToken).toBe(gateway.token);
  });

  it('log a line a second for it, in one format and without a stack', async () => {
    const organization = (await gateway.get('/v1/orgs?limit=1')).body.items[0].id;
    const ask = () => gateway.get(`/v1/orgs/${organization}/spaces`);
    // Until the heartbeat of the killed one is missed, its requests wait.
    await eventually('a line about the service', async () => {
      await ask();
      return gateway.output().includes('service content is not available');
    });
    const before = gateway.output().length;
    const answers = await Promise.all(Array.from({ length: 400 }, ask));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    const lines = () => gateway.output().slice(before).split('\n').filter(Boolean);
    const parsed = () => lines().map((line) => JSON.parse(line));
    const counted = () => parsed().reduce((sum, { count = 0 }) => sum + count, 0);
    await eventually('400 answers in the log', counted, (count) => count >= 400);
    const written = parsed().map(({ time }) => Date.parse(time));
    const gaps = written.slice(1).map((time, at) => time - (written[at] as number));
    // Timers and this clock are not the same.
    expect(gaps.filter((ms) => ms < 950)).toEqual([]);
    for (const line of parsed())
      expect(line).toMatchObject({ level: 'error', time: expect.stringMatching(/^\d{4}-/), status: 503 });
    expect(lines().join('')).not.toContain('"stack"');
  });
});
