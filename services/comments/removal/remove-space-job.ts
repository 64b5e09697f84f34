import type { Collection } from '../../../shared/store/port.js';
import type { JobKind } from '../../../shared/work/jobs.js';
import type { CommentsDependencies } from '../dependencies.js';
import { notices } from '../digests/model.js';
import { placeCollections } from '../places/model.js';
import { textCollections } from '../texts/model.js';

export const removeSpaceKind = 'removeSpace';

interface OfSpace {
  _id: string;
  space: string;
}

const ofSpace = [...textCollections, ...placeCollections, notices] as unknown as Collection<OfSpace>[];

const atOnce = 500;

/** Removes the comments of a space that was deleted for good, with those of its change requests. */
export const removeSpaceJob = ({ store }: Pick<CommentsDependencies, 'store'>): JobKind<{ space: string }> => ({
  kind: removeSpaceKind,
  attempts: 5,
  async run({ job, signal }) {
    const { space } = job.payload;
    for (const collection of ofSpace) {
      for (;;) {
        signal.throwIfAborted();
        const { items } = await store.page(collection, { filter: { space }, sort: {}, limit: atOnce, fields: [] });
        if (items.length === 0) break;
        await store.deleteMany(collection, { _id: { $in: items.map(({ _id }) => _id) } });
      }
    }
  },
});
