import type { Write } from '../../../shared/store/port.js';
import type { ContentDependencies } from '../dependencies.js';
import { contentChanged } from '../events.js';
import { indexLater } from '../search/index-job.js';

/** The writes that tell of new primary content, for the batch that makes it; call `indexer.soon` after the batch. */
export const primaryChanged = (
  { outbox, jobs }: Pick<ContentDependencies, 'outbox' | 'jobs'>,
  change: { organization: string; space: string; revision: string },
): Write[] => [outbox.add(contentChanged, change), indexLater(jobs, change.space)];
