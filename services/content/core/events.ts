import { z } from 'zod';
import { domainEvent } from '../../../shared/contract/event.js';
import { sentBodySchema } from '../format/texts/resources.js';

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

/** A space was transferred: it belongs to `organization` now, with everything in it, and to `from` no more. */
export const spaceTransferred = domainEvent('content', 'spaceTransferred', z.object({ ...about, from: z.string() }));

/** A space was removed for good: its grace period in the trash has passed. */
export const spaceDeleted = domainEvent('content', 'spaceDeleted', z.object(about));

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

/** A change request was merged; `merged` is the revision of the space that it became. `mergedBy` is absent in events of earlier releases. */
export const changeRequestMerged = domainEvent(
  'content',
  'changeRequestMerged',
  changeRequest.extend({ merged: z.string(), mergedBy: z.string().optional() }),
);

export const changeRequestArchived = domainEvent('content', 'changeRequestArchived', changeRequest);

export const reviewSubmitted = domainEvent(
  'content',
  'reviewSubmitted',
  changeRequest.extend({
    review: z.string(),
    reviewer: z.string(),
    result: z.string(),
    /** The text that the reviewer sent with the review. */
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

/** Another number of comments of a space, or of a change request, is open. Content declares it for the service of comments, which emits it. */
export const openCommentsChanged = domainEvent(
  'content',
  'openCommentsChanged',
  z.object({ ...about, changeRequest: z.string().optional() }),
);

/** A font of an organization changed, or was deleted. */
export const fontChanged = domainEvent(
  'content',
  'fontChanged',
  z.object({ organization: z.string(), font: z.string() }),
);

/** The events that the core emits. */
export const coreEvents = [
  contentChanged,
  spaceUpdated,
  spaceVisibilityChanged,
  spaceTransferred,
  spaceDeleted,
  changeRequestCreated,
  changeRequestUpdated,
  changeRequestMerged,
  changeRequestArchived,
  reviewSubmitted,
  reviewersRequested,
  fontChanged,
];
