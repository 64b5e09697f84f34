import type { Write } from '../../../shared/store/port.js';
import type { Jobs } from '../../../shared/work/jobs.js';
import type { ContentDependencies } from '../dependencies.js';
import { openAPISpecChanged } from '../events.js';

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

/** The writes that go with a new, another or no latest version of a specification; wake jobs and outbox after their batch. */
export const specChanged = (
  { jobs, outbox }: Pick<ContentDependencies, 'jobs' | 'outbox'>,
  { organization, slug }: RefreshDependents,
): Write[] => [refreshLater(jobs, { organization, slug }), outbox.add(openAPISpecChanged, { organization, slug })];
