import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { newTrackedSite, TrackedSite } from '../support/insights/tracked-site.js';
import { expectAllOnce, storedNames, Writers } from '../support/insights/writers.js';
import { type StartedServer, startServer } from '../support/server.js';

/** Events that are acknowledged before each kill, at least: enough for the counts at the end, as an answer acknowledges four at most. */
const between = 175;

let dataDir: string;
let server: StartedServer;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bindery-insights-kill-'));
  server = await startServer({ dataDir });
});
afterEach(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The engine process of the server, which may be starting it again. */
async function engine(): Promise<number> {
  for (;;) {
    const processes = execFileSync('ps', ['-A', '-o', 'pid=,args=']).toString().split('\n');
    const line = processes.find((each) => each.includes('engine-process.js') && each.includes(dataDir));
    if (line) return Number(line.trim().split(/\s+/, 1)[0]);
    await delay(20);
  }
}

it('after each kill -9 of the product every acknowledged event is there, and none is there twice', async () => {
  const { organization, id } = await newTrackedSite(server);
  const { port } = new URL(server.url);
  let site = new TrackedSite(server, organization, id);
  const writers = new Writers(site);
  for (let round = 0; round < 10; round++) {
    const writing = writers.write(16);
    await writers.written(between);
    await delay(Math.random() * 500);
    // With its engine, or without: that ends by itself.
    if (round % 2 === 0) process.kill(await engine(), 'SIGKILL');
    await server.kill();
    await writing;
    server = await startServer({ dataDir, port: Number(port) });
    site = new TrackedSite(server, organization, id);
    const stored = await site.count();
    expect(stored).toBeGreaterThanOrEqual(writers.acknowledged.length);
    expect(stored).toBeLessThanOrEqual(writers.acknowledged.length + writers.unknown.length);
  }
  expect(writers.acknowledged.length).toBeGreaterThan(1000);
  expectAllOnce(await storedNames(site), writers);
}, 240_000);

it('while the engine is killed again and again, writers get 204 or are told, and no event is lost or doubled', async () => {
  const site = await newTrackedSite(server);
  const writers = new Writers(site);
  const writing = writers.write(16);
  for (let kill = 0; kill < 6; kill++) {
    await writers.written(between);
    await delay(Math.random() * 500);
    process.kill(await engine(), 'SIGKILL');
  }
  await writers.written(between);
  writers.stop();
  await writing;
  const { 204: stored = 0, 503: away = 0, 504: unknown = 0, ...others } = writers.answers;
  expect(others).toEqual({});
  expect(stored).toBeGreaterThan(300);
  expect(away + unknown).toBeLessThan(stored);
  expectAllOnce(await storedNames(site), writers);
}, 240_000);
