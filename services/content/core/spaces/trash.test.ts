import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolderBlobs } from '../../../../shared/blobs/folder.js';
import { consumersOf } from '../../../../shared/contract/event.js';
import { Jobs } from '../../../../shared/jobs/jobs.js';
import { Outbox, outboxCollection } from '../../../../shared/jobs/outbox.js';
import { createLog } from '../../../../shared/monitoring/log.js';
import { type Store, write } from '../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../shared/store/sqlite/store.js';
import { eventually } from '../../../../shared/testing/eventually.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import { contentCollections } from '../../dependencies.js';
import { contentEvents, spaceDeleted } from '../../events.js';
import { grants } from '../access/model.js';
import { collections, spaces } from '../nodes/model.js';
import { pageSearch, revisions } from '../revisions/model.js';
import { Ledger } from '../storage/ledger.js';
import { purgeCollectionJob } from './collection-deletion.js';
import { newSpace } from './new-space.js';
import { purgeSpace, purgeSpaceJob } from './trash.js';

const log = createLog('silent');
const consumers = consumersOf({ sites: { spaceDeleted } });
let folder: string;
let store: Store;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-purge-'));
  store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
  await store.prepare(contentCollections, [pageSearch]);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

/** Sites that do not answer the first time; `received` is what they got. */
function sites() {
  const received: unknown[] = [];
  let refusals = 1;
  let onArrival = () => {};
  const arrived = new Promise<void>((resolve) => {
    onArrival = resolve;
  });
  const outbox = new Outbox({
    store,
    service: 'content',
    emits: contentEvents,
    consumers,
    log,
    deliver: async (_, events) => {
      if (refusals-- > 0) {
        outbox.relayNow();
        throw new Error('not now');
      }
      received.push(...events.map(({ payload }) => payload));
      onArrival();
      return [];
    },
  });
  return { outbox, received, arrived };
}

async function deleted(): Promise<{ organization: string; space: string; deletedAt: string }> {
  const organization = newId();
  const { space, writes } = newSpace({ organization, creator: 'ada' });
  await store.batch(writes);
  const deletedAt = timestamp();
  await store.update(spaces, { _id: space._id }, { $set: { deletedAt } });
  return { organization, space: space._id, deletedAt };
}

it('a purged space is gone with its content, and sites are notified until they answer', async () => {
  const { outbox, received, arrived } = sites();
  const jobs = new Jobs({ store, service: 'content', log, exclusive: true });
  const { organization, space, deletedAt } = await deleted();
  const kept = await deleted();
  const ledger = new Ledger(store, openFolderBlobs(join(folder, 'blobs')), 0);
  jobs.register(purgeSpaceJob({ store, outbox, ledger, ofSpaces: [] }));
  outbox.start();
  await jobs.start();
  await store.batch([
    jobs.enqueue(purgeSpace, { space: kept.space, deletedAt: '2020-01-01T00:00:00.000Z' }),
    jobs.enqueue(purgeSpace, { space, deletedAt }),
  ]);
  jobs.claimNow();
  await arrived;
  // The content goes after the space.
  await eventually(
    'the end of its content',
    () => store.count(revisions, { space }),
    (count) => count === 0,
  );
  await jobs.stop();
  await outbox.stop();
  expect(received).toEqual([{ organization, space }]);
  expect(await store.get(spaces, space)).toBeNull();
  expect(await store.get(spaces, kept.space)).not.toBeNull();
  expect(await store.count(outboxCollection('content'), {})).toBe(0);
});

it('a deleted collection is purged when no space takes its access from it any more', async () => {
  const jobs = new Jobs({ store, service: 'content', log, exclusive: true });
  const [organization, outer, inner] = [newId(), newId(), newId()];
  const deletedAt = timestamp();
  const common = { organization, title: 'C', defaultLevel: null, creator: 'ada', createdAt: deletedAt, deletedAt };
  const { space, writes } = newSpace({ organization, creator: 'ada' });
  const granted = {
    organization,
    kind: 'collection',
    principal: 'user',
    id: 'ada',
    role: 'read',
    createdAt: deletedAt,
  } as const;
  await store.batch([
    write.insert(collections, { _id: outer, parent: null, ...common }),
    write.insert(collections, { _id: inner, parent: outer, ...common }),
    write.insert(grants, { _id: `${outer}:user:ada`, node: outer, ...granted }),
    ...writes,
  ]);
  const kept = async () => (await store.getMany(collections, [outer, inner])).map(({ _id }) => _id);
  const { run } = purgeCollectionJob({ store, jobs });
  const purge = (collection: string) => run({ job: { payload: { collection } } } as Parameters<typeof run>[0]);
  await store.update(spaces, { _id: space._id }, { $set: { formerParent: inner } });
  for (const collection of [outer, inner]) await purge(collection);
  expect((await kept()).sort()).toEqual([outer, inner].sort());
  await store.update(spaces, { _id: space._id }, { $unset: { formerParent: true } });
  for (const collection of [outer, inner]) await purge(collection);
  expect(await kept()).toEqual([outer]);
  await purge(outer);
  expect(await kept()).toEqual([]);
  expect(await store.count(grants, { organization })).toBe(0);
});
