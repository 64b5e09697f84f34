import type { HasJobs, JobKind } from '../../../../../shared/jobs/jobs.js';
import type { HasOutbound } from '../../../../../shared/outbound/client.js';
import type { HasSecrets } from '../../../../../shared/secrets/secrets.js';
import type { HasStore, Write } from '../../../../../shared/store/port.js';
import { lookLanes } from '../../git/operations/lanes.js';
import { type GitInstallationDocument, gitInstallations } from '../model.js';
import type { HasGitHubApp } from './github-app.js';
import { type CommitStatus, hostApiOf } from './host-api.js';
import { hostTokenOf } from './host-token.js';

/** The kind of the job. */
export const tellGitStatus = 'tellGitStatus';

interface StatusPayload {
  installation: string;
  commit: string;
  status: CommitStatus;
}

/** The write that has a host told how a commit fared; none for a repository whose host has no API. */
export const statusWrites = (
  { jobs }: HasJobs,
  { _id: installation, organization, provider }: GitInstallationDocument,
  { commit, status }: Omit<StatusPayload, 'installation'>,
): Write[] =>
  provider === 'git' || commit === ''
    ? []
    : [
        jobs.enqueue<StatusPayload>(
          tellGitStatus,
          { installation, commit, status },
          // A later status of the connection goes after an earlier one.
          { orderKey: `git status ${installation}`, share: organization },
        ),
      ];

/** The job that tells a host how a commit fared. */
export function tellGitStatusJob(deps: HasStore & HasSecrets & HasOutbound & HasGitHubApp): JobKind<StatusPayload> {
  return {
    kind: tellGitStatus,
    attempts: 5,
    lanes: lookLanes,
    async run({ job: { payload } }) {
      const item = await deps.store.get(gitInstallations, payload.installation);
      if (!item?.url) return;
      const { organization: owner, provider, url } = item;
      const api = hostApiOf(deps.outbound, { owner, provider, url, token: await hostTokenOf(deps, item) });
      await api?.setStatus(payload.commit, payload.status);
    },
  };
}
