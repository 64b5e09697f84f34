import { type Job, jobCollections } from '../../../shared/jobs/jobs.js';
import { type Collection, type Write, write } from '../../../shared/store/port.js';
import { eventually } from '../../../shared/testing/eventually.js';
import { notices } from '../digests/model.js';
import { commenters, placeCollections, places } from '../places/model.js';
import {
  checkCommentQuota,
  countAdditionWrites,
  maxOrganizationBytes,
  readStoredBytes,
  textBytes,
} from '../places/places.js';
import { commentsSubscribers } from '../subscriptions.js';
import { comments, replies, reviewMarks, textCollections } from '../texts/model.js';
import { newComment, newReply, openComments } from '../texts/testing/comments-store.js';
import { removeRepliesJob, removeSpaceTextsJob } from './removal-jobs.js';

let deps: Awaited<ReturnType<typeof openComments>>;
beforeEach(async () => {
  deps = await openComments();
});
afterEach(() => deps.close());

const { jobs: jobDocuments } = jobCollections('comments');
const { signal } = new AbortController();
const running = <P>(payload: P) => ({ job: { _id: 'job', fence: 1, payload } as unknown as Job<P>, signal });

interface OfSpace {
  _id: string;
  space: string;
}
const ofSpace = [...textCollections, ...placeCollections, notices] as unknown as Collection<OfSpace>[];
const countsOf = (space: string) => Promise.all(ofSpace.map((each) => deps.store.count(each, { space })));

async function batched(writes: Write[]): Promise<void> {
  for (let at = 0; at < writes.length; at += 500) await deps.store.batch(writes.slice(at, at + 500));
}

/** A space with this many comments on a page, each with a reply and a notice, half of them on a change request. */
async function commentedSpace(space: string, count: number): Promise<void> {
  const writes = Array.from({ length: count }, (_, at) => {
    const place = at % 2 ? `change-request-of-${space}` : space;
    const comment = newComment({ space, place, author: `author-${at % 7}`, page: 'page' });
    const reply = newReply({ space, place, author: 'ada', comment: comment._id });
    const notice = { user: 'ada', organization: 'acme', space, reason: 'mention' as const, createdAt: reply.postedAt };
    return [
      write.insert(comments, comment),
      write.insert(replies, reply),
      write.insert(reviewMarks, { _id: comment._id, space }),
      write.insert(notices, { _id: reply._id, comment: comment._id, ...notice }),
      ...countAdditionWrites(deps, comment),
      ...countAdditionWrites(deps, reply),
    ];
  });
  await batched(writes.flat());
}

describe('a space that was deleted for good', () => {
  it('leaves nothing behind, and others all that is theirs', async () => {
    await commentedSpace('gone', 501);
    await commentedSpace('kept', 10);
    const kept = await countsOf('kept');
    for (const count of [...kept, ...(await countsOf('gone'))]) expect(count).toBeGreaterThan(0);
    await removeSpaceTextsJob(deps).run(running({ space: 'gone' }));
    expect(await countsOf('gone')).toEqual(ofSpace.map(() => 0));
    expect(await countsOf('kept')).toEqual(kept);
    await removeSpaceTextsJob(deps).run(running({ space: 'gone' }));
    expect(await readStoredBytes(deps.store, 'acme')).toBe(20 * (20 + textBytes));
  });

  it('is removed by one job, however often it is told', async () => {
    await commentedSpace('gone', 3);
    deps.jobs.register(removeSpaceTextsJob(deps));
    await deps.jobs.start();
    const { spaceDeleted } = commentsSubscribers(deps);
    const told = { organization: 'acme', space: 'gone' };
    await spaceDeleted([told, told], []);
    await spaceDeleted([told], []);
    const finished = () => deps.store.count(jobDocuments, { state: 'done' });
    await eventually('the end of the job', finished, (count) => count > 0);
    await spaceDeleted([told], []);
    expect(await deps.store.count(jobDocuments, {})).toBe(1);
    expect(await countsOf('gone')).toEqual(ofSpace.map(() => 0));
  });
});

it('an organization whose comments take as much as they may gets no more, in any of its places', async () => {
  const comment = newComment({ space: 'space', author: 'ada', bytes: maxOrganizationBytes - textBytes - 1 });
  const room = (organization: string) =>
    checkCommentQuota(deps.store, { id: 'another', organization, space: 'another' });
  await deps.store.batch(countAdditionWrites(deps, comment));
  await room('acme');
  await deps.store.batch(countAdditionWrites(deps, newComment({ space: 'space', author: 'ada' })));
  await expect(room('acme')).rejects.toMatchObject({ code: 409, message: expect.stringContaining('5 GB') });
  await room('other');
});

describe('the replies of a deleted comment', () => {
  it('are removed with what counts them', async () => {
    const space = 'space';
    const other = newComment({ space, author: 'eve' });
    const gone = Array.from({ length: 250 }, (_, at) =>
      newReply({ space, author: ['ada', 'eve'][at % 2] ?? '', comment: 'gone' }),
    );
    const kept = newReply({ space, author: 'bob', comment: other._id });
    await batched([
      write.insert(comments, other),
      ...countAdditionWrites(deps, other),
      ...[...gone, kept].flatMap((reply) => [write.insert(replies, reply), ...countAdditionWrites(deps, reply)]),
    ]);
    await deps.store.insert(jobDocuments, { _id: 'job', fence: 1, state: 'running' } as never);
    for (const _ of ['once', 'twice']) await removeRepliesJob(deps).run(running({ comment: 'gone' }));
    expect(await deps.store.get(places, space)).toMatchObject({
      open: 1,
      bytes: other.bytes + kept.bytes + 2 * textBytes,
    });
    const { items } = await deps.store.page(commenters, { filter: { place: space }, sort: { user: 1 }, limit: 10 });
    expect(items.map(({ user, texts }) => [user, texts])).toEqual([
      ['bob', 1],
      ['eve', 1],
    ]);
    expect(await deps.store.count(replies, {})).toBe(1);
  });

  it('are left to the run that holds the job', async () => {
    const reply = newReply({ space: 'space', author: 'ada', comment: 'gone' });
    await deps.store.insert(replies, reply);
    await expect(removeRepliesJob(deps).run(running({ comment: 'gone' }))).rejects.toThrow();
    expect(await deps.store.count(replies, {})).toBe(1);
  });
});
