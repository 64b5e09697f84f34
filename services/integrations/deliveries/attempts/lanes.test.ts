import { eventually } from '../../../../shared/testing/eventually.js';
import { stillClock } from '../../../../shared/testing/still-clock.js';
import { openReceiver, type WebhookReceiver } from '../../../../test/support/webhooks.js';
import {
  type ContentInstallationDocument,
  contentInstallationId,
  contentInstallations,
  installations,
} from '../../installations/model.js';
import { events, lanes as laneDocuments } from '../queue/model.js';
import { laneJob } from '../queue/queue.js';
import { Sweep } from './sweep.js';
import { openLanes } from './testing/lanes.js';

// An event that failed stays so: the time of its next attempt does not come.
stillClock();

let lanes: Awaited<ReturnType<typeof openLanes>>;
let receiver: WebhookReceiver;
/** What the receiver answers to the event with this number. */
let answer: (number: number, nth: number) => number;
beforeEach(async () => {
  answer = () => 200;
  lanes = await openLanes();
  receiver = await openReceiver(({ event }, nth) => answer(event.number, nth));
});
afterEach(async () => {
  await lanes.close();
  await receiver.close();
});

const count = (length: number, from = 0) => Array.from({ length }, (_, at) => from + at);
const numbers = (path: string) =>
  receiver.deliveries.filter((each) => each.path === `/${path}`).map(({ event }) => event.number);
const install = (id: string) => lanes.install(id, `${receiver.url}/${id}`);

describe('a lane', () => {
  it('delivers its events in order, those that come while it runs too, and leaves no job', async () => {
    for (const id of ['a', 'b', 'c']) await install(id);
    await lanes.queue('a', count(230));
    await lanes.deliveries.start();
    for (const from of [0, 1, 2]) for (const id of ['b', 'c']) await lanes.queue(id, [from]);
    await lanes.queue('a', count(20, 230));
    await lanes.settled();
    expect(numbers('a')).toEqual(count(250));
    expect([numbers('b'), numbers('c')]).toEqual([count(3), count(3)]);
    expect(await lanes.store.count(lanes.jobs, {})).toBe(0);
    expect(
      (await lanes.all('a')).every(({ result, attempts, lane }) => result === 'success' && attempts === 1 && !lane),
    ).toBe(true);
  });

  it('waits for an event that failed, while others go on', async () => {
    answer = (number) => (number === 1 ? 500 : 200);
    for (const id of ['a', 'b']) await install(id);
    await lanes.deliveries.start();
    await lanes.queue('a', count(3));
    await lanes.queue('b', [0, 2]);
    await lanes.settled();
    expect([numbers('a'), numbers('b')]).toEqual([
      [0, 1],
      [0, 2],
    ]);
    const [first, second, third] = (await lanes.all('a')).sort((a, b) => a.sequence - b.sequence);
    expect(first).toMatchObject({ result: 'success' });
    expect(second).toMatchObject({ result: 'failed', attempts: 1, lane: 'a', runAt: expect.any(String) });
    expect(third?.result).toBeUndefined();
    const [job] = await lanes.settled();
    expect(job).toMatchObject({ _id: 'a', runAt: expect.any(String) });
    answer = () => 200;
    jest.advanceTimersByTime(1_200);
    await lanes.settled();
    expect(numbers('a')).toEqual([0, 1, 1, 2]);
  });

  it('goes on after an event that failed for good', async () => {
    answer = (number) => (number === 1 ? 404 : 200);
    await install('a');
    await lanes.deliveries.start();
    await lanes.queue('a', count(3));
    await lanes.settled();
    expect(numbers('a')).toEqual([0, 1, 2]);
    expect((await lanes.all('a')).map(({ result }) => result).sort()).toEqual(['dead', 'success', 'success']);
  });

  it('takes an event with the same id once', async () => {
    await install('a');
    await lanes.deliveries.start();
    for (const _ of ['once', 'twice']) await lanes.queue('a', [1], { id: 'the same' });
    await lanes.settled();
    await lanes.queue('a', [1], { id: 'the same' });
    await lanes.settled();
    expect(numbers('a')).toEqual([1]);
  });

  it('drops the events of an installation that is gone, and itself', async () => {
    await install('a');
    await lanes.queue('a', count(60));
    await lanes.store.delete(installations, { _id: 'a' });
    await lanes.deliveries.start();
    await lanes.settled();
    expect(numbers('a')).toEqual([]);
    expect([await lanes.all('a'), await lanes.store.count(laneDocuments, {})]).toEqual([[], 0]);
  });

  it('drops the events of a space that its installation was removed from, and delivers the others', async () => {
    await install('a');
    for (const target of ['left', 'kept']) {
      const _id = contentInstallationId('a', 'space', target);
      const on = { _id, installation: 'a', kind: 'space', target, publication: 'built-in-webhook', externalIds: [] };
      await lanes.store.insert(contentInstallations, on as unknown as ContentInstallationDocument);
    }
    for (const number of count(3))
      await lanes.queue('a', [number], { place: { space: number === 1 ? 'kept' : 'left' } });
    await lanes.store.delete(contentInstallations, { _id: contentInstallationId('a', 'space', 'left') });
    await lanes.queue('a', [3], { place: { space: 'left' }, before: lanes.secrets.encrypt('{}') });
    await lanes.deliveries.start();
    await lanes.settled();
    expect(numbers('a')).toEqual([1, 3]);
    expect(await lanes.store.get(laneDocuments, 'a')).toEqual({ _id: 'a', last: 4 });
  });

  it('counts on while its installation is still being removed from spaces', async () => {
    const on = { _id: 'on-a', installation: 'a', kind: 'space', target: 'b', publication: 'built-in-webhook' };
    await lanes.store.insert(contentInstallations, {
      ...on,
      externalIds: [],
    } as unknown as ContentInstallationDocument);
    await lanes.deliveries.start();
    await lanes.queue('a', count(3));
    await lanes.settled();
    expect(await lanes.store.get(laneDocuments, 'a')).toEqual({ _id: 'a', last: 3 });
    await lanes.store.delete(contentInstallations, { _id: 'on-a' });
    await lanes.queue('a', [3]);
    await lanes.settled();
    expect(await lanes.store.get(laneDocuments, 'a')).toBeNull();
  });

  it('has an event that waits for its time hold up no other', async () => {
    await install('a');
    const runAt = new Date(Date.now() + 3_600_000).toISOString();
    await lanes.deliveries.start();
    await lanes.queue('a', [0], { runAt });
    await lanes.queue('a', [1]);
    await lanes.settled();
    expect(numbers('a')).toEqual([1]);
  });

  it('delivers what was being delivered again when its run was lost', async () => {
    await install('a');
    await lanes.queue('a', count(3));
    const dead = { state: 'running' as const, fence: 'dead', leaseUntil: '2026-01-01T00:00:00.000Z' };
    await lanes.store.updateMany(lanes.jobs, {}, { $set: dead });
    await lanes.deliveries.start();
    await lanes.settled();
    expect(numbers('a')).toEqual([0, 1, 2]);
  });
});

describe('tidying up', () => {
  it('finds events without a job, and has them delivered', async () => {
    await install('a');
    await lanes.queue('a', [0]);
    await lanes.store.deleteMany(lanes.jobs, {});
    await lanes.deliveries.start();
    const sweep = new Sweep(lanes.deps);
    sweep.start();
    await receiver.until(({ length }) => length === 1);
    await sweep.stop();
    expect(numbers('a')).toEqual([0]);
  });

  it('removes events that are over and older than a week, not those that wait', async () => {
    await install('a');
    const old = '2026-01-01T00:00:00.000Z';
    answer = () => 500;
    await lanes.deliveries.start();
    await lanes.queue('a', [0]);
    await lanes.settled();
    const [waiting] = await lanes.all('a');
    for (const at of count(700))
      await lanes.store.insert(events, { ...waiting, _id: `${at}`, lane: undefined, result: 'success' } as never);
    await lanes.store.updateMany(events, {}, { $set: { createdAt: old } });
    await lanes.store.insert(events, { ...waiting, _id: 'new', lane: undefined, result: 'success' } as never);
    const sweep = new Sweep(lanes.deps);
    sweep.start();
    const isTidy = async () => (await lanes.store.count(events, { result: 'success', createdAt: old })) === 0;
    await eventually('the removal of all old events', isTidy);
    await sweep.stop();
    expect((await lanes.all('a')).map(({ _id }) => _id).sort()).toEqual([waiting?._id, 'new'].sort());
  });
});

it('the job of a lane is one, however many events ask for it', async () => {
  await install('a');
  await lanes.queue('a', count(5));
  await lanes.queue('a', count(5, 5));
  await lanes.store.batch([laneJob(lanes.deps, { lane: 'a', share: 'b' })]);
  expect(await lanes.store.count(lanes.jobs, {})).toBe(1);
});
