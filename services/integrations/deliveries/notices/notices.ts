import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import type { Notice } from './notify.js';

/** Common to all domain events about a comment or reply. */
export interface AboutComment {
  organization: string;
  space: string;
  changeRequest?: string | undefined;
  comment: string;
  reply?: string;
  page?: string | undefined;
  actor: string;
}

/** Notices for integrations about comments and replies. `ids` are those of the domain events. */
export const commentNotices = (type: string, payloads: readonly AboutComment[], ids: readonly string[]): Notice[] =>
  payloads.map(({ organization, space, changeRequest, comment, reply, page, actor }, at) => ({
    id: ids[at] as string,
    organization,
    kind: 'space',
    target: space,
    scope: 'space:content:read',
    type,
    data: omitUndefined({
      commentId: comment,
      replyId: reply,
      changeRequestId: changeRequest,
      pageId: page,
      userId: actor,
    }),
  }));

export interface GitSync {
  organization: string;
  space: string;
  operation: string;
  revision: string;
  commit: string;
  state?: string;
  /** The installation that started it; absent for people. */
  installation?: string | undefined;
}

/** Notices for integrations about imports from and exports to Git repositories. */
export const gitNotices = (
  type: 'space_gitsync_started' | 'space_gitsync_completed',
  syncs: readonly GitSync[],
): Notice[] =>
  syncs.map(({ organization, space, operation, revision, commit, state, installation }) => ({
    // A job that runs again emits its events again.
    id: `${operation}-${type}`,
    organization,
    kind: 'space',
    target: space,
    scope: 'space:git:sync',
    type,
    by: installation,
    data: { revisionId: revision, commitId: commit, ...(state === undefined ? {} : { state }) },
  }));

export interface VisibilityChange {
  organization: string;
  space: string;
  before: string;
  after: string;
}

/** Notices for integrations about the visibility of spaces. `ids` are those of the domain events. */
export const visibilityNotices = (changes: readonly VisibilityChange[], ids: readonly string[]): Notice[] =>
  changes.map(({ organization, space, before, after }, at) => ({
    id: ids[at] as string,
    organization,
    kind: 'space',
    target: space,
    scope: 'space:metadata:read',
    type: 'space_visibility_updated',
    data: { previousVisibility: before, visibility: after },
  }));
