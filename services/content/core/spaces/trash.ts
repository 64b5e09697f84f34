import { permissionsOf } from '../../../../shared/contract/access.js';
import type { HasJobs, JobKind } from '../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import { type Collection, type HasStore, type Write, write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import { grants } from '../access/model.js';
import { spaceDeleted, spaceUpdated } from '../events.js';
import { type SpaceDocument, spaces } from '../nodes/model.js';
import { spaceKind } from '../nodes/resources.js';
import { pageSearch } from '../revisions/model.js';
import type { HasLedger } from '../storage/ledger.js';
import { usages } from '../storage/model.js';
import { removeSpaceContent } from '../storage/unreached.js';

/** The kind of the job that empties the trash. */
export const purgeSpace = 'purgeSpace';
const graceMs = 7 * 24 * 3600_000;

/** When the grace period of what is deleted at this time has passed. */
export const graceEnd = (deleted = new Date()): string => timestamp(new Date(deleted.getTime() + graceMs));

export const mayRestore = (role: string | null): boolean => permissionsOf(spaceKind, role).admin;

interface PurgePayload {
  space: string;
  /** Names this deletion: a space that is restored and deleted again gets a job of its own. */
  deletedAt: string;
}

/** The writes that put a space into the trash, which a job empties after the grace period. */
export function moveToTrashWrites(
  { jobs, outbox }: HasOutbox & HasJobs,
  { organization, space, changes = {} }: { organization: string; space: string; changes?: Partial<SpaceDocument> },
): Write[] {
  const now = timestamp();
  const payload: PurgePayload = { space, deletedAt: now };
  return [
    write.update(
      spaces,
      { _id: space, deletedAt: null },
      { $set: { ...changes, deletedAt: now, updatedAt: now } },
      { expect: 1 },
    ),
    outbox.add(spaceUpdated, { organization, space }),
    jobs.enqueue(purgeSpace, payload, { runAt: graceEnd() }),
  ];
}

/** Empties the trash: first the space, so that nothing in it can be reached, then everything that belongs to it. */
export function purgeSpaceJob(
  deps: HasStore & HasOutbox & HasLedger & { ofSpaces: readonly Collection<{ _id: string; space: string }>[] },
): JobKind<PurgePayload> {
  const { store, outbox, ledger, ofSpaces } = deps;
  return {
    kind: purgeSpace,
    attempts: 10,
    async run({ job: { payload }, signal }) {
      const { space, deletedAt } = payload;
      const found = await store.get(spaces, space, { fields: ['deletedAt', 'organization'] });
      if (found && found.deletedAt !== deletedAt) return;
      if (found) {
        const { organization } = found;
        // The usage record names the organization: without it, a repeated run could not remove the content of the deleted space.
        await ledger.openUsage({ organization, space });
        await store.batch([
          write.delete(spaces, { _id: space, deletedAt }, { expect: 1 }),
          outbox.add(spaceDeleted, { organization, space }),
        ]);
      }
      const organization = found?.organization ?? (await store.get(usages, space))?.organization;
      if (organization !== undefined) await removeSpaceContent(deps, { organization, space }, signal);
      for (const collection of ofSpaces) await store.deleteMany(collection, { space });
      await store.deleteMany(grants, { node: space });
      await store.dropScope(pageSearch, space);
    },
  };
}
