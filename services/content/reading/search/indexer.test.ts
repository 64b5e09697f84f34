import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Jobs, jobCollections } from '../../../../shared/jobs/jobs.js';
import { createLog } from '../../../../shared/monitoring/log.js';
import type { Store } from '../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../shared/store/sqlite/store.js';
import { eventually } from '../../../../shared/testing/eventually.js';
import { newId } from '../../../../shared/values/ids.js';
import { spaces } from '../../core/nodes/model.js';
import { pageSearch } from '../../core/revisions/model.js';
import { RevisionCache } from '../../core/revisions/revision-cache.js';
import { newSpace } from '../../core/spaces/new-space.js';
import { contentCollections } from '../../dependencies.js';
import { workHere as work } from '../../format/workers/testing/work-here.js';
import { Indexer, indexLater } from './indexer.js';

let folder: string;
let store: Store;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-indexer-'));
  store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
  await store.prepare(contentCollections, [pageSearch]);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

it('leaves no job to do for content that it has indexed, and that of other content', async () => {
  const log = createLog('silent');
  const jobs = new Jobs({ store, service: 'content', log, exclusive: true });
  const indexer = new Indexer({ store, work, revisions: new RevisionCache(store), jobs }, log);
  const { space, writes } = newSpace({ organization: newId(), creator: 'ada' });
  const { _id, revision } = space;
  const other = newId();
  const later = [revision, other].map((each) => indexLater(jobs, { space: _id, revision: each }));
  await store.batch([...writes, ...later]);
  indexer.soon(_id, revision);
  const left = async () => {
    const { items } = await store.page(jobCollections('content').jobs, { filter: {}, sort: {}, limit: 10 });
    return items.map((job) => job._id);
  };
  expect(await eventually('the end of the job', left, ({ length }) => length < 2)).toEqual([`index ${other}`]);
  expect(await store.get(spaces, _id)).toMatchObject({ indexed: revision });
  await indexer.stop();
});
