import type { Caller } from '../../../shared/contract/caller.js';
import type { Call } from '../../../shared/contract/service.js';
import type { HasJobs } from '../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../shared/jobs/outbox.js';
import type { HasMail } from '../../../shared/outbound/mail.js';
import { type HasStore, type Store, StoreDuplicate, write } from '../../../shared/store/port.js';
import type { PresentComments, ReviewComment } from '../../content/contract.js';
import type { Comment } from '../../content/resources.js';
import { commentNoticeWrites } from '../digests/notices.js';
import { commentCreated } from '../events.js';
import { countAdditionWrites } from '../places/places.js';
import { type CommentDocument, comments, reviewMarks } from '../texts/model.js';
import { commentEventPayload, prepareBody, readerFromCaller } from '../texts/texts.js';
import { presentComments } from './present.js';

type Dependencies = HasStore & HasOutbox & HasJobs & HasMail & { baseUrl: string; digestSeconds: number };

/** Makes the comment of a review. Where it was made before, nothing happens, also when it was deleted since. */
export async function postReviewComment(deps: Dependencies, written: ReviewComment, call: Call): Promise<void> {
  const { store, outbox } = deps;
  const { review, space } = written;
  if (await store.get(reviewMarks, review)) return;
  const made = await newReviewComment(written, call);
  try {
    await store.batch([
      write.insert(reviewMarks, { _id: review, space }),
      write.insert(comments, made),
      ...countAdditionWrites(deps, made),
      ...commentNoticeWrites(deps, made, made.mentions),
      outbox.add(commentCreated, { ...commentEventPayload(made, made.author), mentions: made.mentions, review }),
    ]);
  } catch (error) {
    if (!(error instanceof StoreDuplicate)) throw error;
  }
}

async function newReviewComment(
  { review, organization, space, changeRequest, revision, author, body, createdAt }: ReviewComment,
  call: Call,
): Promise<CommentDocument> {
  return {
    _id: review,
    organization,
    space,
    changeRequest,
    place: changeRequest,
    author,
    postedAt: createdAt,
    ...(await prepareBody(call, { organization, space, body })),
    status: 'open',
    replies: 0,
    revision,
    review,
  };
}

interface Asking {
  call: Call;
  caller: Caller;
}

/** Comments of one change request, in the order of the ids. */
export async function presentCommentsByIds(
  { store, baseUrl }: { store: Store; baseUrl: string },
  { organization, space, changeRequest, ids, format, role }: PresentComments,
  { call, caller }: Asking,
): Promise<(Comment | null)[]> {
  const found = (await store.getMany(comments, ids)).filter(({ place }) => place === changeRequest);
  const place = { id: changeRequest, organization, space, changeRequest };
  const presented = await presentComments(
    { store, baseUrl, call, place, reader: readerFromCaller(caller, role), format },
    found,
  );
  const byId = new Map(presented.map((comment) => [comment.id, comment]));
  return ids.map((id) => byId.get(id) ?? null);
}
