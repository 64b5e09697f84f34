import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../shared/store/sqlite/store.js';
import { Allowance } from './allowance.js';
import { modelUses } from './model.js';

const hourMs = 3_600_000;
/** An hour before midnight. */
const evening = Date.parse('2026-11-29T23:00:00Z');
let folder: string;
let store: Store;
let now = evening;
beforeEach(async () => {
  now = evening;
  folder = await mkdtemp(join(tmpdir(), 'bindery-allowance-'));
  store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
  await store.prepare([modelUses] as never[]);
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const open = (tokens = 1000, questions = 2) =>
  new Allowance(store, { MODEL_TOKENS_PER_DAY: tokens, MODEL_QUESTIONS_PER_HOUR: questions }, () => now);
const refused = (retryAfter: number) => ({ type: 'RATE_LIMITED', data: { retryAfter, reason: 'model_limit_reached' } });

describe('what may be used of the model', () => {
  it('ends for an asker with the questions of an hour, in all processes together', async () => {
    await open().countQuestion('org', 'ada');
    await open().countQuestion('org', 'ada');
    await open().countQuestion('org', 'bob');
    await expect(open().countQuestion('org', 'ada')).rejects.toMatchObject(refused(3600));
    now += hourMs;
    await open().countQuestion('org', 'ada');
  });

  it('ends for an organization with the tokens of a day, of which many at once take no more', async () => {
    const taken = await Promise.allSettled(Array.from({ length: 20 }, () => open().takeTokens('org', 300)));
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    await expect(open().takeTokens('org', 101)).rejects.toMatchObject(refused(3600));
    await open().takeTokens('other', 1000);
    now += hourMs;
    await open().takeTokens('org', 1000);
  });

  it('is what was used, not what was taken for it', async () => {
    const settle = await open().takeTokens('org', 900);
    await settle(10);
    await open().takeTokens('org', 990);
    await expect(open().takeTokens('org', 1)).rejects.toMatchObject(refused(3600));
  });

  it('is without end where a limit is 0', async () => {
    for (let at = 0; at < 5; at++) await open(0, 0).countQuestion('org', 'ada');
    await open(0, 0).takeTokens('org', 1e9);
  });

  it('is forgotten when it counts no more', async () => {
    await open().countQuestion('org', 'ada');
    now += 3 * hourMs;
    await open().countQuestion('org', 'bob');
    expect(await store.count(modelUses, {})).toBe(1);
  });
});
