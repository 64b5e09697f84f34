import { auditRecorded } from '../../shared/contract/audit.js';
import { deliverOver } from '../../shared/contract/delivery.js';
import { type Call, callAsSystem } from '../../shared/contract/service.js';
import { Jobs, jobCollections } from '../../shared/jobs/jobs.js';
import { Outbox, outboxCollection } from '../../shared/jobs/outbox.js';
import { type Mail, openMail } from '../../shared/outbound/mail.js';
import type { Host } from '../../shared/process/platform.js';
import type { Collection, Store } from '../../shared/store/port.js';
import { openCommentsChanged } from '../content/events.js';
import { notices, reviewNotices } from './digests/model.js';
import { commentsEvents } from './events.js';
import { notifications } from './notifications/model.js';
import { commentUsages, placeCollections } from './places/model.js';
import { textCollections } from './texts/model.js';

/** Dependencies that the rooms of comments share. */
export interface CommentsDependencies {
  /** The public address of the server, without a slash at the end. */
  baseUrl: string;
  store: Store;
  outbox: Outbox;
  jobs: Jobs;
  mail: Mail;
  /** Seconds between two mails to a user. */
  digestSeconds: number;
  /** Calls other services for work that belongs to no request. */
  callAsSystem: () => Call;
}

/** Every collection of the service, to be prepared at start. */
export const commentsCollections = [
  ...textCollections,
  ...placeCollections,
  commentUsages,
  notices,
  reviewNotices,
  notifications,
  ...Object.values(jobCollections('comments')),
  outboxCollection('comments'),
] as Collection<never>[];

export function openDependencies({ config, store, log, exclusive, consumers, broker }: Host): CommentsDependencies {
  const emits = [...commentsEvents, openCommentsChanged, auditRecorded];
  return {
    baseUrl: config.baseUrl,
    store,
    outbox: new Outbox({ store, service: 'comments', emits, consumers, log, exclusive, deliver: deliverOver(broker) }),
    jobs: new Jobs({ store, service: 'comments', log, exclusive }),
    mail: openMail(config),
    digestSeconds: config.COMMENT_DIGEST_SECONDS,
    callAsSystem: () => callAsSystem(broker),
  };
}
