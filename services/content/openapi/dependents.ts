import type { Write } from '../../../shared/store/port.js';
import type { Jobs } from '../../../shared/work/jobs.js';

/** The kind of the job that makes again what is computed from a specification. */
export const refreshDependents = 'refreshDependents';

export interface RefreshDependents {
  organization: string;
  /** Of the specification, which may be gone. */
  slug: string;
}

/** The write that has what is computed from a specification made again, for the batch that changes its latest version. */
export const refreshLater = (jobs: Jobs, { organization, slug }: RefreshDependents): Write =>
  jobs.enqueue(
    refreshDependents,
    { organization, slug },
    { orderKey: `openapi dependents ${organization} ${slug}`, share: organization },
  );
