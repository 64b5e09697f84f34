import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { freePort } from '../../shared/process/free-port.js';
import { eventually } from '../../shared/testing/eventually.js';
import { Wire } from '../../shared/testing/wire.js';
import { type ClickHouse, startClickHouse } from '../support/clickhouse.js';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { type StartedServer, startServer } from '../support/server.js';

const { MONGODB_URL, NATS_URL } = process.env;
const servers = MONGODB_URL && NATS_URL ? describe : describe.skip;
if (servers === describe.skip)
  console.warn('SKIPPED: the services without their bus or database; set NATS_URL and MONGODB_URL to test them');

/** A gateway and what is behind it, each behind wires to NATS and MongoDB that can be cut. */
servers('services that lose', () => {
  const database = `bindery-test-${randomBytes(6).toString('hex')}`;
  let bus: Wire;
  let documents: Wire;
  let clickhouse: ClickHouse;
  let behind: StartedServer;
  let gateway: StartedServer;
  let metrics: string;
  let organization: string;
  let space: string;

  const through = async (wire: Wire, given: string, path = '') => {
    const { protocol, search } = new URL(given);
    return `${protocol}//127.0.0.1:${await wire.listen()}${path}${search}`;
  };
  const wireTo = (given: string, port: number) => {
    const url = new URL(given);
    return new Wire(url.hostname, Number(url.port || port));
  };
  const reads = () => gateway.get(`/v1/spaces/${space}`);
  const writes = () => gateway.post(`/v1/orgs/${organization}/spaces`, { title: 'written' });
  const connected = (state: string) =>
    eventually(
      `bindery_bus_connected ${state}`,
      async () => (await gateway.get<string>('/metrics', { token: null })).body,
      (metrics) => metrics.includes(`\nbindery_bus_connected ${state}\n`),
    );
  const until = (status: number, ask: () => Promise<{ status: number }>) =>
    eventually(`an answer with ${status}`, ask, (answer) => answer.status === status);
  const expectRefused = async (text: string) => {
    for (const ask of [reads, writes]) {
      const answer = await ask();
      expect(answer).toMatchObject({ status: 503, body: { error: { message: expect.stringContaining(text) } } });
      expect(answer.headers.get('retry-after')).toBe('1');
    }
  };

  beforeAll(async () => {
    bus = wireTo(String(NATS_URL), 4222);
    documents = wireTo(String(MONGODB_URL), 27017);
    const port = await freePort();
    metrics = `http://127.0.0.1:${await freePort()}`;
    const env = {
      NATS_URL: await through(bus, String(NATS_URL)),
      MONGODB_URL: await through(documents, String(MONGODB_URL), `/${database}`),
      SECRET_KEY: randomBytes(32).toString('base64'),
      BASE_URL: `http://127.0.0.1:${port}`,
      // One test waits until an answer of the database is given up.
      TIME_SCALE: '2',
    };
    clickhouse = await startClickHouse({ user: 'ada', password: 'hidden', database: 'docs' });
    behind = await startServer({
      env: {
        ...env,
        CLICKHOUSE_URL: clickhouse.url,
        SERVICES: 'identity,content,comments,sites,insights,integrations',
        METRICS_PORT: new URL(metrics).port,
      },
    });
    gateway = await startServer({ port, env: { ...env, SERVICES: 'gateway' } });
    await until(200, () => gateway.get('/readyz'));
    organization = await newOrganization(gateway);
    space = await newSpace(gateway, organization);
  });
  afterEach(async () => {
    bus.go();
    documents.go();
    await until(200, () => gateway.get('/readyz'));
  });
  afterAll(async () => {
    await gateway.stop();
    await behind.stop();
    await Promise.all([bus.close(), documents.close(), clickhouse.close()]);
    const client = await new MongoClient(String(MONGODB_URL)).connect();
    await client.db(database).dropDatabase();
    await client.close();
  });

  it('the bus say so, answer 503 at once, and go on when it is back', async () => {
    await connected('1');
    bus.refuse();
    await connected('0');
    await expectRefused('cannot be reached');
    expect((await fetch(`${metrics}/readyz`)).status).toBe(503);
    expect((await gateway.get('/readyz')).status).toBe(503);
    bus.go();
    await until(200, reads);
    await until(201, writes);
    await connected('1');
    for (const server of [gateway, behind]) await server.said(/the bus is connected again/);
  });

  it('the bus with a request under way do not wait for its answer', async () => {
    for (const [ask, statuses] of [
      [reads, [503]],
      [writes, [503, 504]],
    ] as const) {
      documents.hang();
      // On the bus, and any call: a token just checked is not asked for again, and a driver that has to connect anew asks for nothing by name.
      const underWay = bus.asked(
        /"action":"(identity\.(authenticate|resolveAccess)|content\.(getSpaceById|createSpace))/,
      );
      const answer = ask();
      await underWay;
      bus.refuse();
      const { status, body } = await answer;
      expect(statuses).toContain(status);
      expect(body.error.message).toMatch(/cannot be reached|connection to the services was lost/);
      bus.go();
      documents.go();
      await until(200, reads);
    }
  });

  it('the database answer 503 or 504 and never 500, at once when it is known, and go on when it is back', async () => {
    // The test before may have lost it as well.
    const losses = () => behind.output().split('MongoDB cannot be reached').length;
    const before = losses();
    documents.refuse();
    const statuses = new Set<number>();
    while (losses() === before) for (const { status } of await Promise.all([reads(), writes()])) statuses.add(status);
    expect([...statuses].filter((status) => ![200, 201, 503, 504].includes(status))).toEqual([]);
    await expectRefused('document store');
    documents.go();
    await until(200, reads);
    await until(201, writes);
    await behind.said(/MongoDB can be reached again/);
  });

  it('the answers of the database end in bounded time', async () => {
    documents.hang();
    const [read, written] = await Promise.all([reads(), writes()]);
    expect(read.status).toBe(503);
    expect([503, 504]).toContain(written.status);
  });

  it('nothing tell what they do', async () => {
    const tell = async () => (await fetch(`${metrics}/metrics`)).text();
    const told = await eventually('the number of jobs', tell, (metrics) =>
      /bindery_jobs\{service="content",kind="[^"]+",state="queued"\} 0/.test(metrics),
    );
    for (const name of [
      'bindery_outbox_pending{service="identity",consumer="content"}',
      'bindery_outbox_oldest_seconds',
      'nodejs_heap',
    ])
      expect(told).toContain(name);
    expect(await (await fetch(`${metrics}/readyz`)).json()).toEqual({ status: 'ok' });
    expect((await fetch(`${metrics}/healthz`)).status).toBe(200);
    expect((await fetch(`${metrics}/v1/user`)).status).toBe(404);
  });
});
