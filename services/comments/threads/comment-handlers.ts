import { joinHandlers } from '../../../shared/contract/at-places.js';
import type { QueryOf } from '../../../shared/contract/operation.js';
import type { Context, HandlersOf } from '../../../shared/contract/service.js';
import { forbidden, invalid, notFound } from '../../../shared/errors/errors.js';
import type { HasJobs } from '../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../shared/jobs/outbox.js';
import { listPage } from '../../../shared/lists/paging.js';
import type { HasMail } from '../../../shared/outbound/mail.js';
import { again } from '../../../shared/store/again.js';
import { type Filter, type HasStore, write } from '../../../shared/store/port.js';
import { newId, timestamp } from '../../../shared/values/ids.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import { type FoundTarget, findTarget } from '../../content/contract.js';
import type { Comment } from '../../content/resources.js';
import { commentOperations } from '../contract/operations.js';
import { commentNoticeWrites } from '../digests/notices.js';
import { commentCreated, commentDeleted } from '../events.js';
import {
  type CommentPlace,
  checkCommentQuota,
  countAdditionWrites,
  countRemovalWrites,
  findPlace,
  type PlacePath,
  readListTotal,
} from '../places/places.js';
import { removeRepliesKind } from '../removal/removal-jobs.js';
import { type CommentDocument, comments, listSizeBounds } from '../texts/model.js';
import {
  commentEventPayload,
  prepareBody,
  readerFromCaller,
  readerPermissions,
  type StoredBody,
  spaceFields,
} from '../texts/texts.js';
import { commentUpdateWrites } from './comment-updates.js';
import { findComment } from './find.js';
import { presentComments, type Showing } from './present.js';
import { prepareEditedBody } from './text-changes.js';

type Dependencies = HasStore & HasOutbox & HasJobs & HasMail & { baseUrl: string; digestSeconds: number };
type Operations = typeof commentOperations.operations;

/** Comments on spaces and on change requests. */
export function commentHandlers(deps: Dependencies): HandlersOf<Operations> {
  const { store, outbox, jobs } = deps;

  const showComments = async (context: Context, place: CommentPlace, { items, ...how }: Shown): Promise<Comment[]> => {
    const { call, caller, access } = context;
    const reader = readerFromCaller(caller, access.role);
    return presentComments({ store, baseUrl: deps.baseUrl, call, place, reader, ...how }, items);
  };
  const showComment = async (context: Context, place: CommentPlace, item: CommentDocument, how: Partial<Shown> = {}) =>
    (await showComments(context, place, { format: 'markdown', ...how, items: [item] }))[0] as Comment;

  return joinHandlers(commentOperations, {
    async listComments({ path, query }, context) {
      if (query.targetNode !== undefined && query.targetPage === undefined)
        throw invalid('targetPage: required with targetNode');
      const place = await findPlace(path, context);
      const list = {
        filter: listFilter(place, query),
        sort: { postedAt: query.order === 'asc' ? 1 : -1 } as const,
        request: query,
        sizes: listSizeBounds(query.format),
        ...(await readListTotal(store, place, query)),
      };
      return listPage(store, comments, list, (items) => showComments(context, place, { format: query.format, items }));
    },

    async postComment({ path, body: { body, page, node } }, context) {
      const target = await findCommentTarget(path, { page, node }, context);
      const place = placeOfTarget(path, target, context);
      const { organization, space } = place;
      await checkCommentQuota(store, place);
      const sent = await prepareBody(context.call, { organization, space, body });
      const made = newComment({ place, target, sent, author: readerFromCaller(context.caller, null).user });
      await store.batch([
        write.insert(comments, made),
        ...countAdditionWrites(deps, made),
        ...commentNoticeWrites(deps, made, made.mentions, target.createdBy),
        outbox.add(commentCreated, {
          ...commentEventPayload(made, made.author),
          mentions: made.mentions,
          ...(page ? { page } : {}),
        }),
        context.audit('comment', made._id, { details: spaceFields(made) }),
      ]);
      return showComment(context, place, made, { target: target.shown });
    },

    async getComment({ path, query: { format } }, context) {
      const place = await findPlace(path, context);
      return showComment(context, place, await findComment(store, place, path.commentId), { format });
    },

    async updateComment({ path, body }, context) {
      const place = await findPlace(path, context);
      const reader = readerFromCaller(context.caller, context.access.role);
      if (body.body) await checkCommentQuota(store, place);
      const sent =
        body.body &&
        (await prepareEditedBody(
          await findComment(store, place, path.commentId),
          { body: body.body, reader },
          context,
        ));
      const changed = await again(async () => {
        const before = await findComment(store, place, path.commentId);
        const writes = commentUpdateWrites(deps, { before, request: body, sent, user: reader.user }, context);
        if (writes.length > 0) await store.batch(writes);
        return writes.length > 0 ? undefined : before;
      });
      return showComment(context, place, changed ?? (await findComment(store, place, path.commentId)));
    },

    async deleteComment({ path }, context) {
      const place = await findPlace(path, context);
      const reader = readerFromCaller(context.caller, context.access.role);
      await again(async () => {
        const comment = await findComment(store, place, path.commentId);
        if (!readerPermissions(comment, reader).delete)
          throw forbidden(
            'Only its author deletes a comment, or who has the right "admin" on the space',
            'missing_right',
          );
        const { _id, status, bytes } = comment;
        await store.batch([
          write.delete(comments, { _id, status, bytes }, { expect: 1 }),
          ...countRemovalWrites(deps, [comment]),
          // Without their comment, they cannot be reached any more.
          jobs.enqueue(removeRepliesKind, { comment: _id }, { share: comment.organization }),
          outbox.add(commentDeleted, commentEventPayload(comment, reader.user)),
          context.audit('comment', _id, { details: spaceFields(comment) }),
        ]);
      });
    },
  });
}

interface Shown extends Pick<Showing, 'format' | 'target'> {
  items: readonly CommentDocument[];
}

type ListQuery = QueryOf<Operations['listCommentsInSpace']>;

const listFilter = (
  { id }: CommentPlace,
  { status, targetPage, targetNode, authors }: ListQuery,
): Filter<CommentDocument> =>
  omitUndefined({
    place: id,
    page: targetPage,
    ...(targetNode === undefined ? {} : { 'node.id': targetNode }),
    author: authors === undefined ? undefined : { $in: authors },
    status: status === 'all' ? undefined : status,
  });

/** Finds what a new comment is about. Throws 400 for a page or a block that does not exist, 404 for the change request. */
async function findCommentTarget(
  { spaceId: space, changeRequestId }: PlacePath,
  { page, node }: { page: string | undefined; node: string | undefined },
  { call }: Context,
): Promise<FoundTarget> {
  if (node !== undefined && page === undefined) throw invalid('page: required with node');
  const target = await call(findTarget, omitUndefined({ space, changeRequest: changeRequestId, page, node }));
  if (!target) throw notFound('Change request');
  if (target.lacks === 'page') throw invalid('page: there is no such page here');
  if (target.lacks === 'node') throw invalid('node: the page has no such block');
  return target;
}

function placeOfTarget(
  { spaceId: space }: PlacePath,
  { changeRequest }: FoundTarget,
  { access }: Context,
): CommentPlace {
  const { organization } = access;
  return { id: changeRequest ?? space, organization, space, ...(changeRequest ? { changeRequest } : {}) };
}

interface New {
  place: CommentPlace;
  target: FoundTarget;
  sent: StoredBody;
  author: string;
}

function newComment({ place, target, sent, author }: New): CommentDocument {
  const { id, ...at } = place;
  const { revision, page, document, node } = target;
  return {
    _id: newId(),
    ...at,
    place: id,
    author,
    postedAt: timestamp(),
    ...sent,
    status: 'open',
    replies: 0,
    revision,
    ...(page ? { page: page.id, seen: { page, ...(document ? { document } : {}) } } : {}),
    ...(node ? { node } : {}),
  };
}
