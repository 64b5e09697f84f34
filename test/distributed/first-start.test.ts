import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { eventually } from '../../shared/testing/eventually.js';
import { type ClickHouse, startClickHouse } from '../support/clickhouse.js';
import { Client, type StartedServer, startServer } from '../support/server.js';

const { MONGODB_URL, NATS_URL } = process.env;
const servers = MONGODB_URL && NATS_URL ? describe : describe.skip;
if (servers === describe.skip)
  console.warn('SKIPPED: the first start on NATS and MongoDB; set NATS_URL and MONGODB_URL to test it');

servers('the first start of several processes', () => {
  let database: string;
  let started: StartedServer[];
  let secretKey: string;
  let clickhouse: ClickHouse;
  beforeAll(async () => {
    clickhouse = await startClickHouse();
  });
  afterAll(() => clickhouse.close());
  beforeEach(() => {
    database = `bindery-test-${randomBytes(6).toString('hex')}`;
    secretKey = randomBytes(32).toString('base64');
    started = [];
  });
  afterEach(async () => {
    for (const server of started)
      if (server.process.exitCode === null && server.process.signalCode === null) expect(await server.stop()).toBe(0);
    const client = await new MongoClient(String(MONGODB_URL)).connect();
    await client.db(database).dropDatabase();
    await client.close();
  });

  const start = async (services: string) => {
    const url = new URL(String(MONGODB_URL));
    url.pathname = `/${database}`;
    const env = {
      SERVICES: services,
      NATS_URL: String(NATS_URL),
      MONGODB_URL: url.href,
      CLICKHOUSE_URL: clickhouse.url,
      SECRET_KEY: secretKey,
      BOOTSTRAP_TOKEN: '',
      // What a killed process had claimed is free when its lease ends.
      TIME_SCALE: '0.5',
    };
    const server = await startServer({ env });
    started.push(server);
    return server;
  };
  const banners = () => started.flatMap((server) => [...server.output().matchAll(/API token\s+(bnd_\S+)/g)]);
  /** What the banner promises is there, once. */
  const expectWhole = async (gateway: StartedServer) => {
    const [, token = ''] = (await eventually('the banner', () => banners()[0])) as RegExpMatchArray;
    const client = new Client(gateway.url, token);
    const user = () => client.get('/v1/user');
    await eventually('the first user', user, ({ status }) => status === 200);
    const organizations = (await client.get('/v1/orgs')).body.items;
    expect(organizations).toHaveLength(1);
    const pages = async (): Promise<unknown[]> => {
      const { items = [] } = (await client.get(`/v1/orgs/${organizations[0].id}/spaces`)).body;
      expect(items.length).toBeLessThanOrEqual(1);
      return items[0] ? ((await client.get(`/v1/spaces/${items[0].id}/content/pages`)).body.pages ?? []) : [];
    };
    await eventually('the pages of the handbook', pages, ({ length }) => length > 0);
    const sites = async (): Promise<unknown[]> =>
      (await client.get(`/v1/orgs/${organizations[0].id}/sites`)).body.items ?? [];
    expect(await eventually('the site of the handbook', sites, ({ length }) => length > 0)).toHaveLength(1);
    expect(banners()).toHaveLength(1);
  };

  it('is told once where two processes of identity start at once', async () => {
    const [gateway] = await Promise.all([
      start('gateway'),
      start('identity'),
      start('identity'),
      start('content,comments,sites,insights,integrations'),
    ]);
    await expectWhole(gateway as StartedServer);
  });

  it('brings the handbook when content comes long after, and outlives a process that was killed on the way', async () => {
    const first = await start('identity');
    const gateway = await start('gateway');
    await first.kill();
    await Promise.all([start('identity'), start('content,comments,sites,insights,integrations')]);
    await expectWhole(gateway);
  });
});
