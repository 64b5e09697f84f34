import { timeIn } from '../../../../shared/jobs/job-records.js';
import type { HasJobs, JobKind } from '../../../../shared/jobs/jobs.js';
import { type Filter, type HasStore, type Store, write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import { type DraftDocument, type DraftTextDocument, drafts, draftTexts } from './model.js';

const dayMs = 24 * 3_600_000;
/** A draft that nobody touched for so long is removed. */
const keptMs = 90 * dayMs;

const sweepKind = 'sweepDrafts';
const atOnce = 100;

/** The job that removes old drafts, once a day. */
export const sweepDraftsJob = ({ store }: HasStore): JobKind<object> => ({
  kind: sweepKind,
  attempts: Number.POSITIVE_INFINITY,
  async run({ signal }) {
    const old = { updatedAt: { $lt: timestamp(new Date(Date.now() - keptMs)) } };
    for (;;) {
      signal.throwIfAborted();
      const { items } = await store.page(drafts, { filter: old, sort: { updatedAt: 1 }, limit: atOnce, fields: [] });
      if (items.length === 0) break;
      await removeDrafts(store, { _id: { $in: items.map(({ _id }) => _id) }, ...old });
    }
    return { runAt: timeIn(dayMs) };
  },
});

/** The write that has old drafts removed from now on. */
export const sweepDraftsWrite = ({ jobs }: HasJobs) => jobs.enqueueStanding(sweepKind, sweepKind, {});

/** Removes the drafts of a user who left an organization, but for those of a later membership. */
export async function removeDraftsOf(
  { store }: HasStore,
  { organization, user, before }: { organization: string; user: string; before: string },
): Promise<void> {
  await removeDrafts(store, { organization, user, updatedAt: { $lt: before } });
}

const removeDrafts = (store: Store, filter: Filter<DraftDocument>): Promise<void> =>
  store.batch([write.delete(draftTexts, filter as Filter<DraftTextDocument>), write.delete(drafts, filter)]);
