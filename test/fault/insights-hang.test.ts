import { setTimeout as delay } from 'node:timers/promises';
import { Wire } from '../../shared/testing/wire.js';
import { type ClickHouse, startClickHouse } from '../support/clickhouse.js';
import { newTrackedSite } from '../support/insights/tracked-site.js';
import { expectAllOnce, storedNames, Writers } from '../support/insights/writers.js';
import { type StartedServer, startServer } from '../support/server.js';

let clickHouse: ClickHouse;
let wire: Wire;
let server: StartedServer;
beforeAll(async () => {
  clickHouse = await startClickHouse();
  wire = new Wire('127.0.0.1', Number(new URL(clickHouse.url).port));
  server = await startServer({ env: { CLICKHOUSE_URL: `http://127.0.0.1:${await wire.listen()}` } });
}, 60_000);
afterAll(async () => {
  await server.stop();
  await wire.close();
  await clickHouse.close();
});

const timed = async <T>(work: Promise<T>): Promise<[T, number]> => {
  const started = performance.now();
  return [await work, performance.now() - started];
};

it('a ClickHouse server that hangs holds up nobody for long, and what it took is stored once', async () => {
  const site = await newTrackedSite(server);
  const writers = new Writers(site);
  const writing = writers.write(16);
  await writers.written(100);
  wire.hang();
  const asked = [site.aggregate({}), site.segments(), server.get(site.events()), site.track([site.event()])];
  const others = await Promise.all([server.get('/readyz', { token: null }), server.get('/v1/user')].map(timed));
  for (const [{ status }, ms] of others) {
    expect(status).toBe(200);
    expect(ms).toBeLessThan(2000);
  }
  for (const [{ status }, ms] of await Promise.all(asked.map(timed))) {
    expect([503, 504]).toContain(status);
    expect(ms).toBeLessThan(15_000);
  }
  await delay(5000);
  wire.go();
  await writers.written(100);
  writers.stop();
  await writing;
  expect(Object.keys(writers.answers).filter((status) => !['204', '503', '504'].includes(status))).toEqual([]);
  expect(writers.slowestMs).toBeLessThan(15_000);
  // One event has no writer, and no name.
  expectAllOnce((await storedNames(site)).filter(Boolean), writers);
}, 120_000);

it('answers that are lost on their way double no event', async () => {
  const site = await newTrackedSite(server);
  const writers = new Writers(site);
  const writing = writers.write(8);
  for (let lost = 0; lost < 8; lost++) {
    await writers.written(20);
    wire.loseAnswer('INSERT INTO insights_events');
    await delay(150);
    wire.go();
  }
  writers.stop();
  await writing;
  // Only an insert that was sent again takes so long.
  expect(writers.slowestMs).toBeGreaterThan(100);
  expectAllOnce(await storedNames(site), writers);
}, 60_000);
