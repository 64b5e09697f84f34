import { eventually } from '../../shared/testing/eventually.js';
import { Wire } from '../../shared/testing/wire.js';
import { type ClickHouse, startClickHouse } from '../support/clickhouse.js';
import { newTrackedSite } from '../support/insights/tracked-site.js';
import { expectAllOnce, storedNames, Writers } from '../support/insights/writers.js';
import { type StartedServer, startServer } from '../support/server.js';

let clickHouse: ClickHouse;
let wire: Wire;
let wireUrl: string;
let server: StartedServer;
beforeAll(async () => {
  clickHouse = await startClickHouse();
  wire = new Wire('127.0.0.1', Number(new URL(clickHouse.url).port));
  wireUrl = `http://127.0.0.1:${await wire.listen()}`;
});
afterEach(() => server.stop());
afterAll(async () => {
  await wire.close();
  await clickHouse.close();
});

it('a ClickHouse server that hangs holds up nobody else, what asks it is told so, and what it took is stored once', async () => {
  // The end of what waits for it is waited for.
  server = await startServer({ env: { CLICKHOUSE_URL: wireUrl, TIME_SCALE: '1' } });
  const site = await newTrackedSite(server);
  const writers = new Writers(site);
  const writing = writers.write(16);
  await writers.written(100);
  wire.hang();
  let answered = 0;
  const asked = [site.aggregate({}), site.segments(), server.get(site.events()), site.track([site.event()])].map(
    (answer) => answer.finally(() => (answered += 1)),
  );
  const others = await Promise.all([server.get('/readyz', { token: null }), server.get('/v1/user')]);
  expect(others.map(({ status }) => status)).toEqual([200, 200]);
  expect(answered).toBe(0);
  for (const { status } of await Promise.all(asked)) expect([503, 504]).toContain(status);
  await eventually('a writer who is told so', () => writers.unknown.length);
  wire.go();
  await writers.written(100);
  writers.stop();
  await writing;
  expect(Object.keys(writers.answers).filter((status) => !['204', '503', '504'].includes(status))).toEqual([]);
  // One event has no writer, and no name.
  expectAllOnce((await storedNames(site)).filter(Boolean), writers);
});

it('answers that are lost on their way double no event', async () => {
  server = await startServer({ env: { CLICKHOUSE_URL: wireUrl } });
  const site = await newTrackedSite(server);
  const writers = new Writers(site);
  const writing = writers.write(8);
  // The wire refuses all once it has lost an answer.
  const isLost = () =>
    fetch(`${wireUrl}/ping`).then(
      () => false,
      () => true,
    );
  for (let lost = 0; lost < 8; lost++) {
    await writers.written(20);
    wire.loseAnswer('INSERT INTO insights_events');
    await eventually('an answer that is lost', isLost);
    wire.go();
  }
  writers.stop();
  await writing;
  // Each insert whose answer was lost was sent again.
  expect(Object.keys(writers.answers)).toEqual(['204']);
  expectAllOnce(await storedNames(site), writers);
});
