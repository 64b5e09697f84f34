import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../../../shared/monitoring/log.js';
import type { Store } from '../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../shared/store/sqlite/store.js';
import { eventually } from '../../../../shared/testing/eventually.js';
import { eventCollections, events } from '../queue/model.js';
import { keptLogs, RecordingLimit, recordEvent } from './record.js';

let folder: string;
let store: Store;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-records-'));
  store = await openSqliteStore({ path: join(folder, 'events.sqlite') });
  await store.prepare(eventCollections);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const integration = { _id: 'hello', publication: 'p' };
const read = (id: string) => eventually('the record', () => store.get(events, id));
const deps = () => ({ store, log: createLog('silent'), recording: new RecordingLimit() });

describe('an event that was answered', () => {
  it('is recorded with its log, without what requests keep secret', async () => {
    const request = { url: 'https://docs.test/', headers: { Authorization: 'Bearer x', cookie: 'a=b', accept: '*/*' } };
    const logs = Promise.resolve([{ level: 'info', message: 'hello' } as const]);
    const event = { eventId: 'one', type: 'fetch', request };
    recordEvent(deps(), { integration, organization: 'o', installation: 'i', event, isFailed: false, logs });
    const found = await read('one');
    expect(found).toMatchObject({ result: 'success', answered: true, attempts: 1, installation: 'i', type: 'fetch' });
    expect(found?.logs).toEqual([{ level: 'info', message: 'hello' }]);
    expect(JSON.parse(found?.payload ?? '').request.headers).toEqual({
      Authorization: '***',
      cookie: '***',
      accept: '*/*',
    });
  });

  it('that failed is dead: it is not tried again', async () => {
    recordEvent(deps(), {
      integration,
      organization: 'o',
      event: { eventId: 'two', type: 'fetch' },
      isFailed: true,
      logs: [],
    });
    expect(await read('two')).toMatchObject({ result: 'dead' });
  });

  it('is recorded without its payload when that is large', async () => {
    const event = { eventId: 'three', type: 'ui_render', props: { text: 'x'.repeat(100_000) } };
    recordEvent(deps(), { integration, organization: 'o', event, isFailed: false, logs: [] });
    expect(JSON.parse((await read('three'))?.payload ?? '')).toEqual({
      eventId: 'three',
      type: 'ui_render',
      truncated: true,
    });
  });
});

describe('the limit of records', () => {
  it('is 10 a second for each key, and no more than 200 that are being written', () => {
    const limit = new RecordingLimit();
    const taken = (key: string, now: number, times: number) =>
      Array.from({ length: times }, () => limit.mayRecord(key, now)).filter(Boolean).length;
    expect([taken('a', 0, 30), taken('b', 0, 30), taken('a', 999, 1), taken('a', 1000, 30)]).toEqual([10, 10, 0, 10]);
    for (let key = 0; key < 17; key++) expect(taken(`c${key}`, 0, 20)).toBe(10);
    expect(taken('d', 0, 20)).toBe(0);
    limit.noteEnd();
    expect(taken('d', 0, 20)).toBe(1);
  });

  it('is 5,000 an hour for each key', () => {
    const limit = new RecordingLimit();
    let taken = 0;
    for (let second = 0; second < 3600; second++)
      for (let time = 0; time < 20; time++)
        if (limit.mayRecord('a', second * 1000)) {
          taken += 1;
          limit.noteEnd();
        }
    expect(taken).toBe(5000);
    expect(limit.mayRecord('a', 3_600_000)).toBe(true);
  });
});

it('of long logs, the latest lines are kept', () => {
  const lines = Array.from({ length: 500 }, (_, at) => ({ level: 'info' as const, message: `${at}` }));
  expect(keptLogs(lines).map(({ message }) => Number(message))).toEqual(
    Array.from({ length: 200 }, (_, at) => 300 + at),
  );
  const long = Array.from({ length: 100 }, () => ({ level: 'info' as const, message: 'x'.repeat(2000) }));
  expect(keptLogs(long)).toHaveLength(16);
});
