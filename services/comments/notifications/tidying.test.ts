import type { Job } from '../../../shared/jobs/jobs.js';
import { type Collection, type Document, write } from '../../../shared/store/port.js';
import { timestamp } from '../../../shared/values/ids.js';
import { notices, reviewNotices } from '../digests/model.js';
import { commentsSubscribers } from '../subscriptions.js';
import { openComments } from '../texts/testing/comments-store.js';
import { type NotificationDocument, notifications } from './model.js';
import { maxNotifications, sweepJob, trimJob } from './tidying.js';

let deps: Awaited<ReturnType<typeof openComments>>;
beforeEach(async () => {
  deps = await openComments();
});
afterEach(() => deps.close());

const { signal } = new AbortController();
const running = <P>(payload: P) => ({ job: { _id: 'job', fence: 1, payload } as unknown as Job<P>, signal });
const daysAgo = (days: number) => timestamp(new Date(Date.now() - days * 86_400_000));
const notification = (_id: string, fields: Partial<NotificationDocument> = {}): NotificationDocument => ({
  _id,
  user: 'ada',
  organization: 'acme',
  space: 'docs',
  kind: 'mention',
  createdAt: daysAgo(1),
  read: false,
  ...fields,
});
const idsOf = async (user: string) =>
  (await deps.store.page(notifications, { filter: { user }, sort: { createdAt: 1 }, limit: 2000 })).items.map(
    ({ _id }) => _id,
  );

it('keeps the newest of a user who has too many, and those of others', async () => {
  const many = Array.from({ length: maxNotifications + 3 }, (_, at) =>
    notification(`n${at}`, { createdAt: daysAgo(1 + at / 10_000) }),
  );
  for (let at = 0; at < many.length; at += 250)
    await deps.store.batch(many.slice(at, at + 250).map((each) => write.insert(notifications, each)));
  await deps.store.batch([write.insert(notifications, notification('of bob', { user: 'bob' }))]);
  await trimJob(deps).run(running({ user: 'ada' }));
  const left = await idsOf('ada');
  expect([left.length, left[0], left.at(-1)]).toEqual([maxNotifications, `n${maxNotifications - 1}`, 'n0']);
  expect(await idsOf('bob')).toEqual(['of bob']);
});

it('removes every notification after 90 days, and comes again the next day', async () => {
  await deps.store.batch(
    [notification('old', { createdAt: daysAgo(91) }), notification('new', { createdAt: daysAgo(89) })].map((each) =>
      write.insert(notifications, each),
    ),
  );
  const next = await sweepJob(deps).run(running({}));
  expect(await idsOf('ada')).toEqual(['new']);
  expect(Date.parse(next?.runAt ?? '')).toBeGreaterThan(Date.now() + 80_000_000);
});

it('drops what a member was told, in the app and by mail, when they leave the organization, and nothing that they are told when they are back', async () => {
  const [removedAt, later] = [daysAgo(1), daysAgo(0)];
  const at = { user: 'ada', organization: 'acme', space: 'docs', createdAt: daysAgo(2) };
  const others = [{ createdAt: later }, { organization: 'other' }, { user: 'bob' }];
  const stored = [{}, ...others].map((fields, index) => ({ ...at, ...fields, _id: `n${index}` }));
  await deps.store.batch(
    stored.flatMap((each) => [
      write.insert(notifications, { ...notification(each._id), ...each }),
      write.insert(notices, { ...each, reason: 'mention', comment: 'comment' }),
      write.insert(reviewNotices, { ...each, reason: 'approved', changeRequest: 'plan' }),
    ]),
  );
  await commentsSubscribers(deps).memberRemoved([{ organization: 'acme', user: 'ada', removedAt }], []);
  const left = async <D extends Document>(collection: Collection<D>) =>
    (await deps.store.page(collection, { filter: {}, sort: {}, limit: 10, fields: [] })).items.map(({ _id }) => _id);
  for (const ids of [await left(notifications), await left(notices), await left(reviewNotices)])
    expect(ids).toEqual(['n1', 'n2', 'n3']);
});
