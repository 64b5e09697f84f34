import type { HasJobs, JobKind } from '../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../shared/jobs/outbox.js';
import { type Collection, type HasStore, type Store, write } from '../../../shared/store/port.js';
import { groupBy } from '../../../shared/values/group-by.js';
import { notices, reviewNotices } from '../digests/model.js';
import { notifications } from '../notifications/model.js';
import { commentUsages, placeCollections, places } from '../places/model.js';
import { countRemovalWrites } from '../places/places.js';
import { replies, textCollections } from '../texts/model.js';

export const removeRepliesKind = 'removeReplies';

const repliesAtOnce = 100;

/** Removes the replies of a deleted comment, each together with what counts it. */
export const removeRepliesJob = ({
  store,
  jobs,
  outbox,
}: HasStore & HasJobs & HasOutbox): JobKind<{ comment: string }> => ({
  kind: removeRepliesKind,
  attempts: 5,
  async run({ job, signal }) {
    const { comment } = job.payload;
    for (;;) {
      signal.throwIfAborted();
      const { items } = await store.page(replies, {
        filter: { comment },
        sort: { postedAt: 1 },
        limit: repliesAtOnce,
      });
      if (items.length === 0) return;
      const ids = items.map(({ _id }) => _id);
      await store.batch([
        jobs.stillHeld(job),
        write.delete(replies, { _id: { $in: ids } }, { expect: ids.length }),
        ...[...groupBy(items, ({ author }) => author).values()].flatMap((texts) =>
          countRemovalWrites({ outbox }, texts),
        ),
      ]);
    }
  },
});

export const removeSpaceKind = 'removeSpace';

interface OfSpace {
  _id: string;
  space: string;
}

const ofSpace = [
  ...textCollections,
  ...placeCollections,
  notices,
  reviewNotices,
  notifications,
] as unknown as Collection<OfSpace>[];

const atOnce = 500;

/** Removes the comments of a space that was deleted for good, with those of its change requests. */
export const removeSpaceTextsJob = ({ store }: HasStore): JobKind<{ space: string }> => ({
  kind: removeSpaceKind,
  attempts: 5,
  async run({ job, signal }) {
    const { space } = job.payload;
    await removePlacesOfSpace(store, space, signal);
    for (const collection of ofSpace) {
      for (;;) {
        signal.throwIfAborted();
        const { items } = await store.page(collection, {
          filter: { space },
          sort: {},
          limit: atOnce,
          fields: [],
        });
        if (items.length === 0) break;
        await store.deleteMany(collection, { _id: { $in: items.map(({ _id }) => _id) } });
      }
    }
  },
});

/** Removes the places of a space, and takes their bytes off what their organization uses. */
async function removePlacesOfSpace(store: Store, space: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const { items } = await store.page(places, { filter: { space }, sort: {}, limit: atOnce });
    if (items.length === 0) return;
    for (const { _id, organization, bytes = 0 } of items) {
      const counted =
        organization === undefined
          ? []
          : [write.upsert(commentUsages, { _id: organization }, { $inc: { bytes: -bytes } })];
      await store.batch([write.delete(places, { _id }), ...counted]);
    }
  }
}
