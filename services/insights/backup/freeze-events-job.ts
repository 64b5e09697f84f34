import { analyticsDir } from '../../../shared/analytics/analytics.js';
import { freezeTable } from '../../../shared/analytics/frozen.js';
import type { JobKind } from '../../../shared/jobs/jobs.js';
import type { EventsTable } from '../events/model.js';

/** The kind of the job that freezes the events of the embedded engine for a backup; the id of the job is the name of the frozen state. */
export const freezeEvents = 'freezeEvents';

export const freezeEventsJob = ({
  analytics,
  dataDir,
}: { analytics: () => Promise<EventsTable> } & { dataDir: string }): JobKind<object> => ({
  kind: freezeEvents,
  attempts: 3,
  backoff: () => 1000,
  run: async ({ job }) => freezeTable(await analytics(), analyticsDir(dataDir), job._id),
});
