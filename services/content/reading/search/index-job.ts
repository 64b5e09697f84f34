import { inMs } from '../../../../shared/jobs/job-records.js';
import type { JobKind, Jobs } from '../../../../shared/jobs/jobs.js';
import type { Write } from '../../../../shared/store/port.js';
import { indexPrimary } from './search-index.js';

const indexSpace = 'indexSpace';

/** Milliseconds. The process that made the content indexes it at once; the job is for one that died. */
const patience = 5000;

/** The id of the job for a revision. */
export const indexJobOf = (revision: string): string => `index ${revision}`;

/** The write that has new primary content indexed in any case. */
export const indexLater = (jobs: Jobs, { space, revision }: { space: string; revision: string }): Write =>
  jobs.enqueueOnce(indexJobOf(revision), indexSpace, { space }, { orderKey: `index ${space}`, runAt: inMs(patience) });

export const indexJob = (deps: Parameters<typeof indexPrimary>[0]): JobKind<{ space: string }> => ({
  kind: indexSpace,
  attempts: 10,
  run: ({ job, signal }) => indexPrimary(deps, { space: job.payload.space, signal }),
});
