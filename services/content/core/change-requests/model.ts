import { collection, type Write, write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import type { PageBody } from '../../format/resources.js';
import type { SentBody } from '../../format/texts/resources.js';
import type { ChangeRequestLink, changeRequestStatuses, reviewStatuses } from './resources.js';

export type ChangeRequestStatus = (typeof changeRequestStatuses)[number];

/** A second pointer to content of a space: what its writers make is read, reviewed and merged as a whole. */
export interface ChangeRequestDocument {
  _id: string;
  organization: string;
  space: string;
  /** Counts the change requests of the space, from 1. */
  number: number;
  status: ChangeRequestStatus;
  subject: string;
  /** A document as texts have it; null where it was removed. */
  description?: PageBody | null;
  links?: ChangeRequestLink[];
  /** The id of a user. */
  createdBy: string;
  createdAt: string;
  updatedAt: string;
  /** Its content. */
  revision: string;
  /** The primary content when it was created. */
  initial: string;
  /** The latest primary content that its own includes: what both sides have in common. */
  base: string;
  /** The revision that it became when it was merged. */
  merged?: string;
  /** The ids of the users who changed its content. */
  contributors: string[];
  /** As of a space. */
  openComments?: number;
}

/** The contribution of a user to a change request; `_id` is `<change request>:<user>`. */
export interface ContributionDocument {
  _id: string;
  space: string;
  changeRequest: string;
  user: string;
  /** The number of revisions that the user made. */
  count: number;
  updatedAt: string;
}

export const changeRequests = collection<ChangeRequestDocument>('content_change_requests', [
  { on: { space: 1, number: 1 }, unique: true },
  { on: { space: 1, status: 1, number: -1 } },
  { on: { space: 1, status: 1, updatedAt: -1 } },
  { on: { space: 1, revision: 1 } },
  { on: { organization: 1, status: 1, updatedAt: -1 } },
  { on: { organization: 1, status: 1, createdAt: -1 } },
  { kind: 'multikey', array: 'contributors', within: ['space', 'status'], sort: { number: -1 } },
  { kind: 'multikey', array: 'contributors', within: ['organization', 'status'], sort: { updatedAt: -1 } },
]);

export const contributions = collection<ContributionDocument>('content_contributions', [
  { on: { changeRequest: 1, updatedAt: -1 } },
  { on: { space: 1 } },
]);

/** The write that counts a revision of a user. */
export const contributionWrite = (of: Pick<ContributionDocument, 'space' | 'changeRequest' | 'user'>): Write =>
  write.upsert(
    contributions,
    { _id: `${of.changeRequest}:${of.user}` },
    { $set: { ...of, updatedAt: timestamp() }, $inc: { count: 1 } },
  );

/** Whether its content may change. */
export const isChangeable = ({ status }: Pick<ChangeRequestDocument, 'status'>) =>
  status === 'draft' || status === 'open';

/** A request to review; `_id` is `<change request>:<user>`. */
export interface RequestedReviewerDocument {
  _id: string;
  space: string;
  changeRequest: string;
  user: string;
  requestedBy: string;
  revision: string;
  createdAt: string;
}

export interface ReviewDocument {
  _id: string;
  space: string;
  changeRequest: string;
  revision: string;
  reviewer: string;
  requestedBy?: string;
  status: (typeof reviewStatuses)[number];
  /** The text of the review's comment, as it was sent. */
  body?: SentBody;
  createdAt: string;
}

export const requestedReviewers = collection<RequestedReviewerDocument>('content_requested_reviewers', [
  { on: { changeRequest: 1, createdAt: -1 } },
  { on: { user: 1, createdAt: -1 } },
  { on: { space: 1 } },
]);

export const reviews = collection<ReviewDocument>('content_reviews', [
  { on: { changeRequest: 1, createdAt: -1 } },
  { on: { changeRequest: 1, reviewer: 1, createdAt: -1 } },
  { on: { space: 1 } },
]);

export const requestedReviewerId = (changeRequest: string, user: string) => `${changeRequest}:${user}`;
