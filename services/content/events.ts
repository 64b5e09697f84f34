import { z } from 'zod';
import { domainEvent } from '../../shared/contract/event.js';
import { sentBodySchema } from '../comments/resources.js';

const about = { organization: z.string(), space: z.string() };
/** The installation of an integration that did it. */
const installation = z.string().optional();

/** The primary content of a space changed to another revision. */
export const contentChanged = domainEvent(
  'content',
  'contentChanged',
  z.object({ ...about, revision: z.string(), installation }),
);

/** A title, setting or parent of a space changed, or the space was moved to the trash or restored from it. */
export const spaceUpdated = domainEvent('content', 'spaceUpdated', z.object(about));

/** A space shows another `visibility` than before. */
export const spaceVisibilityChanged = domainEvent(
  'content',
  'spaceVisibilityChanged',
  z.object({ ...about, before: z.string(), after: z.string() }),
);

const gitSync = z.object({
  ...about,
  /** Names the import or export. */
  operation: z.string(),
  direction: z.string(),
  /** The content of the space, or what a standalone import brought in; when it starts, the content before. */
  revision: z.string(),
  /** The one that this content is synced with; empty where that is not known. */
  commit: z.string(),
  installation,
});

/** A job began an import from or an export to a Git repository; it may tell so several times. */
export const gitSyncStarted = domainEvent('content', 'gitSyncStarted', gitSync);

/** An import or export that had started ended: `success` or `failure`. */
export const gitSyncCompleted = domainEvent('content', 'gitSyncCompleted', gitSync.extend({ state: z.string() }));

/** A space was removed for good: its grace period in the trash has passed. */
export const spaceDeleted = domainEvent('content', 'spaceDeleted', z.object(about));

/** An OpenAPI specification was created or deleted, or has another latest version. */
export const openAPISpecChanged = domainEvent(
  'content',
  'openAPISpecChanged',
  z.object({ organization: z.string(), slug: z.string() }),
);

const changeRequest = z.object({
  ...about,
  changeRequest: z.string(),
  number: z.number(),
  status: z.string(),
  /** Its content. */
  revision: z.string(),
});

export const changeRequestCreated = domainEvent('content', 'changeRequestCreated', changeRequest);

/** The content, the subject or the status of a change request changed. */
export const changeRequestUpdated = domainEvent('content', 'changeRequestUpdated', changeRequest);

/** A change request was merged; `merged` is the revision of the space that it became. */
export const changeRequestMerged = domainEvent(
  'content',
  'changeRequestMerged',
  changeRequest.extend({ merged: z.string() }),
);

export const changeRequestArchived = domainEvent('content', 'changeRequestArchived', changeRequest);

export const reviewSubmitted = domainEvent(
  'content',
  'reviewSubmitted',
  changeRequest.extend({
    review: z.string(),
    reviewer: z.string(),
    result: z.string(),
    /** What the reviewer wrote with it. */
    comment: sentBodySchema.optional(),
    createdAt: z.string(),
  }),
);

/** Reviewers were requested; without `users`, everybody with the right to review the space. */
export const reviewersRequested = domainEvent(
  'content',
  'reviewersRequested',
  changeRequest.extend({ requestedBy: z.string(), users: z.array(z.string()) }),
);

/** The events that content emits, besides audit records. */
export const contentEvents = [
  contentChanged,
  spaceUpdated,
  spaceVisibilityChanged,
  gitSyncStarted,
  gitSyncCompleted,
  spaceDeleted,
  openAPISpecChanged,
  changeRequestCreated,
  changeRequestUpdated,
  changeRequestMerged,
  changeRequestArchived,
  reviewSubmitted,
  reviewersRequested,
];
