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
  spaceTransferred,
  spaceVisibilityChanged,
} from '../content/events.js';
import { siteDeleted } from '../sites/events.js';
import { queueContentNotices } from './deliveries/notices/content-job.js';
import { type AboutComment, commentNotices, gitNotices, visibilityNotices } from './deliveries/notices/notices.js';
import { type NoticeDependencies, notifyIntegrations } from './deliveries/notices/notify.js';
import type { InstallationDependencies } from './installations/find.js';
import { removeFromPlaces } from './installations/uninstalling.js';

/** The events that integrations consumes. */
export const integrationsConsumes = {
  spaceDeleted,
  spaceTransferred,
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
  const notifyOfComments = (type: string) => (payloads: AboutComment[], ids: string[]) =>
    notifyIntegrations(deps, commentNotices(type, payloads, ids));
  return {
    spaceDeleted: (deleted) =>
      removeFromPlaces(
        deps,
        'space',
        deleted.map(({ space }) => ({ target: space })),
      ),
    spaceTransferred: (transferred) =>
      removeFromPlaces(
        deps,
        'space',
        transferred.map(({ space, from }) => ({ target: space, organization: from })),
      ),
    siteDeleted: (deleted) =>
      removeFromPlaces(
        deps,
        'site',
        deleted.map(({ site }) => ({ target: site })),
      ),
    contentChanged: (changes, ids) => queueContentNotices(deps, changes, ids),
    spaceVisibilityChanged: (changes, ids) => notifyIntegrations(deps, visibilityNotices(changes, ids)),
    gitSyncStarted: (syncs) => notifyIntegrations(deps, gitNotices('space_gitsync_started', syncs)),
    gitSyncCompleted: (syncs) => notifyIntegrations(deps, gitNotices('space_gitsync_completed', syncs)),
    commentCreated: notifyOfComments('comment_created'),
    commentUpdated: notifyOfComments('comment_updated'),
    commentResolved: notifyOfComments('comment_resolved'),
    commentReacted: notifyOfComments('comment_reacted'),
    commentDeleted: notifyOfComments('comment_deleted'),
    replyCreated: notifyOfComments('comment_reply_created'),
    replyUpdated: notifyOfComments('comment_reply_updated'),
    replyReacted: notifyOfComments('comment_reply_reacted'),
    replyDeleted: notifyOfComments('comment_reply_deleted'),
  };
}
