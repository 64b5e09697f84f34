import { timeIn } from '../../../../shared/jobs/job-records.js';
import type { Jobs } from '../../../../shared/jobs/jobs.js';
import type { Write } from '../../../../shared/store/port.js';
import type { SpecDocument } from './model.js';

/** The kinds of the jobs about specifications. Those that process or remove one run one after the other. */
export const processOpenAPISpec = 'processOpenAPISpec';
export const recheckOpenAPISpec = 'recheckOpenAPISpec';
export const removeOpenAPISpec = 'removeOpenAPISpec';

export interface SpecCheck {
  spec: string;
  /** The `check` of the specification that the job is for: with another, it does nothing. */
  check: string;
}

export interface RemovedSpec {
  spec: string;
  organization: string;
}

type Checked = Pick<SpecDocument, '_id' | 'organization' | 'check'>;

const ofSpec = ({ _id, organization }: Pick<Checked, '_id' | 'organization'>) => ({
  orderKey: `openapi ${_id}`,
  share: organization,
});

export const processLater = (jobs: Jobs, spec: Checked): Write =>
  jobs.enqueue<SpecCheck>(processOpenAPISpec, { spec: spec._id, check: spec.check }, ofSpec(spec));

const hourMs = 3_600_000;
/** From one reading of a URL to the next; a little more or less, so that they spread. */
const rhythmMs = 6 * hourMs;

/** The write that has a URL read again in its time. It waits without a share: what waits counts as work of its share. */
export const recheckLater = (jobs: Jobs, { _id: spec, check }: Checked): Write =>
  jobs.enqueue<SpecCheck>(
    recheckOpenAPISpec,
    { spec, check },
    { runAt: timeIn(rhythmMs * (0.95 + Math.random() * 0.1)) },
  );

export const removeLater = (jobs: Jobs, spec: Pick<Checked, '_id' | 'organization'>): Write =>
  jobs.enqueue<RemovedSpec>(removeOpenAPISpec, { spec: spec._id, organization: spec.organization }, ofSpec(spec));
