import { z } from 'zod';
import { domainEvent } from '../../../shared/contract/event.js';

const gitSync = z.object({
  organization: z.string(),
  space: z.string(),
  /** Names the import or export. */
  operation: z.string(),
  direction: z.string(),
  /** The content of the space, or what a standalone import brought in; when it starts, the content before. */
  revision: z.string(),
  /** The one that this content is synced with; empty where that is not known. */
  commit: z.string(),
  /** The installation of an integration that did it. */
  installation: z.string().optional(),
});

/** A job began an import from or an export to a Git repository; the event may repeat. */
export const gitSyncStarted = domainEvent('content', 'gitSyncStarted', gitSync);

/** An import or export that had started ended: `success` or `failure`. */
export const gitSyncCompleted = domainEvent('content', 'gitSyncCompleted', gitSync.extend({ state: z.string() }));

/** The events that imports and exports emit. */
export const exchangeEvents = [gitSyncStarted, gitSyncCompleted];
