import type { Call } from '../../../shared/contract/service.js';
import type { Store } from '../../../shared/store/port.js';
import { type ShownTarget, showTargets } from '../../content/contract.js';
import type { Comment, CommentFormat, CommentTarget } from '../../content/resources.js';
import { usersNamed } from '../../identity/contract.js';
import type { User } from '../../identity/resources.js';
import type { CommentPlace } from '../places/places.js';
import type { CommentReply } from '../resources.js';
import { shownBodies } from '../texts/bodies.js';
import type { CommentDocument, ReplyDocument, TextDocument } from '../texts/model.js';
import { presentReactions, reactingUsers } from '../texts/reactions.js';
import { type Reader, rightsOn } from '../texts/rights.js';
import { repliersOf } from './repliers.js';

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
  const repliers = await repliersOf(showing.store, items);
  const replied = items.flatMap(({ _id }) => repliers(_id).map(({ user }) => user));
  const [textOf, targets] = await Promise.all([openTexts(showing, items, replied), shownTargets(showing, items)]);
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
  const textOf = await openTexts(showing, items);
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
async function openTexts(
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
    shownBodies(call, items, format),
    usersNamed(call, place.organization, [...named, ...others]),
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
    permissions: rightsOn(item, showing.reader),
  };
}

/** The address of a comment in the API. */
export function commentUrl({ baseUrl, place }: Pick<Showing, 'baseUrl' | 'place'>, id: string): string {
  const { space, changeRequest } = place;
  const at = changeRequest === undefined ? '' : `/change-requests/${changeRequest}`;
  return `${baseUrl}/v1/spaces/${space}${at}/comments/${id}`;
}

/** The targets of comments, with their pages as they are now. */
async function shownTargets(
  { call, place, target }: Showing,
  items: readonly CommentDocument[],
): Promise<(item: CommentDocument) => CommentTarget> {
  const onPages = items.filter(({ seen }) => seen);
  const ask = () => call(showTargets, { ...placeNamed(place), targets: onPages.map(askedOf) });
  const shown = target !== undefined ? [target] : onPages.length > 0 ? await ask() : [];
  const byId = new Map(onPages.map(({ _id }, at) => [_id, shown[at] ?? null]));
  return (item) => targetOf(item, byId.get(item._id) ?? null);
}

const placeNamed = ({ organization, space, changeRequest }: CommentPlace) => ({
  organization,
  space,
  ...(changeRequest === undefined ? {} : { changeRequest }),
});

const askedOf = ({ page = '', node, seen }: CommentDocument) => ({
  page,
  ...(node ? { node: node.id } : {}),
  ...(seen?.document ? { document: seen.document } : {}),
});

/** Without its page, a target shows it as it was. */
function targetOf(
  { space, revision, changeRequest, review, seen, node }: CommentDocument,
  shown: ShownTarget | null,
): CommentTarget {
  const { page, outdated } = shown ?? { page: seen?.page, outdated: true };
  return {
    space,
    revision,
    ...(changeRequest ? { changeRequest } : {}),
    ...(review ? { review } : {}),
    ...(page ? { page: { ...page, outdated } } : {}),
    ...(node ? { node } : {}),
  };
}
