import { Counter } from 'prom-client';
import type { HasBlobs } from '../../../../shared/blobs/port.js';
import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import type { Log } from '../../../../shared/monitoring/log.js';
import { metricsRegistry } from '../../../../shared/monitoring/metrics.js';
import { eachDocument, type HasStore, StoreDuplicate, write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import { spaces } from '../nodes/model.js';
import { blobCounts, collectors, type UsageDocument, usages } from './model.js';
import { tidySpace } from './unreached.js';
import { uploads, usableMs } from './uploads/model.js';

type Dependencies = HasStore & HasBlobs & HasJobs;

const hourMs = 3_600_000;
/** A blob stays so long after its last use, for answers and imports that still refer to it. */
const unusedMs = 24 * hourMs;
const dayMs = 24 * hourMs;
const atOnce = 100;

const collected = new Counter({
  name: 'bindery_collected_blobs_total',
  help: 'Files that nothing used any more and that this process deleted.',
  registers: [metricsRegistry],
});

/** Deletes files that nothing uses, once an hour in one of the processes. Returns the function that ends this. */
export function startCollector(deps: Dependencies, log: Log): () => void {
  const collectInTurn = async () => {
    try {
      if (await claimTurn(deps)) await deleteUnusedBlobs(deps);
    } catch (err) {
      log.warn({ err }, 'collecting unused files failed; will retry in an hour');
    }
  };
  void collectInTurn();
  const running = setInterval(collectInTurn, hourMs / 4);
  return () => clearInterval(running);
}

const timestampBefore = (ms: number, now = Date.now()) => timestamp(new Date(now - ms));

/** Whether it is this process's turn. */
async function claimTurn({ store }: Dependencies): Promise<boolean> {
  const _id = 'blobs';
  const startedAt = timestamp();
  const due = await store.update(
    collectors,
    { _id, startedAt: { $lt: timestampBefore(hourMs) } },
    { $set: { startedAt } },
  );
  if (due) return true;
  try {
    await store.insert(collectors, { _id, startedAt });
    return true;
  } catch (error) {
    if (error instanceof StoreDuplicate) return false;
    throw error;
  }
}

/** Deletes blobs that have been unused for a day at `now`, in milliseconds; but none before every space is counted. */
export async function deleteUnusedBlobs(deps: Dependencies, now = Date.now()): Promise<void> {
  const { store, blobs } = deps;
  await store.deleteMany(uploads, { createdAt: { $lt: timestampBefore(usableMs, now) } });
  await blobs.sweep(new Date(now));
  if (await enqueueCounting(deps)) return;
  await enqueueTidying(deps, now);
  const unused = { uses: 0, unusedSince: { $lt: timestampBefore(unusedMs, now) } };
  for (;;) {
    const { items } = await store.page(blobCounts, { filter: unused, sort: {}, limit: atOnce });
    if (items.length === 0) return;
    for (const { _id } of items) {
      if (!(await store.update(blobCounts, { _id, ...unused }, { $set: { deleting: true } }))) continue;
      await blobs.delete(_id);
      await store.delete(blobCounts, { _id, deleting: true });
      collected.inc();
    }
  }
}

/** Has spaces tidied that have changed, once a day; and all others once a month, since revisions grow old. */
async function enqueueTidying({ store, jobs }: Dependencies, now: number): Promise<void> {
  const fields = ['organization', 'commits', 'tidied', 'tidiedAt'] satisfies (keyof UsageDocument)[];
  for await (const usage of eachDocument(store, usages, { kind: 'space' }, fields)) {
    const { _id: space, organization, commits = 0, tidied = 0, tidiedAt } = usage;
    if (commits === 0 || (tidiedAt ?? '') > timestampBefore(commits === tidied ? 30 * dayMs : dayMs, now)) continue;
    await store.batch([
      write.update(usages, { _id: space }, { $set: { tidiedAt: timestamp(new Date(now)) } }),
      jobs.enqueue(tidySpace, { space }, { orderKey: `git ${space}`, share: organization }),
    ]);
  }
}

/** Has the spaces counted that an earlier version stored; returns whether there are any. */
async function enqueueCounting({ store, jobs }: Dependencies): Promise<boolean> {
  let found = false;
  for await (const { _id } of eachDocument(store, spaces, {}, ['_id'])) {
    if (await store.get(usages, _id, { fields: ['kind'] })) continue;
    found = true;
    await store.batch([jobs.enqueue(tidySpace, { space: _id }, { orderKey: `git ${_id}` })]);
  }
  return found;
}
