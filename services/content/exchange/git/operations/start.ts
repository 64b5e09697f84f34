import { actingInstallation, actingUser, tunnelOf } from '../../../../../shared/contract/caller.js';
import type { Context } from '../../../../../shared/contract/service.js';
import { invalid } from '../../../../../shared/errors/errors.js';
import type { HasJobs } from '../../../../../shared/jobs/jobs.js';
import type { HasSecrets } from '../../../../../shared/secrets/secrets.js';
import { type HasStore, write } from '../../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../../shared/values/ids.js';
import { spaces } from '../../../core/nodes/model.js';
import type { GitOperation } from '../../../core/nodes/resources.js';
import { checkWaitingJobs } from '../../../core/storage/waiting-jobs.js';
import type { GitFields } from '../../contract/fields.js';
import type { HasProxy } from '../address/proxy.js';
import { isValidRef } from '../address/ref.js';
import { parseRemote } from '../address/remote.js';
import { GitFailure } from '../command/failure.js';
import type { GitPayload } from './progress.js';

interface Starting<B extends GitFields> {
  /** The kind of the job. */
  kind: string;
  direction: GitOperation['direction'];
  space: string;
  body: B;
  /** Fields of the body that the audit trail shows. */
  details: Record<string, unknown>;
}

/**
 * Starts the job of an operation with a repository, which records its progress in the Git state of the space. Operations of one
 * space run one after the other. Throws 400 for an address, a branch or a folder that cannot be, 429 for too many operations.
 */
export async function startOperation<B extends GitFields>(
  { store, jobs, secrets, proxy }: HasStore & HasSecrets & HasJobs & HasProxy,
  { kind, direction, space, body, details }: Starting<B>,
  { access: { organization }, audit, caller, requestId }: Pick<Context, 'access' | 'audit' | 'caller' | 'requestId'>,
): Promise<void> {
  const url = checkAddress(body, proxy.allowCidrs);
  await checkWaitingJobs(jobs, organization);
  const operation = newId();
  const { ref } = body;
  const [user, installation] = [actingUser(caller), actingInstallation(caller)];
  const payload: GitPayload<B> = {
    ...body,
    url: secrets.encrypt(body.url),
    space,
    operation,
    requestId,
    ...(user === undefined ? {} : { user }),
    ...(installation === undefined ? {} : { installation }),
    ...tunnelOf(caller),
  };
  const sequence = body.timestamp === undefined ? {} : { sequence: timestamp(new Date(body.timestamp)) };
  await store.batch([
    write.update(
      spaces,
      { _id: space, deletedAt: null },
      { $set: { gitOperation: { id: operation, direction, state: 'queued', ref, startedAt: timestamp() } } },
      { expect: 1 },
    ),
    jobs.enqueue(kind, payload, { orderKey: `git ${space}`, share: organization, ...sequence }),
    audit('space', space, { details: { url, ref, ...details } }),
  ]);
}

/** The address of the repository without its secret parts; 400 names an invalid field. */
function checkAddress({ url, ref, repoProjectDirectory }: GitFields, allowCidrs: readonly string[]): string {
  let bare: URL;
  try {
    bare = new URL(parseRemote(url, allowCidrs).href);
    bare.search = '';
  } catch (error) {
    if (error instanceof GitFailure) throw invalid(`url: ${error.message}`);
    throw error;
  }
  if (!isValidRef(ref)) throw invalid('ref: must be refs/heads/<branch> with a valid branch name');
  if (repoProjectDirectory?.split('/').includes('..'))
    throw invalid('repoProjectDirectory: must stay inside the repository');
  return bare.href;
}
