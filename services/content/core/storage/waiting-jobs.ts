import { apiError } from '../../../../shared/errors/errors.js';
import type { Jobs } from '../../../../shared/jobs/jobs.js';

/** Throws 429 while an organization has `max` or more unfinished jobs, besides standing ones, which are one of a kind and a place each. */
export async function checkWaitingJobs(jobs: Jobs, organization: string, max = 200): Promise<void> {
  if ((await jobs.countUnfinished(organization, { standing: false })) >= max)
    throw apiError('RATE_LIMITED', `${max} jobs of this organization are waiting; try again later`, 'too_many_jobs');
}
