import type { HandlersOf } from '../../../../../shared/contract/service.js';
import { notFound } from '../../../../../shared/errors/errors.js';
import type { HasJobs } from '../../../../../shared/jobs/jobs.js';
import type { HasSecrets } from '../../../../../shared/secrets/secrets.js';
import type { HasStore } from '../../../../../shared/store/port.js';
import { presentGitOperation, presentGitSync, spaces } from '../../../core/nodes/model.js';
import type { importOperations } from '../../contract/git-imports.js';
import type { HasProxy } from '../../git/address/proxy.js';
import { startOperation } from '../../git/operations/start.js';
import { gitImport } from './git-import-job.js';

type Dependencies = HasStore & HasSecrets & HasJobs & HasProxy;

export function gitImportHandlers(deps: Dependencies): HandlersOf<typeof importOperations> {
  return {
    async importGitRepository({ path: { spaceId: space }, body }, context) {
      const { standalone, force } = body;
      const details = { standalone, force };
      await startOperation(deps, { kind: gitImport, direction: 'import', space, body, details }, context);
    },

    async deleteLegacyGitInstallation() {},

    async getSpaceGitInfo({ path: { spaceId } }) {
      const space = await deps.store.get(spaces, spaceId);
      if (!space) throw notFound('Space');
      if (!space.git && !space.gitOperation) throw notFound('Git sync');
      const { gitOperation } = space;
      return {
        ...presentGitSync(space),
        ...(gitOperation ? { operation: presentGitOperation(gitOperation) } : {}),
      };
    },
  };
}
