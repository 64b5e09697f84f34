import type { JobRun } from '../../../../../shared/jobs/jobs.js';
import { scaleMs } from '../../../../../shared/settings/time-scale.js';
import { GitFailure } from '../command/failure.js';
import type { GitPayload } from './progress.js';

const transient = new Set(['network', 'corrupt', 'aborted', 'moved']);
/** Milliseconds. Only a run that failed sooner is tried again, so that no server can hold an operation for long. */
const quickFailureMs = scaleMs(60_000);
/** Milliseconds of a run, without the indexing. */
const maxRunMs = scaleMs(15 * 60_000);

/** Runs the work of a job for a bounded time; its errors say whether another attempt makes sense, and what to log. */
export async function runWithinLimit<T>(
  run: JobRun<GitPayload>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const began = Date.now();
  const limit = AbortSignal.timeout(maxRunMs);
  try {
    return await work(AbortSignal.any([run.signal, limit]));
  } catch (error) {
    const late = limit.aborted && !run.signal.aborted;
    const failure = late
      ? new GitFailure('timeout', `the operation took more than ${maxRunMs / 60_000} minutes`)
      : error;
    throw toJobError(run.job.payload, failure as Error, Date.now() - began);
  }
}

function toJobError({ space, requestId }: GitPayload, error: Error & { permanent?: boolean }, tookMs: number): Error {
  const about = { space, requestId };
  if (!(error instanceof GitFailure)) return Object.assign(error, { about });
  const { reason, words } = error;
  return Object.assign(error, {
    permanent: !transient.has(reason) || tookMs > quickFailureMs,
    expected: reason !== 'corrupt',
    about: { ...about, reason, ...(words ? { git: words } : {}) },
  });
}
