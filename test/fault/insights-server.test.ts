import { readFileSync } from 'node:fs';
import { eventually } from '../../shared/testing/eventually.js';
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
});
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
  let server: StartedServer;
  let site: TrackedSite;
  beforeAll(async () => {
    // The end of what waits for it is waited for.
    server = await startServer({ env: { CLICKHOUSE_URL: clickHouse.url, TIME_SCALE: '0.5' } });
    site = await newTrackedSite(server);
    await site.tracked([{}, {}]);
  });
  afterAll(() => server.stop());
  beforeEach(() => clickHouse.stop());
  afterEach(async () => {
    await clickHouse.stop();
    await clickHouse.start();
  });

  /** An answer that says that nothing was done, and that one may try again. */
  async function expectAway(ask: () => Promise<{ status: number; headers: Headers; body: any }>): Promise<void> {
    const { status, headers, body } = await ask();
    expect([status, body.error.message]).toEqual([
      503,
      expect.stringContaining('The analytics database does not answer'),
    ]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
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
    // Eight rounds of all writers.
    await eventually('512 refusals', () => {
      most = Math.max(most, memoryMB());
      return Number(writers.answers[503]) >= 512;
    });
    expect(writers.answers).toEqual({ 503: expect.any(Number) });
    expect(most - before).toBeLessThan(150);
    expect((await server.get('/readyz', { token: null })).status).toBe(200);
    await clickHouse.start();
    await writers.written(1000);
    writers.stop();
    await writing;
    expectAllOnce(await storedNames(tracked), writers);
  });

  it('one that comes and goes loses no event, and doubles none', async () => {
    await clickHouse.start();
    const tracked = await newTrackedSite(server);
    const writers = new Writers(tracked);
    const writing = writers.write(16);
    for (let round = 0; round < 5; round++) {
      await writers.written(50);
      await clickHouse.stop();
      const before = writers.unknown.length;
      await eventually('a writer who is told so', () => writers.unknown.length > before);
      await clickHouse.start();
    }
    await writers.written(50);
    writers.stop();
    await writing;
    expect(Object.keys(writers.answers).filter((status) => !['204', '503', '504'].includes(status))).toEqual([]);
    expectAllOnce(await storedNames(tracked), writers);
  });
});
