import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Call } from '../../../../shared/contract/service.js';
import { Jobs } from '../../../../shared/jobs/jobs.js';
import { Outbox } from '../../../../shared/jobs/outbox.js';
import { createLog } from '../../../../shared/monitoring/log.js';
import { openMail } from '../../../../shared/outbound/mail.js';
import { openSqliteStore } from '../../../../shared/store/sqlite/store.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import { type CommentsDependencies, commentsCollections } from '../../dependencies.js';
import { commentsEvents } from '../../events.js';
import type { CommentDocument, ReplyDocument } from '../model.js';

/** What the rooms of comments work with, on a store of its own. Jobs run when they are started; no other service answers. */
export async function openComments(): Promise<CommentsDependencies & { close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-comments-'));
  const store = await openSqliteStore({ path: join(folder, 'comments.sqlite') });
  await store.prepare(commentsCollections);
  const log = createLog('silent');
  const baseUrl = 'https://docs.example';
  const jobs = new Jobs({ store, service: 'comments', log, exclusive: true, pollMs: 10 });
  const alone = { consumers: new Map(), deliver: () => Promise.reject(new Error('nobody listens')) };
  return {
    baseUrl,
    store,
    jobs,
    outbox: new Outbox({ store, service: 'comments', emits: commentsEvents, log, ...alone }),
    mail: openMail({ baseUrl, MAIL_FROM: undefined, SMTP_URL: undefined }),
    digestSeconds: 300,
    callAsSystem: () => (() => Promise.reject(new Error('nobody answers'))) as unknown as Call,
    async close() {
      await jobs.stop();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

type Stored<T> = Pick<T, Extract<'space' | 'author' | 'comment', keyof T>> & Partial<T>;

const textOf = ({ space }: { space: string }) => ({
  _id: newId(),
  organization: 'acme',
  place: space,
  postedAt: timestamp(),
  body: { markdown: 'Hello' },
  mentions: [],
  bytes: 20,
});

export const newComment = (fields: Stored<CommentDocument>): CommentDocument => ({
  ...textOf(fields),
  status: 'open',
  replies: 0,
  revision: 'revision',
  ...fields,
});

export const newReply = (fields: Stored<ReplyDocument>): ReplyDocument => ({ ...textOf(fields), ...fields });
