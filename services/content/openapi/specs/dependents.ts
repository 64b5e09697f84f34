import type { Jobs } from '../../../../shared/jobs/jobs.js';
import type { Outbox } from '../../../../shared/jobs/outbox.js';
import type { Write } from '../../../../shared/store/port.js';
import { openAPISpecChanged } from '../events.js';

/** The kind of the job that makes again what is computed from a specification. */
export const refreshDependents = 'refreshDependents';

/** Selects the dependents of a specification, which may be gone, or those of a space. */
export type RefreshDependents = { organization: string } & ({ slug: string } | { space: string });

/** The write that has what is computed from a specification made again, for the batch that changes its latest version. */
export function refreshLater(jobs: Jobs, of: RefreshDependents): Write {
  const { organization } = of;
  const payload = 'slug' in of ? { organization, slug: of.slug } : { organization, space: of.space };
  const orderKey = `openapi dependents ${Object.values(payload).join(' ')}`;
  return jobs.enqueue<RefreshDependents>(refreshDependents, payload, { orderKey, share: organization });
}

/** The writes that go with a new, another or no latest version of a specification. */
export const specChanged = (
  { jobs, outbox }: { jobs: Jobs; outbox: Outbox },
  { organization, slug }: { organization: string; slug: string },
): Write[] => [refreshLater(jobs, { organization, slug }), outbox.add(openAPISpecChanged, { organization, slug })];
