import { eachDocument, type Filter, type HasStore } from '../../../../shared/store/port.js';
import { type ChangeRequestDocument, requestedReviewers } from './model.js';

interface AskedPeople {
  creator?: string | undefined;
  contributor?: string | undefined;
  requestedReviewer?: string | undefined;
}

/** The change requests that people made, wrote in, or are asked to review. */
export const peopleFilter = async (
  deps: HasStore,
  { creator, contributor, requestedReviewer }: AskedPeople,
): Promise<Filter<ChangeRequestDocument>> => ({
  ...(creator === undefined ? {} : { createdBy: creator }),
  ...(contributor === undefined ? {} : { contributors: contributor }),
  ...(requestedReviewer === undefined ? {} : { _id: { $in: await askedOf(deps, requestedReviewer) } }),
});

/** The ids of the change requests that a user is asked to review. */
async function askedOf({ store }: HasStore, user: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { changeRequest } of eachDocument(store, requestedReviewers, { user }, ['changeRequest']))
    ids.push(changeRequest);
  return ids;
}
