import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../shared/testing/eventually.js';
import { newOrganization } from '../support/fixtures.js';
import { newTrackedSite } from '../support/insights/tracked-site.js';
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
const engine = () =>
  eventually('the engine process', () => {
    const processes = execFileSync('ps', ['-A', '-o', 'pid=,args=']).toString().split('\n');
    const line = processes.find((each) => each.includes('engine-process.js') && each.includes(dataDir));
    return Number(line?.trim().split(/\s+/, 1)[0]);
  });

it('while the engine is killed again and again, writers get 204 or are told, and no event is lost or doubled', async () => {
  const site = await newTrackedSite(server);
  const writers = new Writers(site);
  const writing = writers.write(16);
  for (let kill = 0; kill < 6; kill++) {
    await writers.written(between);
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
});

it('the engine starts when a site is published and with every later start of the server, before any event comes', async () => {
  const organization = await newOrganization(server);
  const { body: site } = await server.post(`/v1/orgs/${organization}/sites`, { title: 'Docs' });
  expect(existsSync(join(dataDir, 'analytics'))).toBe(false);
  expect((await server.post(`/v1/orgs/${organization}/sites/${site.id}/publish`)).status).toBe(200);
  expect(await engine()).toBeGreaterThan(0);
  await server.stop();
  server = await startServer({ dataDir });
  expect(await engine()).toBeGreaterThan(0);
});
