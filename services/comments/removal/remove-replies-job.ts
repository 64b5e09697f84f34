import type { HasJobs, JobKind } from '../../../shared/jobs/jobs.js';
import { type HasStore, write } from '../../../shared/store/port.js';
import { groupBy } from '../../../shared/values/group-by.js';
import { countedOut } from '../places/model.js';
import { replies } from '../texts/model.js';

export const removeRepliesKind = 'removeReplies';

const atOnce = 100;

/** Removes the replies of a deleted comment, each together with what counts it. */
export const removeRepliesJob = ({ store, jobs }: HasStore & HasJobs): JobKind<{ comment: string }> => ({
  kind: removeRepliesKind,
  attempts: 5,
  async run({ job, signal }) {
    const { comment } = job.payload;
    for (;;) {
      signal.throwIfAborted();
      const { items } = await store.page(replies, { filter: { comment }, sort: { postedAt: 1 }, limit: atOnce });
      if (items.length === 0) return;
      const ids = items.map(({ _id }) => _id);
      await store.batch([
        jobs.stillHeld(job),
        write.delete(replies, { _id: { $in: ids } }, { expect: ids.length }),
        ...[...groupBy(items, ({ author }) => author).values()].flatMap(countedOut),
      ]);
    }
  },
});
