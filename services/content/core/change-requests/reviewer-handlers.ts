import type { Call, Context, HandlersOf } from '../../../../shared/contract/service.js';
import { invalid, notFound } from '../../../../shared/errors/errors.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import { listPage } from '../../../../shared/lists/paging.js';
import { again } from '../../../../shared/store/again.js';
import { type HasStore, write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import { openUserLookup } from '../../../identity/contract.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { findMemberRoles } from '../access/member-roles.js';
import type { HasTrees } from '../access/tree/content-tree-cache.js';
import type { changeRequestOperations } from '../contract/change-requests.js';
import { changeRequestUpdated, reviewersRequested } from '../events.js';
import { spaceKind } from '../nodes/resources.js';
import { creatorId } from '../spaces/new-space.js';
import { changeRequestEventPayload, checkChangeable, planChange } from './changes.js';
import { readDescription, withoutDescription } from './description.js';
import { findChangeRequest } from './find.js';
import {
  type ChangeRequestDocument,
  type RequestedReviewerDocument,
  requestedReviewerId,
  requestedReviewers,
} from './model.js';

import type { RequestedReviewer } from './resources.js';

type Operations = Pick<
  typeof changeRequestOperations,
  | 'getRequestedReviewersByChangeRequestId'
  | 'requestReviewersForChangeRequest'
  | 'removeRequestedReviewerFromChangeRequest'
>;
type Dependencies = HasStore & HasOutbox & HasTrees & HasWork;

export function reviewerHandlers(deps: Dependencies): HandlersOf<Operations> {
  const { store } = deps;
  return {
    async getRequestedReviewersByChangeRequestId({ path, query }, { call, access: { organization } }) {
      const { _id: changeRequest } = await findChangeRequest(store, path, { fields: [] });
      const list = { filter: { changeRequest }, sort: { createdAt: -1 } as const, request: query };
      return listPage(store, requestedReviewers, list, (items) => presentReviewers(call, organization, items));
    },

    async requestReviewersForChangeRequest({ path, body }, context) {
      const { call, access, caller } = context;
      const { organization } = access;
      const wanted = [...new Set(body.users)];
      const description = await readDescription(deps, body.description, organization);
      await checkReviewers(deps, { space: path.spaceId, users: wanted }, context);
      const requests = await again(async () => {
        const item = await findChangeRequest(store, path);
        checkChangeable(item);
        const { subject = item.subject } = body;
        const changes = { subject, ...(description === undefined ? {} : { description }) };
        return commitReviewRequests(deps, { item, users: wanted, changes, requestedBy: creatorId(caller) }, context);
      });
      return { users: await presentReviewers(call, organization, requests) };
    },

    async removeRequestedReviewerFromChangeRequest({ path }, { audit }) {
      const item = await findChangeRequest(store, path);
      checkChangeable(item);
      const _id = requestedReviewerId(item._id, path.userId);
      if (!(await store.get(requestedReviewers, _id, { fields: ['user'] }))) throw notFound('Requested reviewer');
      await store.batch([
        write.delete(requestedReviewers, { _id }, { expect: 1 }),
        audit('change-request', item._id, { details: { user: path.userId } }),
      ]);
    },
  };
}

/** Throws 400 with the name of a user who may not review the space. */
async function checkReviewers(
  deps: Pick<Dependencies, 'trees'>,
  { space, users }: { space: string; users: string[] },
  { call, access: { organization } }: Context,
): Promise<void> {
  const members = await findMemberRoles(deps, { organization, space, users }, call);
  for (const id of users) {
    const member = members.get(id);
    if (!member) throw invalid(`users: ${id} is not a member of this organization`);
    const { user, role } = member;
    if (!role || !spaceKind.rights.review.includes(role))
      throw invalid(`users: ${user.displayName} may not review this space`);
  }
}

interface Requesting {
  item: ChangeRequestDocument;
  users: string[];
  changes: Pick<ChangeRequestDocument, 'subject' | 'description'>;
  requestedBy: string;
}

async function commitReviewRequests(
  { store, outbox }: Dependencies,
  { item: before, users, changes, requestedBy }: Requesting,
  { audit }: Context,
): Promise<RequestedReviewerDocument[]> {
  const { item, writes } = planChange(before, { status: 'open', ...changes });
  const createdAt = timestamp();
  const { _id: changeRequest, space, revision } = item;
  const requests = users.map((user) => {
    const _id = requestedReviewerId(changeRequest, user);
    return { _id, space, changeRequest, user, requestedBy, revision, createdAt };
  });
  await store.batch([
    ...writes,
    ...requests.map(({ _id, ...fields }) => write.upsert(requestedReviewers, { _id }, { $set: fields })),
    outbox.add(changeRequestUpdated, changeRequestEventPayload(item)),
    outbox.add(reviewersRequested, { ...changeRequestEventPayload(item), requestedBy, users }),
    audit('change-request', changeRequest, {
      details: { users, status: 'open', ...withoutDescription({ ...changes }) },
    }),
  ]);
  return requests;
}

async function presentReviewers(
  call: Call,
  organization: string,
  items: RequestedReviewerDocument[],
): Promise<RequestedReviewer[]> {
  const ids = items.flatMap(({ user, requestedBy }) => [user, requestedBy]);
  const userBy = await openUserLookup(call, organization, ids);
  return items.map(({ user, requestedBy, revision, createdAt }) => ({
    object: 'change-request-requested-reviewer',
    kind: 'user',
    user: userBy(user),
    requestedBy: userBy(requestedBy),
    revision,
    createdAt,
  }));
}
