import type { ServiceSchema } from 'moleculer';
import { archiveVerbs } from '../../shared/contract/archive.js';
import { auditRecorded } from '../../shared/contract/audit.js';
import { eventReceiver } from '../../shared/contract/event.js';
import { KeyedRequests } from '../../shared/contract/keyed-requests.js';
import { bindService, implementVerb } from '../../shared/contract/service.js';
import type { Host } from '../../shared/process/platform.js';
import { countOpenComments, postReviewComment, presentComments } from '../content/contract.js';
import {
  commentsContract,
  countCommentsOnBlocks,
  countUnreadNotifications,
  listNotifications,
  readNotifications,
} from './contract.js';
import { commentsCollections, openDependencies } from './dependencies.js';
import { digestJob } from './digests/digest-job.js';
import { countUnread, listOwn, markRead } from './notifications/lists.js';
import { sweepJob, sweepKind, trimJob } from './notifications/tidying.js';
import { countOnBlocks } from './places/block-counts.js';
import { commenterHandlers } from './places/commenter-handlers.js';
import { maxOrganizationBytes, readOpenCounts, readStoredBytes } from './places/places.js';
import { removeRepliesJob, removeSpaceTextsJob } from './removal/removal-jobs.js';
import { commentsConsumes, commentsSubscribers } from './subscriptions.js';
import { archivedTexts } from './threads/archived-texts.js';
import { commentHandlers } from './threads/comment-handlers.js';
import { replyHandlers } from './threads/reply-handlers.js';
import { postReviewComment as postCommentOfReview, presentCommentsByIds } from './threads/review-comments.js';
import { transferSpaceTextsJob } from './transfers/transfer-job.js';

export function commentsService(host: Host): ServiceSchema {
  const { config, ready, writable } = host;
  const deps = openDependencies(host);
  const { store, jobs, outbox, mail } = deps;
  return bindService({
    name: 'comments',
    contract: commentsContract,
    ready,
    writable,
    keyedRequests: new KeyedRequests({ ...host, service: 'comments' }),
    usage: async (organization) => [
      {
        kind: 'comments',
        unit: 'bytes',
        used: await readStoredBytes(store, organization),
        limit: maxOrganizationBytes,
      },
    ],
    checkResponses: config.CHECK_RESPONSES,
    handlers: { ...commentHandlers(deps), ...replyHandlers(deps), ...commenterHandlers(deps) },
    verbs: [
      ...archiveVerbs('comments', deps, archivedTexts),
      implementVerb(countOpenComments, ({ places }) => readOpenCounts(store, places)),
      implementVerb(countCommentsOnBlocks, (asked) => countOnBlocks(store, asked)),
      implementVerb(postReviewComment, (written, { call }) => postCommentOfReview(deps, written, call)),
      implementVerb(presentComments, (asked, context) => presentCommentsByIds(deps, asked, context)),
      implementVerb(listNotifications, (asked, context) => listOwn(deps, asked, context)),
      implementVerb(countUnreadNotifications, (_, { caller }) => countUnread(deps, caller)),
      implementVerb(readNotifications, ({ ids }, { caller }) => markRead(deps, ids, caller)),
    ],
    receive: eventReceiver(commentsConsumes, commentsSubscribers(deps)),
    auditTrail: (record) => outbox.add(auditRecorded, record),
    started: () => store.prepare(commentsCollections),
    async background() {
      jobs.register(removeRepliesJob(deps));
      jobs.register(removeSpaceTextsJob(deps));
      jobs.register(transferSpaceTextsJob(deps));
      jobs.register(digestJob(deps, 'texts'));
      jobs.register(digestJob(deps, 'reviews'));
      jobs.register(trimJob(deps));
      jobs.register(sweepJob(deps));
      await store.batch([jobs.enqueueStanding(sweepKind, sweepKind, {})]);
      await jobs.start();
      outbox.start();
    },
    async stopped() {
      await Promise.all([jobs.stop(), outbox.stop()]);
      await mail.close();
    },
  });
}
