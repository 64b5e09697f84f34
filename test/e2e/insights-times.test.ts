import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { openAnalytics } from '../../shared/analytics/analytics.js';
import { createLog } from '../../shared/monitoring/log.js';
import { packageFile } from '../../shared/process/package-root.js';
import { eventually } from '../../shared/testing/eventually.js';
import { timesSuite } from '../support/insights/times-suite.js';
import { newTrackedSite } from '../support/insights/tracked-site.js';
import { type StartedServer, startServer } from '../support/server.js';

let dataDir: string;
let server: StartedServer;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bindery-insights-'));
  const env = { EVENT_WINDOW_MINUTES: '7000000', EVENT_RETENTION_DAYS: '20000' };
  server = await startServer({ dataDir, env });
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

timesSuite(() => server);

/** The numbers of events in the database of a stopped server, by site, as soon as those of one site are gone. */
async function storedWithout(gone: string): Promise<Map<string, number>> {
  const built = pathToFileURL(packageFile('dist/shared/analytics/analytics.js')).href;
  const module = (await import(built)) as { openAnalytics: typeof openAnalytics };
  const { client, close } = await module.openAnalytics({ dataDir, log: createLog('silent') });
  const query = 'SELECT site, toUInt32(count()) AS count FROM insights_events GROUP BY site';
  const stored = await eventually(
    'the end of the events of the deleted site',
    async () => {
      const rows = await (await client.query({ query, format: 'JSONEachRow' })).json<{ site: string; count: number }>();
      return new Map(rows.map(({ site, count }) => [site, count]));
    },
    (counts) => !counts.has(gone),
  );
  await close();
  return stored;
}

it('the events of a deleted site are deleted, and only those', async () => {
  const gone = await newTrackedSite(server);
  const kept = await newTrackedSite(server, { organization: gone.organization });
  for (const site of [gone, kept]) await site.tracked(Array.from({ length: 150 }, () => ({})));
  expect((await server.delete(gone.at())).status).toBeLessThan(300);
  await eventually(
    'a run that removed the events',
    () => server.get<string>('/metrics', { token: null }),
    ({ body }) =>
      body.includes('bindery_job_runs_total{service="insights",kind="removeSiteEvents",outcome="completed"} 1'),
  );
  expect(await kept.count()).toBe(150);
  expect(await server.stop()).toBe(0);
  expect((await storedWithout(gone.id)).get(kept.id)).toBe(150);
});
