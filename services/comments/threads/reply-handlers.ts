import { joinHandlers } from '../../../shared/contract/at-places.js';
import type { Context, HandlersOf } from '../../../shared/contract/service.js';
import { conflict, forbidden } from '../../../shared/errors/errors.js';
import type { HasJobs } from '../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../shared/jobs/outbox.js';
import { listPage } from '../../../shared/lists/paging.js';
import type { HasMail } from '../../../shared/outbound/mail.js';
import { again } from '../../../shared/store/again.js';
import { type HasStore, type Update, type Write, write } from '../../../shared/store/port.js';
import { newId, timestamp } from '../../../shared/values/ids.js';
import type { CommentFormat } from '../../content/resources.js';
import { replyOperations } from '../contract/operations.js';
import { replyNoticeWrites } from '../digests/notices.js';
import { replyCreated, replyDeleted, replyReacted, replyUpdated } from '../events.js';
import {
  type CommentPlace,
  checkCommentQuota,
  countAdditionWrites,
  countRemovalWrites,
  findPlace,
} from '../places/places.js';
import type { CommentReply } from '../resources.js';
import { type CommentDocument, comments, listSizeBounds, type ReplyDocument, replies } from '../texts/model.js';
import {
  prepareBody,
  readerFromCaller,
  readerPermissions,
  replyEventPayload,
  type StoredBody,
  spaceFields,
} from '../texts/texts.js';
import { findComment, findReply } from './find.js';
import { presentReplies } from './present.js';
import { hasReactionChanges, planTextChanges, prepareEditedBody, type TextRequest } from './text-changes.js';

type Dependencies = HasStore & HasOutbox & HasJobs & HasMail & { baseUrl: string; digestSeconds: number };

const maxReplies = 1000;

/** Replies to comments on spaces and on change requests. */
export function replyHandlers(deps: Dependencies): HandlersOf<typeof replyOperations.operations> {
  const { store, outbox } = deps;

  const showReplies = (context: Context, place: CommentPlace, { format, items }: Shown): Promise<CommentReply[]> => {
    const { call, caller, access } = context;
    const reader = readerFromCaller(caller, access.role);
    return presentReplies({ store, baseUrl: deps.baseUrl, call, place, reader, format }, items);
  };
  const showReply = async (context: Context, place: CommentPlace, { format, item }: ShownOne) =>
    (await showReplies(context, place, { format, items: [item] }))[0] as CommentReply;

  return joinHandlers(replyOperations, {
    async listCommentReplies({ path, query }, context) {
      const place = await findPlace(path, context);
      const comment = await findComment(store, place, path.commentId);
      const filter = { comment: comment._id };
      const list = {
        filter,
        sort: { postedAt: 1 } as const,
        request: query,
        count: comment.replies,
        sizes: listSizeBounds(query.format),
      };
      return listPage(store, replies, list, (items) => showReplies(context, place, { format: query.format, items }));
    },

    async postCommentReply({ path, body: { body }, query: { format } }, context) {
      const place = await findPlace(path, context);
      const { organization, space } = place;
      const comment = await findComment(store, place, path.commentId);
      if (comment.replies >= maxReplies)
        throw conflict(`There are at most ${maxReplies.toLocaleString('en')} replies to a comment`, 'limit_reached');
      await checkCommentQuota(store, place);
      const sent = await prepareBody(context.call, { organization, space, body });
      const made = newReply({ comment, sent, author: readerFromCaller(context.caller, null).user });
      const { mentions, author } = made;
      await again(async () => {
        await findComment(store, place, comment._id);
        await store.batch([
          write.update(comments, { _id: comment._id }, { $inc: { replies: 1 } }, { expect: 1 }),
          write.insert(replies, made),
          ...countAdditionWrites(deps, made),
          ...replyNoticeWrites(deps, made, { mentions, repliedTo: comment.author }),
          outbox.add(replyCreated, { ...replyEventPayload(made, author), mentions }),
          context.audit('comment-reply', made._id, { details: { ...spaceFields(made), comment: comment._id } }),
        ]);
      });
      return showReply(context, place, { format, item: made });
    },

    async getCommentReply({ path, query: { format } }, context) {
      const place = await findPlace(path, context);
      return showReply(context, place, { format, item: await findReply(store, place, path) });
    },

    async updateCommentReply({ path, body }, context) {
      const place = await findPlace(path, context);
      const reader = readerFromCaller(context.caller, context.access.role);
      if (body.body) await checkCommentQuota(store, place);
      const sent =
        body.body &&
        (await prepareEditedBody(await findReply(store, place, path), { body: body.body, reader }, context));
      await again(async () => {
        const before = await findReply(store, place, path);
        const writes = replyUpdateWrites(deps, { before, request: body, sent, user: reader.user }, context);
        if (writes.length > 0) await store.batch(writes);
      });
      return showReply(context, place, { format: 'markdown', item: await findReply(store, place, path) });
    },

    async deleteCommentReply({ path }, context) {
      const place = await findPlace(path, context);
      const reader = readerFromCaller(context.caller, context.access.role);
      await again(async () => {
        const reply = await findReply(store, place, path);
        if (!readerPermissions(reply, reader).delete)
          throw forbidden(
            'Only its author deletes a reply, or who has the right "admin" on the space',
            'missing_right',
          );
        const { _id, comment, bytes } = reply;
        await store.batch([
          write.update(comments, { _id: comment }, { $inc: { replies: -1 } }, { expect: 1 }),
          write.delete(replies, { _id, bytes }, { expect: 1 }),
          ...countRemovalWrites(deps, [reply]),
          outbox.add(replyDeleted, replyEventPayload(reply, reader.user)),
          context.audit('comment-reply', _id, { details: { ...spaceFields(reply), comment } }),
        ]);
      });
    },
  });
}

interface Shown {
  format: CommentFormat;
  items: readonly ReplyDocument[];
}

interface ShownOne {
  format: CommentFormat;
  item: ReplyDocument;
}

interface New {
  comment: CommentDocument;
  sent: StoredBody;
  author: string;
}

function newReply({ comment, sent, author }: New): ReplyDocument {
  const { _id, organization, place } = comment;
  return {
    _id: newId(),
    organization,
    ...spaceFields(comment),
    place,
    comment: _id,
    author,
    postedAt: timestamp(),
    ...sent,
  };
}

interface Updating {
  before: ReplyDocument;
  request: TextRequest;
  sent: StoredBody | undefined;
  user: string;
}

/** The writes of an update; none where nothing changes. They fail when its body changed meanwhile. */
function replyUpdateWrites(deps: Dependencies, { before, request, sent, user }: Updating, { audit }: Context): Write[] {
  const changes = planTextChanges(before, { request, body: sent, user, at: timestamp() });
  const { update, expected, isEdited, reactions } = changes;
  if (!update) return [];
  const { _id } = before;
  const { added, removed } = reactions;
  const about = replyEventPayload(before, user);
  const mentions = sent?.mentions ?? [];
  const details = {
    ...(isEdited ? { edited: true } : {}),
    ...(hasReactionChanges(reactions) ? { added, removed } : {}),
  };
  return [
    write.update(replies, { _id, ...expected }, update as Update<ReplyDocument>, { expect: 1 }),
    ...changes.writes,
    ...replyNoticeWrites(deps, before, { mentions: changes.mentions }),
    ...(isEdited ? [deps.outbox.add(replyUpdated, { ...about, mentions })] : []),
    ...(hasReactionChanges(reactions) ? [deps.outbox.add(replyReacted, { ...about, added, removed })] : []),
    audit('comment-reply', _id, { details }),
  ];
}
