import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import type { Write } from '../../../../shared/store/port.js';
import { timeIn } from '../../../../shared/values/ids.js';
import type { GitInstallationDocument } from './model.js';

/** The kind of the job that looks whether a side has something new. */
export const lookAtGit = 'lookAtGit';
/** The kind of the job that brings both sides together. */
export const syncGit = 'syncGit';

export interface InstallationPayload {
  installation: string;
}

export interface SyncGitPayload extends InstallationPayload {
  /** `updatedAt` of the connection when the sync was asked for. */
  setup: string;
}

const minuteMs = 60_000;
const maxQuietMs = 30 * minuteMs;
const maxFailedMs = 60 * minuteMs;

/** The write that has a connection looked at now; each look plans the next one. */
export const lookSoon = (
  { jobs }: HasJobs,
  { _id: installation, organization }: Pick<GitInstallationDocument, '_id' | 'organization'>,
): Write =>
  jobs.enqueueStandingSoon<InstallationPayload>(
    `git look ${installation}`,
    lookAtGit,
    { installation },
    { share: organization },
  );

/** Spread, so that many connections do not look at the same time. */
const spread = (ms: number) => timeIn(ms * (0.9 + Math.random() * 0.2));

/** When to look again: after a minute, and later while nothing is new, half an hour at most. */
export const nextLookAt = ({ quiet }: Pick<GitInstallationDocument, 'quiet'>): string =>
  spread(Math.min(maxQuietMs, minuteMs * 1.5 ** Math.min(quiet, 20)));

/** When to try again after failures: after half a minute, and later while they go on, an hour at most. */
export const nextTryAt = (failures: number): string =>
  spread(Math.min(maxFailedMs, (minuteMs / 2) * 2 ** Math.min(failures - 1, 20)));
