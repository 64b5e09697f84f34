import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../shared/store/sqlite/store.js';
import { eventCollections, events } from '../queue/model.js';
import { listQuery } from './lists.js';

let folder: string;
let store: Store;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-events-'));
  store = await openSqliteStore({ path: join(folder, 'events.sqlite') });
  await store.prepare(eventCollections);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const owners = [{ publication: 'p' }, { installation: 'i', integration: 'n' }];
const filters = [{}, { status: 'success' }, { status: 'failed' }, { dead: true }, { dead: false }] as const;

it.each(owners.flatMap((owner) => filters.map((filter) => ({ owner, filter }))))(
  'a list of events is read from an index in its order: $owner $filter',
  async ({ owner, filter }) => {
    const plan = await store.explain(events, { ...listQuery(owner, filter), limit: 50 });
    expect(plan).toMatch(/USING (COVERING )?INDEX/);
    expect(plan).not.toMatch(/SCAN d\b(?! USING)|TEMP B-TREE/);
  },
);

it('status and dead select together', () => {
  const results = (wanted: Parameters<typeof listQuery>[1]) =>
    (listQuery({ publication: 'p' }, wanted).filter as { result: { $in: string[] } }).result.$in;
  expect(results({})).toEqual(['success', 'failed', 'dead']);
  expect(results({ status: 'success' })).toEqual(['success']);
  expect(results({ status: 'failed' })).toEqual(['failed', 'dead']);
  expect(results({ dead: true })).toEqual(['dead']);
  expect(results({ dead: false })).toEqual(['success', 'failed']);
  expect(results({ status: 'failed', dead: false })).toEqual(['failed']);
  expect(results({ status: 'success', dead: true })).toEqual([]);
});

it('the events of a lane, and the lanes that have any, are found in an index', async () => {
  const ofLane = await store.explain(events, { filter: { lane: 'l' }, sort: { sequence: 1 }, limit: 50 });
  const next = await store.explain(events, {
    filter: { lane: { $gt: 'l' } },
    sort: { lane: 1, sequence: 1 },
    limit: 1,
  });
  for (const plan of [ofLane, next]) {
    expect(plan).toMatch(/SEARCH d USING INDEX/);
    expect(plan).not.toContain('TEMP B-TREE');
  }
});
