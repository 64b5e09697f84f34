import type { HandlersOf } from '../../../../shared/contract/service.js';
import type { ContentDependencies } from '../../dependencies.js';
import type { exportOperations } from '../contract/git-exports.js';
import { startOperation } from '../git/operations/start.js';
import { gitExport } from './git-export-job.js';

type Dependencies = Pick<ContentDependencies, 'store' | 'jobs' | 'secrets' | 'proxy'>;

export function gitExportHandlers(deps: Dependencies): HandlersOf<typeof exportOperations> {
  return {
    async exportToGitRepository({ path: { spaceId: space }, body }, context) {
      const details = { force: body.force };
      await startOperation(deps, { kind: gitExport, direction: 'export', space, body, details }, context);
    },
  };
}
