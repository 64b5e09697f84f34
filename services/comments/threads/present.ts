import type { Call } from '../../../shared/contract/service.js';
import { eachDocument, type Store } from '../../../shared/store/port.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import { type ShownTarget, showTargets } from '../../content/contract.js';
import type { Comment, CommentFormat, CommentTarget, Reaction } from '../../content/resources.js';
import { openUserLookup } from '../../identity/contract.js';
import type { User } from '../../identity/resources.js';
import type { CommentPlace } from '../places/places.js';
import type { CommentReply } from '../resources.js';
import { type CommentDocument, type ReplyDocument, replies, type TextDocument } from '../texts/model.js';
import { emojiFromKey, type StoredReactions } from '../texts/reactions.js';
import { type Reader, readerPermissions, renderBodies } from '../texts/texts.js';

/** Reader of texts of one place, and the format in which they are shown. */
export interface Showing {
  store: Store;
  baseUrl: string;
  call: Call;
  place: CommentPlace;
  reader: Reader;
  format: CommentFormat;
  /** The target of the one comment that is shown, where content has just answered it: it is not asked again. */
  target?: ShownTarget | null | undefined;
}

/** Comments of one place in their order. The number of calls does not grow with the number of comments. */
export async function presentComments(showing: Showing, items: readonly CommentDocument[]): Promise<Comment[]> {
  const repliers = await readRepliers(showing.store, items);
  const replied = items.flatMap(({ _id }) => repliers(_id).map(({ user }) => user));
  const [textOf, targets] = await Promise.all([readTextParts(showing, items, replied), readTargets(showing, items)]);
  return items.map((item, at) => {
    const { resolvedAt, resolvedBy } = item;
    const { body, userBy } = textOf(at);
    return {
      object: 'comment',
      ...presentText(item, { showing, body, userBy, location: commentUrl(showing, item._id) }),
      replies: item.replies,
      repliers: repliers(item._id).map(({ user, ...replied }) => ({ ...replied, user: userBy(user) })),
      target: targets(item),
      status: item.status,
      ...(resolvedAt && resolvedBy ? { resolvedAt, resolvedBy: userBy(resolvedBy) } : {}),
    };
  });
}

/** Replies to comments of one place in their order. */
export async function presentReplies(showing: Showing, items: readonly ReplyDocument[]): Promise<CommentReply[]> {
  const textOf = await readTextParts(showing, items);
  return items.map((item, at) => {
    const location = `${commentUrl(showing, item.comment)}/replies/${item._id}`;
    return { object: 'comment-reply', ...presentText(item, { showing, ...textOf(at), location }) };
  });
}

type Text = TextDocument & Pick<Partial<CommentDocument>, 'resolvedBy'>;

interface TextParts {
  body: Comment['body'];
  userBy: (id: string) => User;
}

/** The bodies of texts, and all users whom they name; with `others`. */
async function readTextParts(
  { call, place, format }: Showing,
  items: readonly Text[],
  others: string[] = [],
): Promise<(at: number) => TextParts> {
  const named = items.flatMap(({ author, resolvedBy, reactions }) => [
    author,
    ...(resolvedBy ? [resolvedBy] : []),
    ...reactingUsers(reactions),
  ]);
  const [bodies, userBy] = await Promise.all([
    renderBodies(call, items, format),
    openUserLookup(call, place.organization, [...named, ...others]),
  ]);
  return (at) => ({ body: bodies[at] as Comment['body'], userBy });
}

function presentText(
  item: TextDocument,
  { showing, body, userBy, location }: TextParts & { showing: Showing; location: string },
) {
  const { _id: id, author, postedAt, editedAt, reactions, mentions } = item;
  return {
    id,
    postedBy: userBy(author),
    postedAt,
    ...(editedAt ? { editedAt } : {}),
    reactions: presentReactions(reactions, userBy),
    body,
    mentions,
    urls: { location },
    permissions: readerPermissions(item, showing.reader),
  };
}

/** The address of a comment in the API. */
export function commentUrl({ baseUrl, place }: Pick<Showing, 'baseUrl' | 'place'>, id: string): string {
  const { space, changeRequest } = place;
  const at = changeRequest === undefined ? '' : `/change-requests/${changeRequest}`;
  return `${baseUrl}/v1/spaces/${space}${at}/comments/${id}`;
}

/** The targets of comments, with their pages as they are now. */
async function readTargets(
  { call, place, target }: Showing,
  items: readonly CommentDocument[],
): Promise<(item: CommentDocument) => CommentTarget> {
  const onPages = items.filter(({ seen }) => seen);
  const askContent = () => call(showTargets, { ...placeQuestion(place), targets: onPages.map(targetQuestion) });
  const shown = target !== undefined ? [target] : onPages.length > 0 ? await askContent() : [];
  const byId = new Map(onPages.map(({ _id }, at) => [_id, shown[at] ?? null]));
  return (item) => presentTarget(item, byId.get(item._id) ?? null);
}

const placeQuestion = ({ organization, space, changeRequest }: CommentPlace) => ({
  organization,
  space,
  ...(changeRequest === undefined ? {} : { changeRequest }),
});

const targetQuestion = ({ page = '', node, seen }: CommentDocument) =>
  omitUndefined({ page, node: node?.id, document: seen?.document || undefined });

/** Without its page, a target shows it was. */
function presentTarget(
  { space, revision, changeRequest, review, seen, node }: CommentDocument,
  shown: ShownTarget | null,
): CommentTarget {
  const { page, outdated } = shown ?? { page: seen?.page, outdated: true };
  return omitUndefined({
    space,
    revision,
    changeRequest: changeRequest || undefined,
    review: review || undefined,
    page: page ? { ...page, outdated } : undefined,
    node,
  });
}

/** A user who replied to a comment, how often, and when last. */
interface Replier {
  user: string;
  count: number;
  updatedAt: string;
}

/** Finds the users who replied to comments, by the ids of the comments; the latest first. Lists bound how many replies they read. */
export async function readRepliers(
  store: Store,
  items: readonly Pick<CommentDocument, '_id' | 'replies'>[],
): Promise<(comment: string) => Replier[]> {
  const ids = items.filter((item) => item.replies > 0).map(({ _id }) => _id);
  const found = new Map(ids.map((id) => [id, new Map<string, Replier>()]));
  if (ids.length > 0)
    for await (const reply of eachDocument(store, replies, { comment: { $in: ids } }, [
      'comment',
      'author',
      'postedAt',
    ]))
      countReply(found.get(reply.comment), reply);
  return (comment) => [...(found.get(comment)?.values() ?? [])].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
}

function countReply(
  repliers: Map<string, Replier> | undefined,
  { author: user, postedAt }: { author: string; postedAt: string },
): void {
  const { count = 0, updatedAt = '' } = repliers?.get(user) ?? {};
  repliers?.set(user, { user, count: count + 1, updatedAt: postedAt > updatedAt ? postedAt : updatedAt });
}

/** The ids of all users who reacted. */
const reactingUsers = (stored: StoredReactions = {}): string[] => Object.values(stored).flatMap(Object.keys);

/** Reactions in the order in which each emoji and each user was first. */
function presentReactions(stored: StoredReactions = {}, userBy: (id: string) => User): Reaction[] {
  return Object.entries(stored)
    .map(([key, users]) => ({ key, users: sortByReactionTime(Object.entries(users)) }))
    .filter(({ users }) => users.length > 0)
    .sort((a, b) => compareTexts(a.users[0]?.[1], b.users[0]?.[1]) || compareTexts(a.key, b.key))
    .map(({ key, users }) => ({
      emoji: emojiFromKey(key),
      count: users.length,
      users: users.map(([user, reactedAt]) => ({ user: userBy(user), reactedAt })),
    }));
}

const sortByReactionTime = (users: [user: string, at: string][]) =>
  users.sort(([a, at], [b, other]) => compareTexts(at, other) || compareTexts(a, b));

const compareTexts = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);
