import { type Store, write } from '../../shared/store/port.js';
import type { JobKind } from '../../shared/work/jobs.js';
import type { Outbox } from '../../shared/work/outbox.js';
import { spaceDeleted } from './events.js';
import { chunks, grants, pageDocuments, pageSearch, revisions, spaces } from './model.js';
import { purgeSpace } from './spaces.js';

interface PurgePayload {
  space: string;
  /** Only this deletion: a space restored and deleted again has a job of its own. */
  deletedAt: string;
}

/** Empties the trash: the space first, so that nothing of it can be reached, then what hung on it. */
export function purgeJob(store: Store, outbox: Outbox): JobKind<PurgePayload> {
  return {
    kind: purgeSpace,
    attempts: 10,
    async run({ job: { payload } }) {
      const { space, deletedAt } = payload;
      const found = await store.get(spaces, space, { fields: ['deletedAt', 'organization'] });
      if (found && found.deletedAt !== deletedAt) return;
      if (found) {
        const { organization } = found;
        await store.batch([
          write.delete(spaces, { _id: space, deletedAt }, { expect: 1 }),
          outbox.add(spaceDeleted, { organization, space }),
        ]);
        outbox.wake();
      }
      for (const collection of [revisions, chunks, pageDocuments])
        await store.deleteMany(collection as typeof revisions, { space });
      await store.deleteMany(grants, { node: space });
      await store.dropScope(pageSearch, space);
    },
  };
}
