import type { JobKind } from '../../../../shared/jobs/jobs.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import { spaces } from '../../core/nodes/model.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import { usages } from '../../core/storage/model.js';
import { removeUnreachedContent, tidySpace } from '../../core/storage/unreached.js';
import { uploadsFor } from '../../exchange/imports/content-import/uploads.js';
import { keptRevisions } from './kept-revisions.js';

const dayMs = 24 * 3_600_000;

type Dependencies = HasStore & HasLedger & { retentionDays: number };

/** The job that counts a space, and removes revisions of the past with what only they reach. */
export function tidySpaceJob(deps: Dependencies): JobKind<{ space: string }> {
  const { store, ledger, retentionDays } = deps;
  return {
    kind: tidySpace,
    attempts: 5,
    async run({ job: { payload }, signal }) {
      const { space } = payload;
      const found = await store.get(spaces, space, { fields: ['organization'] });
      if (!found) return;
      const owner = { organization: found.organization, space };
      await ledger.openUsage(owner);
      const tidied = (await store.get(usages, space))?.commits ?? 0;
      const since = timestamp(new Date(Date.now() - retentionDays * dayMs));
      await removeUnreachedContent(deps, owner, {
        kept: () => keptRevisions(store, { space, since }),
        keptBlobs: () => uploadsFor(store, space),
        signal,
      });
      await store.update(usages, { _id: space }, { $set: { tidied, tidiedAt: timestamp() } });
    },
  };
}
