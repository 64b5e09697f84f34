import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { analyticsDir } from '../../shared/analytics/analytics.js';
import { databaseLinks, type EngineFile, frozenDir, tableFiles } from '../../shared/analytics/frozen.js';
import type { Copy } from '../../shared/backup/copying.js';
import type { Manifest } from '../../shared/backup/manifest.js';
import { type Job, Jobs, jobCollections } from '../../shared/jobs/jobs.js';
import { createLog } from '../../shared/monitoring/log.js';
import { openStore } from '../../shared/process/platform.js';
import type { Config } from '../../shared/settings/config.js';
import { tryLockDataDir } from '../../shared/settings/data-lock.js';
import { scaleMs } from '../../shared/settings/time-scale.js';
import type { Collection, Store } from '../../shared/store/port.js';
import { newId } from '../../shared/values/ids.js';
import { freezeEvents } from '../insights/backup/freeze-events-job.js';

/** The events of visitors as a backup takes them. */
export interface Events extends Pick<Manifest, 'events' | 'links'> {
  copies: Copy[];
  /** Called when they are copied, or will not be. */
  release(): Promise<void>;
}

const withoutEvents = (events: Manifest['events']): Events => ({
  events,
  links: {},
  copies: [],
  release: async () => {},
});

const pollMs = 200;
const freezeMs = scaleMs(120_000);

const { jobs } = jobCollections('insights');

/**
 * Holds the events as they are now until they are copied. Where no server runs, nobody else may use the files meanwhile; a server that runs freezes
 * them.
 */
export async function holdEvents(config: Config, wanted: boolean, signal: AbortSignal): Promise<Events> {
  const dir = analyticsDir(config.DATA_DIR);
  if (config.CLICKHOUSE_URL) return withoutEvents('in ClickHouse');
  if (!existsSync(dir)) return withoutEvents('none');
  if (!wanted) return withoutEvents('left out');
  const store = await openStore(config, createLog('silent'));
  try {
    await store.prepare([jobs] as Collection<never>[]);
    return await acquireEvents(store, config.DATA_DIR, signal);
  } finally {
    await store.close();
  }
}

async function acquireEvents(store: Store, dataDir: string, signal: AbortSignal): Promise<Events> {
  const dir = analyticsDir(dataDir);
  const name = newId();
  const until = Date.now() + freezeMs;
  let asked = false;
  try {
    for (;;) {
      signal.throwIfAborted();
      const free = await tryLockDataDir(dataDir);
      if (free) return await frozenEvents(dir, dir, async () => free());
      if (!asked) await askForFreeze(store, name);
      asked = true;
      if (isDone(await store.get(jobs, name)))
        return await frozenEvents(dir, frozenDir(dir, name), () =>
          rm(frozenDir(dir, name), { recursive: true, force: true }),
        );
      if (Date.now() > until) throw freezeError('no answer in two minutes');
      await delay(pollMs);
    }
  } finally {
    // Withdraws the job if the server has not begun it: nobody needs its result any more.
    if (asked) await store.delete(jobs, { _id: name, state: { $ne: 'running' } });
  }
}

/** Asks the server to freeze the events. The job is not in the backup: its documents are those of an earlier moment. */
async function askForFreeze(store: Store, name: string): Promise<void> {
  const queue = new Jobs({ store, service: 'insights', log: createLog('silent'), exclusive: false });
  await store.batch([queue.enqueueOnce(name, freezeEvents, {}, { orderKey: freezeEvents })]);
}

function isDone(job: Job | null): boolean {
  if (!job || job.state === 'failed') throw freezeError(job?.error ?? 'the job is gone');
  return job.state === 'done';
}

const freezeError = (why: string) =>
  new Error(
    `the server did not freeze the events of visitors (${why}): look into its log, stop it for the backup, or leave them out with --without-events`,
  );

async function frozenEvents(dir: string, partsIn: string, release: () => Promise<void>): Promise<Events> {
  try {
    const files = await tableFiles(dir, partsIn);
    const copyOfFile = ({ path, from }: EngineFile): Copy => ({
      path: `analytics/${path}`,
      from,
      // A list of rows to be deleted, which the engine removes when it has dealt with it long since.
      mayVanish: /\/mutation_\d+\.txt$/.test(path),
    });
    const links = Object.entries(await databaseLinks(dir)).map(([path, target]) => [`analytics/${path}`, target]);
    return { events: 'included', links: Object.fromEntries(links), copies: files.map(copyOfFile), release };
  } catch (error) {
    await release();
    throw error;
  }
}
