import type { JobKind } from '../../../../shared/work/jobs.js';
import type { ContentDependencies } from '../../dependencies.js';
import { removeContent } from '../../storage/unreached.js';
import { type RemovedSpec, removeOpenAPISpec } from '../jobs.js';
import { ownerOf, specs, specVersions } from '../model.js';

/** The job that removes what a deleted specification consisted of. */
export function removeSpecJob(deps: Pick<ContentDependencies, 'store' | 'ledger'>): JobKind<RemovedSpec> {
  const { store } = deps;
  return {
    kind: removeOpenAPISpec,
    attempts: 10,
    async run({ job: { payload }, signal }) {
      const { spec, organization } = payload;
      // A request that seemed to fail may have made it after all.
      if (await store.get(specs, spec, { fields: [] })) return;
      await store.deleteMany(specVersions, { spec });
      await removeContent(deps, ownerOf({ _id: spec, organization }), signal);
    },
  };
}
