import type { LaneLimits } from '../../../../../shared/jobs/jobs.js';
import { scaleMs } from '../../../../../shared/settings/time-scale.js';

const slowMs = scaleMs(10_000);

/** The jobs that fetch from repositories and push to them, for minutes where a host sends as slowly as it may. */
export const transferLanes: LaneLimits = { count: 4, ofShare: 2, slowMs };

/** The jobs that ask a host one thing. */
export const lookLanes: LaneLimits = { count: 16, ofShare: 2, slowMs };
