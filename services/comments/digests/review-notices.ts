import type { z } from 'zod';
import type { Call } from '../../../shared/contract/service.js';
import { type HasStore, StoreDuplicate, type Write } from '../../../shared/store/port.js';
import { timestamp } from '../../../shared/values/ids.js';
import { findChangeRequest, findPeople } from '../../content/contract.js';
import type { changeRequestMerged, reviewersRequested, reviewSubmitted } from '../../content/events.js';
import { type Notifying, reviewNoticeWrites } from './notices.js';

type Dependencies = HasStore & Notifying & { callAsSystem: () => Call };
type PayloadOf<E extends { payload: z.ZodType }> = z.output<E['payload']>;

/** Reviewers who are told when everybody is asked. */
const maxReviewers = 100;

/** Tells reviewers that they are asked: those who are named, else everybody who may review the space. */
export async function tellReviewers(
  deps: Dependencies,
  asked: PayloadOf<typeof reviewersRequested>,
  id: string,
): Promise<void> {
  const { organization, space, changeRequest, requestedBy: actor, users } = asked;
  const everybody = { organization, space, right: 'review', limit: maxReviewers } as const;
  const named = users.length > 0 ? users : (await deps.callAsSystem()(findPeople, everybody)).map((user) => user.id);
  const about = { ...placeOf(asked), id, reason: 'review-request', changeRequest, actor } as const;
  const others = named.filter((user) => user !== actor);
  await tellOnce(
    deps,
    others.flatMap((user) => reviewNoticeWrites(deps, { ...about, user })),
  );
}

/** Tells who started a change request what a reviewer says of it. */
export async function tellVerdict(
  deps: Dependencies,
  review: PayloadOf<typeof reviewSubmitted>,
  id: string,
): Promise<void> {
  const { changeRequest, reviewer: actor, result, comment } = review;
  const reason = result === 'approved' ? 'approved' : 'changes-requested';
  const user = await requesterOf(deps, review);
  if (user === undefined || user === actor) return;
  const news = { ...placeOf(review), id, user, reason, changeRequest, actor } as const;
  await tellOnce(deps, reviewNoticeWrites(deps, { ...news, ...(comment ? { comment: review.review } : {}) }));
}

/** Tells who started a change request that somebody else merged it. */
export async function tellMerge(
  deps: Dependencies,
  merge: PayloadOf<typeof changeRequestMerged>,
  id: string,
): Promise<void> {
  const { changeRequest, mergedBy: actor } = merge;
  const user = await requesterOf(deps, merge);
  if (user === undefined || user === actor) return;
  await tellOnce(
    deps,
    reviewNoticeWrites(deps, { ...placeOf(merge), id, user, reason: 'merged', changeRequest, actor }),
  );
}

const placeOf = ({ organization, space }: { organization: string; space: string }) => ({
  organization,
  space,
  createdAt: timestamp(),
});

async function requesterOf(
  { callAsSystem }: Dependencies,
  { space, changeRequest }: { space: string; changeRequest: string },
): Promise<string | undefined> {
  return (await callAsSystem()(findChangeRequest, { space, changeRequest }))?.createdBy;
}

/** An event comes at least once. */
async function tellOnce({ store }: HasStore, writes: Write[]): Promise<void> {
  try {
    await store.batch(writes);
  } catch (error) {
    if (!(error instanceof StoreDuplicate)) throw error;
  }
}
