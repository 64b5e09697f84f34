import { stillClock } from '../../../shared/testing/still-clock.js';
import { StoredEventsQuota } from './event-quota.js';

stillClock();

const org = 'acme';
const open = (max: number) => {
  const database = { stored: 0, counts: 0 };
  const count = async () => {
    database.counts += 1;
    return database.stored;
  };
  const quota = new StoredEventsQuota({ max, count });
  return {
    database,
    check: (organization = org) => quota.refuseIfFull(organization),
    async send(events: number) {
      quota.refuseIfFull(org);
      database.stored += events;
      await quota.noteStored(org, events);
    },
  };
};
const full = { code: 409, message: expect.stringContaining('stores 2,000 events') };

describe('an organization with as many events as it may have', () => {
  it('gets no more, while others do', async () => {
    const { send, check } = open(2_000);
    for (let sent = 0; sent < 2_000; sent += 200) await send(200);
    await expect(send(1)).rejects.toMatchObject(full);
    check('other');
  });

  it('gets more again when events ended, within a minute', async () => {
    const { send, database } = open(2_000);
    await send(2_000);
    database.stored = 100;
    await expect(send(1)).rejects.toMatchObject(full);
    jest.advanceTimersByTime(60_000);
    await expect(send(1)).rejects.toMatchObject(full);
    await Promise.resolve();
    await send(1);
  });
});

it('events that were stored before this process began are counted when a thousandth of the quota has come', async () => {
  const { send, check, database } = open(200_000);
  database.stored = 199_900;
  await send(199);
  expect(database.counts).toBe(0);
  check();
  await send(1);
  expect(database.counts).toBe(1);
  expect(() => check()).toThrow('200,000 events');
});

it('without a limit, nothing is counted', async () => {
  const { send, database } = open(0);
  await send(1_000_000);
  expect(database.counts).toBe(0);
});
