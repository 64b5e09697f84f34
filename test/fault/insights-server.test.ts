import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type ClickHouse, startClickHouse } from '../support/clickhouse.js';
import { newOrganization } from '../support/fixtures.js';
import { aggregationSuite } from '../support/insights/aggregation-suite.js';
import { exportSuite } from '../support/insights/export-suite.js';
import { segmentsSuite } from '../support/insights/segments-suite.js';
import { timesSuite } from '../support/insights/times-suite.js';
import { newTrackedSite, type TrackedSite } from '../support/insights/tracked-site.js';
import { trackingSuite } from '../support/insights/tracking-suite.js';
import { expectAllOnce, storedNames, Writers } from '../support/insights/writers.js';
import { type StartedServer, startServer } from '../support/server.js';

let clickHouse: ClickHouse;
let server: StartedServer;
beforeAll(async () => {
  clickHouse = await startClickHouse({ user: 'bindery', password: 'p@ss/wörd', database: 'docs' });
  const env = { CLICKHOUSE_URL: clickHouse.url, EVENT_WINDOW_MINUTES: '7000000', EVENT_RETENTION_DAYS: '20000' };
  server = await startServer({ env });
}, 60_000);
afterAll(async () => {
  await server.stop();
  await clickHouse.close();
});

const client = () => server;

describe('with a ClickHouse server, tracking', () => trackingSuite(client));
describe('with a ClickHouse server, aggregation', () => aggregationSuite(client));
describe('with a ClickHouse server, times', () => timesSuite(client));
describe('with a ClickHouse server, segments', () => segmentsSuite(client));
describe('with a ClickHouse server, export', () => exportSuite(client));

describe('while the ClickHouse server is away', () => {
  let site: TrackedSite;
  beforeAll(async () => {
    site = await newTrackedSite(server);
    await site.tracked([{}, {}]);
  });
  beforeEach(() => clickHouse.stop());
  afterEach(async () => {
    await clickHouse.stop();
    await clickHouse.start();
  });

  /** An answer that says in time that nothing was done, and that one may try again. */
  async function expectAway(ask: () => Promise<{ status: number; headers: Headers; body: any }>): Promise<void> {
    const started = performance.now();
    const { status, headers, body } = await ask();
    expect([status, body.error.message]).toEqual([
      503,
      expect.stringContaining('The analytics database does not answer'),
    ]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(performance.now() - started).toBeLessThan(4000);
  }

  it('tracking, aggregates, segments and exports are told so, and all else goes on', async () => {
    await Promise.all([
      expectAway(() => site.track([site.event()])),
      expectAway(() => site.track([site.event()], { token: null })),
      expectAway(() => site.aggregate({})),
      expectAway(() => site.segments()),
      expectAway(() => server.get(site.events())),
    ]);
    expect((await server.get('/readyz', { token: null })).status).toBe(200);
    expect((await server.get('/healthz', { token: null })).status).toBe(200);
    const organization = await newOrganization(server);
    expect((await server.get(`/v1/orgs/${organization}`)).status).toBe(200);
    const gone = await newTrackedSite(server);
    expect((await server.delete(gone.at())).status).toBeLessThan(300);
    await clickHouse.start();
    expect(await site.count()).toBe(2);
    await site.tracked([{}]);
    expect(await site.count()).toBe(3);
  });

  const memoryMB = () =>
    Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))?.[1]) / 1024;

  it('many who go on tracking fill no memory, and find it all again when it is back', async () => {
    const tracked = await newTrackedSite(server);
    const writers = new Writers(tracked);
    const before = memoryMB();
    const writing = writers.write(64);
    let most = 0;
    for (const end = Date.now() + 20_000; Date.now() < end; await delay(100)) most = Math.max(most, memoryMB());
    expect(writers.answers).toEqual({ 503: expect.any(Number) });
    expect(most - before).toBeLessThan(150);
    expect(writers.slowestMs).toBeLessThan(9000);
    expect((await server.get('/readyz', { token: null })).status).toBe(200);
    await clickHouse.start();
    await writers.written(1000);
    writers.stop();
    await writing;
    expectAllOnce(await storedNames(tracked), writers);
  }, 90_000);

  it('one that comes and goes loses no event, and doubles none', async () => {
    await clickHouse.start();
    const tracked = await newTrackedSite(server);
    const writers = new Writers(tracked);
    const writing = writers.write(16);
    for (let round = 0; round < 5; round++) {
      await writers.written(50);
      await delay(Math.random() * 300);
      await clickHouse.stop();
      await delay(Math.random() * 500);
      await clickHouse.start();
    }
    await writers.written(50);
    writers.stop();
    await writing;
    expect(Object.keys(writers.answers).filter((status) => !['204', '503', '504'].includes(status))).toEqual([]);
    expectAllOnce(await storedNames(tracked), writers);
  }, 60_000);
});
