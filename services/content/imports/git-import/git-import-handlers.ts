import type { BodyOf } from '../../../../shared/contract/operation.js';
import type { HandlersOf } from '../../../../shared/contract/service.js';
import { apiError, invalid, notFound } from '../../../../shared/errors.js';
import { newId, timestamp } from '../../../../shared/ids.js';
import { write } from '../../../../shared/store/port.js';
import type { importOperations } from '../../contract/imports.js';
import type { contentContract } from '../../contract.js';
import type { ContentDependencies } from '../../dependencies.js';
import { validRef } from '../../git/address/ref.js';
import { parseRemote } from '../../git/address/remote.js';
import { GitFailure } from '../../git/command/failure.js';
import { presentGit, spaces } from '../../tree/model.js';
import type { GitOperation } from '../../tree/resources.js';
import { type GitImportPayload, gitImport } from './git-import-job.js';

type Dependencies = Pick<ContentDependencies, 'store' | 'jobs' | 'secrets' | 'proxy'>;

/** Imports of one organization that have not ended. */
const mostImports = 200;

export function gitImportHandlers({
  store,
  jobs,
  secrets,
  proxy,
}: Dependencies): HandlersOf<typeof contentContract, typeof importOperations> {
  return {
    /** The job that it starts records its progress in the Git state of the space. */
    async importGitRepository({ path: { spaceId: space }, body }, { access: { organization }, audit, requestId }) {
      const url = checkedAddress(body, proxy.allowCidrs);
      if ((await jobs.unfinished(organization)) >= mostImports)
        throw apiError('RATE_LIMITED', `${mostImports} imports of this organization are waiting; try again later`);
      const operation = newId();
      const { ref, standalone, force } = body;
      const payload: GitImportPayload = { ...body, url: secrets.encrypt(body.url), space, operation, requestId };
      const sequence = body.timestamp === undefined ? {} : { sequence: timestamp(new Date(body.timestamp)) };
      await store.batch([
        write.update(
          spaces,
          { _id: space, deletedAt: null },
          { $set: { gitOperation: { id: operation, direction: 'import', state: 'queued', ref } } },
          { expect: 1 },
        ),
        jobs.enqueue(gitImport, payload, { orderKey: `git ${space}`, share: organization, ...sequence }),
        audit('space', space, { details: { url, ref, standalone, force } }),
      ]);
      jobs.wake();
    },

    async getSpaceGitInfo({ path: { spaceId } }) {
      const space = await store.get(spaces, spaceId);
      if (!space) throw notFound('Space');
      if (!space.git && !space.gitOperation) throw notFound('Git sync');
      const { id: _, ...operation } = space.gitOperation ?? { id: '' };
      return {
        ...(space.git ? presentGit(space.git) : {}),
        ...(space.gitOperation ? { operation: operation as GitOperation } : {}),
      };
    },
  };
}

/** The address of the repository without its secret parts; 400 names an invalid field. */
function checkedAddress(
  { url, ref, repoProjectDirectory }: BodyOf<typeof importOperations.importGitRepository>,
  allowCidrs: readonly string[],
): string {
  let bare: URL;
  try {
    bare = new URL(parseRemote(url, allowCidrs).href);
    bare.search = '';
  } catch (error) {
    if (error instanceof GitFailure) throw invalid(`url: ${error.message}`);
    throw error;
  }
  if (!validRef(ref)) throw invalid('ref: must be refs/heads/<branch> with a valid branch name');
  if (repoProjectDirectory?.split('/').includes('..'))
    throw invalid('repoProjectDirectory: must stay inside the repository');
  return bare.href;
}
