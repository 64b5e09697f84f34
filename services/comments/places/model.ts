import { type Collection, collection, type Write, write } from '../../../shared/store/port.js';
import type { CommentStatus } from '../../content/resources.js';
import type { CommentDocument, TextDocument } from '../texts/model.js';

/** The number of comments by status; an absent one is 0. */
export type Counts = Partial<Record<CommentStatus, number>>;

/** Where comments stand: a space or a change request, whose id is `_id`. */
export interface PlaceDocument extends Counts {
  _id: string;
  space: string;
  /** Absent where nobody wrote since organizations are counted. */
  organization?: string;
  /** Total size of all comments and replies. */
  bytes?: number;
}

/** The bytes of all comments of an organization, whose id is `_id`, since they are counted. */
export interface CommentUsageDocument {
  _id: string;
  bytes: number;
}

/** A page that comments of a place are about; `_id` is `<place>:<page>`. */
export interface TargetPageDocument extends Counts {
  _id: string;
  space: string;
}

/** Somebody who wrote in a place; `_id` is `<place>:<user>`. */
export interface CommenterDocument extends Counts {
  _id: string;
  organization: string;
  space: string;
  place: string;
  user: string;
  /** Comments and replies that exist. */
  texts: number;
  lastAt: string;
  /** No member of the organization since. */
  left?: true;
}

export const places = collection<PlaceDocument>('comments_places', [{ on: { space: 1 } }]);

export const commenters = collection<CommenterDocument>('comments_commenters', [
  { on: { place: 1, left: 1, lastAt: -1 } },
  { on: { organization: 1, user: 1 } },
  { on: { space: 1 } },
]);

export const targetPages = collection<TargetPageDocument>('comments_target_pages', [{ on: { space: 1 } }]);

export const commentUsages = collection<CommentUsageDocument>('comments_usages');

export const placeCollections = [places, commenters, targetPages] as unknown as Collection<never>[];

export const commenterId = (place: string, user: string): string => `${place}:${user}`;
export const targetPageId = (place: string, page: string): string => `${place}:${page}`;

/** A text as it is counted: a comment has a status, and may be about a page. */
export type CountedText = Pick<TextDocument, 'organization' | 'space' | 'place' | 'author' | 'bytes'> &
  Partial<Pick<CommentDocument, 'status' | 'page'>>;

/** Bytes that a text takes besides its body, about. */
export const textBytes = 1000;

const inPlace = (
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

const onPage = ({ place, space, page }: CountedText, counters: Counts): Write[] =>
  page === undefined
    ? []
    : [
        write.upsert(
          targetPages,
          { _id: targetPageId(place, page) },
          { $inc: { ...counters }, $setOnInsert: { space } },
        ),
      ];

/** The writes that count a new text. */
export function countedIn(text: CountedText & Pick<TextDocument, 'postedAt'>): Write[] {
  const { organization, space, place, author: user, bytes, postedAt, status } = text;
  const counters = status ? { [status]: 1 } : {};
  return [
    ...inPlace(text, { bytes: bytes + textBytes, ...counters }),
    ...onPage(text, counters),
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
export function countedOut(texts: readonly CountedText[]): Write[] {
  const [first] = texts;
  if (!first) return [];
  const _id = commenterId(first.place, first.author);
  const counters: Required<Counts> = { open: 0, resolved: 0 };
  for (const { status } of texts) if (status) counters[status] -= 1;
  const bytes = texts.reduce((sum, text) => sum - text.bytes - textBytes, 0);
  return [
    ...inPlace(first, { bytes, ...counters }),
    ...onPage(first, counters),
    write.update(commenters, { _id }, { $inc: { texts: -texts.length, ...counters } }),
    write.delete(commenters, { _id, texts: { $lte: 0 } }),
  ];
}

/** The writes that count a comment under another status. */
export function countedAs(comment: CountedText, before: CommentStatus, after: CommentStatus): Write[] {
  const counters = { [before]: -1, [after]: 1 };
  const _id = commenterId(comment.place, comment.author);
  return [
    ...inPlace(comment, counters),
    ...onPage(comment, counters),
    write.update(commenters, { _id }, { $inc: counters }),
  ];
}

/** The writes that count a body of another size. */
export const resizeWrites = (text: CountedText, bytes: number): Write[] => inPlace(text, { bytes: bytes - text.bytes });
