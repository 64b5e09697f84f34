import type { Subscribers } from '../../shared/contract/event.js';
import {
  commentCreated,
  commentDeleted,
  commentReacted,
  commentResolved,
  commentUpdated,
  replyCreated,
  replyDeleted,
  replyReacted,
  replyUpdated,
} from '../comments/events.js';
import {
  contentChanged,
  gitSyncCompleted,
  gitSyncStarted,
  spaceDeleted,
  spaceVisibilityChanged,
} from '../content/events.js';
import { siteDeleted } from '../sites/events.js';
import { tellContentLater } from './deliveries/notices/content-job.js';
import { type AboutComment, commentNotices, gitNotices, visibilityNotices } from './deliveries/notices/notices.js';
import { type NoticeDependencies, notifyIntegrations } from './deliveries/notices/notify.js';
import type { InstallationDependencies } from './installations/find.js';
import { removeFromPlaces } from './installations/uninstalling.js';

/** The events that integrations consumes. */
export const integrationsConsumes = {
  spaceDeleted,
  siteDeleted,
  contentChanged,
  spaceVisibilityChanged,
  gitSyncStarted,
  gitSyncCompleted,
  commentCreated,
  commentUpdated,
  commentResolved,
  commentReacted,
  commentDeleted,
  replyCreated,
  replyUpdated,
  replyReacted,
  replyDeleted,
};

/** Reacts to these events: notifies integrations that work on the space, and ends installations on what is gone. */
export function integrationsSubscribers(
  deps: InstallationDependencies & NoticeDependencies,
): Subscribers<typeof integrationsConsumes> {
  const comments = (type: string) => (payloads: AboutComment[], ids: string[]) =>
    notifyIntegrations(deps, commentNotices(type, payloads, ids));
  return {
    spaceDeleted: (deleted) =>
      removeFromPlaces(
        deps,
        'space',
        deleted.map(({ space }) => space),
      ),
    siteDeleted: (deleted) =>
      removeFromPlaces(
        deps,
        'site',
        deleted.map(({ site }) => site),
      ),
    contentChanged: (changes, ids) => tellContentLater(deps, changes, ids),
    spaceVisibilityChanged: (changes, ids) => notifyIntegrations(deps, visibilityNotices(changes, ids)),
    gitSyncStarted: (syncs) => notifyIntegrations(deps, gitNotices('space_gitsync_started', syncs)),
    gitSyncCompleted: (syncs) => notifyIntegrations(deps, gitNotices('space_gitsync_completed', syncs)),
    commentCreated: comments('comment_created'),
    commentUpdated: comments('comment_updated'),
    commentResolved: comments('comment_resolved'),
    commentReacted: comments('comment_reacted'),
    commentDeleted: comments('comment_deleted'),
    replyCreated: comments('comment_reply_created'),
    replyUpdated: comments('comment_reply_updated'),
    replyReacted: comments('comment_reply_reacted'),
    replyDeleted: comments('comment_reply_deleted'),
  };
}
