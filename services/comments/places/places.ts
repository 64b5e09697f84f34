import type { Context } from '../../../shared/contract/service.js';
import { conflict, notFound } from '../../../shared/errors/errors.js';
import type { HasOutbox } from '../../../shared/jobs/outbox.js';
import { type Store, type Write, write } from '../../../shared/store/port.js';
import { findChangeRequest } from '../../content/contract.js';
import { openCommentsChanged } from '../../content/events.js';
import type { CommentStatus } from '../../content/resources.js';
import type { CommentDocument, TextDocument } from '../texts/model.js';
import { type Counts, commenters, commentUsages, places, targetPages } from './model.js';

/** The path parameters of every operation: the change request is named by its id or its number. */
export interface PlacePath {
  spaceId: string;
  changeRequestId?: string;
}

/** A space or a change request. */
export interface CommentPlace {
  /** The id of the change request, else of the space. */
  id: string;
  organization: string;
  space: string;
  changeRequest?: string;
}

/** The place that an operation names. Throws 404 for a change request that the space does not have. */
export async function findPlace(
  { spaceId: space, changeRequestId }: PlacePath,
  { call, access: { organization } }: Pick<Context, 'call' | 'access'>,
): Promise<CommentPlace> {
  if (changeRequestId === undefined) return { id: space, organization, space };
  const found = await call(findChangeRequest, { space, changeRequest: changeRequestId });
  if (!found) throw notFound('Change request');
  return { id: found.id, organization, space, changeRequest: found.id };
}

/** Bytes that all comments of a place may take. */
const maxPlaceBytes = 1_000_000_000;
/** Bytes that all comments of an organization may take. */
export const maxOrganizationBytes = 5_000_000_000;

/** Bytes of the comments of an organization. */
export const readStoredBytes = async (store: Store, organization: string): Promise<number> =>
  Math.max(0, (await store.get(commentUsages, organization))?.bytes ?? 0);

/** Throws 409 where a place or its organization holds as much as it may. Requests at the same time may exceed it by what they bring. */
export async function checkCommentQuota(
  store: Store,
  { id, organization, changeRequest }: CommentPlace,
): Promise<void> {
  const [place, all] = await Promise.all([
    store.get(places, id, { fields: ['bytes'] }),
    readStoredBytes(store, organization),
  ]);
  if ((place?.bytes ?? 0) >= maxPlaceBytes)
    throw conflict(
      `This ${changeRequest ? 'change request' : 'space'} has reached its limit of 1 GB of comments; delete some first`,
      'quota_exceeded',
    );
  if (all >= maxOrganizationBytes)
    throw conflict('The comments of this organization take 5 GB; delete some first', 'quota_exceeded');
}

/** The number of open comments, by place; places without comments are absent. */
export async function readOpenCounts(store: Store, ids: string[]): Promise<Record<string, number>> {
  const found = await store.getMany(places, [...new Set(ids)], { fields: ['open'] });
  return Object.fromEntries(found.map(({ _id, open = 0 }) => [_id, open]));
}

export const commenterId = (place: string, user: string): string => `${place}:${user}`;
export const targetPageId = (place: string, page: string): string => `${place}:${page}`;

/** A text as it is counted: a comment has a status, and may be about a page. */
export type CountedText = Pick<TextDocument, 'organization' | 'space' | 'place' | 'author' | 'bytes'> &
  Partial<Pick<CommentDocument, 'status' | 'page'>>;

/** Bytes that a text takes besides its body, about. */
export const textBytes = 1000;

const countInPlaceWrites = (
  { place, space, organization }: CountedText,
  { bytes = 0, ...counters }: Counts & { bytes?: number },
): Write[] => [
  write.upsert(
    places,
    { _id: place },
    { $inc: { bytes, ...counters }, $set: { organization }, $setOnInsert: { space } },
  ),
  ...(bytes === 0 ? [] : [write.upsert(commentUsages, { _id: organization }, { $inc: { bytes } })]),
];

const countOnPageWrites = ({ place, space, page }: CountedText, counters: Counts): Write[] =>
  page === undefined
    ? []
    : [
        write.upsert(
          targetPages,
          { _id: targetPageId(place, page) },
          { $inc: { ...counters }, $setOnInsert: { space } },
        ),
      ];

/** The write that tells content that another number of comments is open; none where it is the same. */
const openChangeWrites = (
  { outbox }: HasOutbox,
  { organization, space, place }: CountedText,
  { open = 0 }: Counts,
): Write[] => {
  const about = { organization, space, ...(place === space ? {} : { changeRequest: place }) };
  return open === 0 ? [] : [outbox.add(openCommentsChanged, about)];
};

/** The writes that count a new text. */
export function countAdditionWrites(deps: HasOutbox, text: CountedText & Pick<TextDocument, 'postedAt'>): Write[] {
  const { organization, space, place, author: user, bytes, postedAt, status } = text;
  const counters = status ? { [status]: 1 } : {};
  return [
    ...countInPlaceWrites(text, { bytes: bytes + textBytes, ...counters }),
    ...openChangeWrites(deps, text, counters),
    ...countOnPageWrites(text, counters),
    write.upsert(
      commenters,
      { _id: commenterId(place, user) },
      {
        $inc: { texts: 1, ...counters },
        $max: { lastAt: postedAt },
        $unset: { left: true },
        $setOnInsert: { organization, space, place, user },
      },
    ),
  ];
}

/** The writes that no longer count texts of one author in one place. */
export function countRemovalWrites(deps: HasOutbox, texts: readonly CountedText[]): Write[] {
  const [first] = texts;
  if (!first) return [];
  const _id = commenterId(first.place, first.author);
  const counters: Required<Counts> = { open: 0, resolved: 0 };
  for (const { status } of texts) if (status) counters[status] -= 1;
  const bytes = texts.reduce((sum, text) => sum - text.bytes - textBytes, 0);
  return [
    ...countInPlaceWrites(first, { bytes, ...counters }),
    ...openChangeWrites(deps, first, counters),
    ...countOnPageWrites(first, counters),
    write.update(commenters, { _id }, { $inc: { texts: -texts.length, ...counters } }),
    write.delete(commenters, { _id, texts: { $lte: 0 } }),
  ];
}

/** The writes that count a comment under another status. */
export function countStatusWrites(
  deps: HasOutbox,
  comment: CountedText,
  before: CommentStatus,
  after: CommentStatus,
): Write[] {
  const counters = { [before]: -1, [after]: 1 };
  const _id = commenterId(comment.place, comment.author);
  return [
    ...countInPlaceWrites(comment, counters),
    ...openChangeWrites(deps, comment, counters),
    ...countOnPageWrites(comment, counters),
    write.update(commenters, { _id }, { $inc: counters }),
  ];
}

/** The writes that count a body of another size. */
export const countResizeWrites = (text: CountedText, bytes: number): Write[] =>
  countInPlaceWrites(text, { bytes: bytes - text.bytes });

interface ListFilter {
  status: CommentStatus | 'all';
  targetPage?: string | undefined;
  targetNode?: string | undefined;
  authors?: string[] | undefined;
}

/** The total of a list, from the counters of its place, its page or its authors; none where it is counted in the index. */
export async function readListTotal(
  store: Store,
  { id }: CommentPlace,
  { status, targetPage, targetNode, authors }: ListFilter,
): Promise<{ count?: number }> {
  if (targetNode !== undefined || (targetPage !== undefined && authors !== undefined)) return {};
  const fields = ['open', 'resolved'] as const;
  const options = { fields: [...fields] };
  const found: (Counts | null)[] =
    authors !== undefined
      ? await store.getMany(
          commenters,
          [...new Set(authors)].map((user) => commenterId(id, user)),
          options,
        )
      : targetPage !== undefined
        ? [await store.get(targetPages, targetPageId(id, targetPage), options)]
        : [await store.get(places, id, options)];
  const wanted = status === 'all' ? fields : [status];
  return {
    count: found.flatMap((counts) => wanted.map((each) => counts?.[each] ?? 0)).reduce((sum, each) => sum + each, 0),
  };
}
