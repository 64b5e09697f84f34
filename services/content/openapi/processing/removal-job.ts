import type { JobKind } from '../../../../shared/jobs/jobs.js';
import type { HasStore } from '../../../../shared/store/port.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import { removeSpaceContent } from '../../core/storage/unreached.js';
import { type RemovedSpec, removeOpenAPISpec } from '../specs/jobs.js';
import { ownerOf, specs, specVersions } from '../specs/model.js';

/** The job that removes what a deleted specification consisted of. */
export function removeSpecJob(deps: HasStore & HasLedger): JobKind<RemovedSpec> {
  const { store } = deps;
  return {
    kind: removeOpenAPISpec,
    attempts: 10,
    async run({ job: { payload }, signal }) {
      const { spec, organization } = payload;
      // A request that seemed to fail may have made it after all.
      if (await store.get(specs, spec, { fields: [] })) return;
      await store.deleteMany(specVersions, { spec });
      await removeSpaceContent(deps, ownerOf({ _id: spec, organization }), signal);
    },
  };
}
