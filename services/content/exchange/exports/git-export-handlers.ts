import type { HandlersOf } from '../../../../shared/contract/service.js';
import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import type { HasSecrets } from '../../../../shared/secrets/secrets.js';
import type { HasStore } from '../../../../shared/store/port.js';
import type { exportOperations } from '../contract/git-exports.js';
import type { HasProxy } from '../git/address/proxy.js';
import { startOperation } from '../git/operations/start.js';
import { gitExport } from './git-export-job.js';

type Dependencies = HasStore & HasSecrets & HasJobs & HasProxy;

export function gitExportHandlers(deps: Dependencies): HandlersOf<typeof exportOperations> {
  return {
    async exportToGitRepository({ path: { spaceId: space }, body }, context) {
      const details = { force: body.force };
      await startOperation(deps, { kind: gitExport, direction: 'export', space, body, details }, context);
    },
  };
}
