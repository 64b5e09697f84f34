import type { Caller } from '../../../shared/contract/caller.js';
import type { Call } from '../../../shared/contract/service.js';
import { decodeAfter, encodeCursor } from '../../../shared/lists/paging.js';
import type { Filter, HasStore } from '../../../shared/store/port.js';
import { groupBy } from '../../../shared/values/group-by.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import { presentSpaces, readTexts } from '../../content/contract.js';
import type { Space, Text } from '../../content/resources.js';
import { openUserLookup } from '../../identity/contract.js';
import type { ListNotifications } from '../contract/notifications.js';
import { findRequestsOf } from '../places/change-requests.js';
import type { Notification } from '../resources.js';
import { bodyExcerpt } from '../texts/excerpts.js';
import { comments, replies, type TextDocument } from '../texts/model.js';
import { type NotificationDocument, notifications } from './model.js';

interface Asking {
  call: Call;
  caller: Caller;
}

const maxCounted = 100;
const maxListed = 100;
const maxMarked = 1000;

/** Picks the notifications of the user who calls; a sign-in for one organization sees no others. Null for callers who are no people. */
function ownFilter(caller: Caller): Filter<NotificationDocument> | null {
  if (caller.kind !== 'user') return null;
  const { user, scope } = caller;
  return { user, ...(scope === undefined ? {} : { organization: scope }) };
}

export async function countUnread({ store }: HasStore, caller: Caller): Promise<number> {
  const own = ownFilter(caller);
  if (!own) return 0;
  const { items } = await store.page(notifications, {
    filter: { ...own, read: false },
    sort: {},
    limit: maxCounted,
    fields: [],
  });
  return items.length;
}

export async function markRead({ store }: HasStore, ids: string[] | undefined, caller: Caller): Promise<void> {
  const own = ownFilter(caller);
  if (!own) return;
  const named = ids === undefined ? {} : { _id: { $in: ids.slice(0, maxMarked) } };
  await store.updateMany(notifications, { ...own, ...named, read: false }, { $set: { read: true } });
}

/** Notifications as their user may see them now. Those that are left out for good or for now count as read: nobody could open them. */
export async function listOwn(
  deps: HasStore,
  { limit, page }: ListNotifications,
  { call, caller }: Asking,
): Promise<{ items: Notification[]; next?: string }> {
  const filter = ownFilter(caller);
  if (!filter) return { items: [] };
  const maxItems = Math.min(Math.max(1, limit), maxListed);
  const sort = { createdAt: -1 } as const;
  const after = page === undefined ? undefined : decodeAfter(page, sort);
  const { items, next } = await deps.store.page(notifications, { filter, sort, limit: maxItems, after });
  const presented: Notification[] = [];
  for (const [organization, ofOrganization] of groupBy(items, (item) => item.organization))
    presented.push(...(await present(deps, { call, organization, items: ofOrganization })));
  await markLeftOut(deps, items, presented);
  return {
    items: presented.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)),
    ...(next ? { next: encodeCursor(next) } : {}),
  };
}

async function markLeftOut(
  { store }: HasStore,
  items: readonly NotificationDocument[],
  presented: readonly Notification[],
): Promise<void> {
  const shown = new Set(presented.map(({ id }) => id));
  const leftOut = items.flatMap(({ _id, read }) => (read || shown.has(_id) ? [] : _id));
  if (leftOut.length > 0) await store.updateMany(notifications, { _id: { $in: leftOut } }, { $set: { read: true } });
}

interface Presenting {
  call: Call;
  organization: string;
  items: NotificationDocument[];
}

/** Presents the notifications of one organization: without what is gone, and without spaces that the user may not view. */
async function present(deps: HasStore, { call, organization, items }: Presenting): Promise<Notification[]> {
  const spaces = await viewableSpaces(call, organization, items);
  const shown = items.filter(({ space }) => spaces.has(space));
  const texts = await textsOf(deps, shown);
  const people = shown.flatMap(({ actor }) => actor ?? []);
  const mentioned = [...texts.values()].flatMap(({ mentions }) => mentions);
  const [requests, userBy, excerpts] = await Promise.all([
    findRequestsOf(call, shown),
    openUserLookup(call, organization, [...people, ...mentioned]),
    documentsOf(call, organization, texts),
  ]);
  return shown.flatMap((item): Notification[] => {
    const { _id: id, kind, actor, space, changeRequest, comment, reply, createdAt, read } = item;
    const text = texts.get(reply ?? comment ?? '');
    const request = changeRequest === undefined ? undefined : requests.get(changeRequest);
    if ((changeRequest !== undefined && !request) || ((reply ?? comment) !== undefined && !text)) return [];
    const document = text && excerpts.get(text._id);
    return [
      omitUndefined({
        id,
        kind,
        actor: actor === undefined ? undefined : userBy(actor),
        space: { id: space, title: spaces.get(space)?.title ?? '' },
        changeRequest: request,
        comment,
        excerpt: document && bodyExcerpt(document, (user) => userBy(user)?.displayName ?? user).slice(0, maxExcerpt),
        createdAt,
        read,
      }) as Notification,
    ];
  });
}

const maxExcerpt = 200;

async function viewableSpaces(
  call: Call,
  organization: string,
  items: readonly NotificationDocument[],
): Promise<ReadonlyMap<string, Space>> {
  const ids = [...new Set(items.map(({ space }) => space))];
  const spaces = await call(presentSpaces, { organization, ids });
  return new Map(
    spaces.flatMap((space): [string, Space][] =>
      space?.permissions.view && space.deletedAt === undefined ? [[space.id, space]] : [],
    ),
  );
}

/** The comments and replies that notifications are about, by their ids. */
async function textsOf(
  { store }: HasStore,
  items: readonly NotificationDocument[],
): Promise<ReadonlyMap<string, TextDocument>> {
  const [ofReplies, ofComments] = [
    items.flatMap(({ reply }) => reply ?? []),
    items.flatMap(({ comment, reply }) => (comment !== undefined && reply === undefined ? comment : [])),
  ];
  const found: TextDocument[][] = await Promise.all([
    store.getMany(comments, [...new Set(ofComments)]),
    store.getMany(replies, [...new Set(ofReplies)]),
  ]);
  return new Map(found.flat().map((text) => [text._id, text]));
}

async function documentsOf(call: Call, organization: string, texts: ReadonlyMap<string, TextDocument>) {
  const all = [...texts.values()];
  const read =
    all.length > 0 ? await call(readTexts, { organization, texts: all.map(({ body }) => body as Text) }) : [];
  return new Map(
    all.flatMap(({ _id }, at) => {
      const text = read[at];
      return text && 'document' in text ? [[_id, text.document] as const] : [];
    }),
  );
}
