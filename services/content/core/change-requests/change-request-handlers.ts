import type { Context, HandlersOf } from '../../../../shared/contract/service.js';
import { invalid } from '../../../../shared/errors/errors.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import { listPage } from '../../../../shared/lists/paging.js';
import { again } from '../../../../shared/store/again.js';
import { changesOf, type Wanted } from '../../../../shared/store/changes.js';
import { type HasStore, type Write, write } from '../../../../shared/store/port.js';
import type { HasTurns } from '../../../../shared/work/semaphore.js';
import { openUserLookup } from '../../../identity/contract.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { changeRequestOperations } from '../contract/change-requests.js';
import { changeRequestArchived, changeRequestCreated, changeRequestUpdated } from '../events.js';
import { revisions } from '../revisions/model.js';
import { creatorId } from '../spaces/new-space.js';
import type { HasLedger } from '../storage/ledger.js';
import { changeRequestEventPayload, planChange } from './changes.js';
import { readDescription, withoutDescription } from './description.js';
import { contentRevisions, findChangeRequest, hasStoredContent, refuseVisitors } from './find.js';
import { replaceLinks } from './links.js';
import { type ChangeRequestDocument, changeRequests, contributions } from './model.js';
import { newChangeRequest } from './new-change-request.js';
import { peopleFilter } from './people-filter.js';
import { presentChangeRequest, presentChangeRequests } from './present.js';

type Operations = Pick<
  typeof changeRequestOperations,
  | 'createChangeRequest'
  | 'listChangeRequestsForSpace'
  | 'getChangeRequestById'
  | 'updateChangeRequestById'
  | 'getContributorsByChangeRequestId'
>;
type Dependencies = HasStore & HasOutbox & HasLedger & HasTurns & HasWork & { baseUrl: string };

export function changeRequestHandlers(deps: Dependencies): HandlersOf<Operations> {
  const { store, outbox, turns } = deps;
  return {
    /** Creators take turns, since each takes the next number. */
    async createChangeRequest({ path: { spaceId: space }, body: { subject = '' } }, context) {
      const { audit, caller } = context;
      const item = await turns.run(`numbers ${space}`, () =>
        again(async () => {
          const { item, writes } = await newChangeRequest(deps, { space, subject, creator: creatorId(caller) });
          const event = outbox.add(changeRequestCreated, changeRequestEventPayload(item));
          await store.batch([...writes, event, audit('change-request', item._id, { details: { space, subject } })]);
          return item;
        }),
      );
      return presentChangeRequest(deps, item, context);
    },

    async listChangeRequestsForSpace({ path: { spaceId: space }, query }, context) {
      if (query.topic !== undefined) return { count: 0, items: [] };
      const filter = { space, status: query.status, ...(await peopleFilter(deps, query)) };
      const sort = query.orderBy === 'updatedAt' ? ({ updatedAt: -1 } as const) : ({ number: -1 } as const);
      return listPage(store, changeRequests, { filter, sort, request: query }, (items) =>
        presentChangeRequests(deps, items, context),
      );
    },

    async getChangeRequestById({ path }, context) {
      const { caller } = context;
      const item = await findChangeRequest(store, path);
      refuseVisitors(caller, item);
      return presentChangeRequest(deps, item, context);
    },

    async updateChangeRequestById({ path, body }, context) {
      const description = await readDescription(deps, body.description, context.access.organization);
      const item = await again(async () => {
        const before = await findChangeRequest(store, path);
        const links = replaceLinks(before.links, body.links);
        return commitUpdate(deps, before, { wanted: { ...body, description, links }, context });
      });
      return presentChangeRequest(deps, item, context);
    },

    async getContributorsByChangeRequestId({ path, query }, { call, access: { organization } }) {
      const { _id: changeRequest } = await findChangeRequest(store, path, { fields: [] });
      const list = { filter: { changeRequest }, sort: { updatedAt: -1 } as const, request: query };
      return listPage(store, contributions, list, async (items) => {
        const userBy = await openUserLookup(
          call,
          organization,
          items.map(({ user }) => user),
        );
        return items.map(({ user, updatedAt, count }) => ({
          user: userBy(user),
          updatedAt,
          count,
          actionType: 'edit' as const,
        }));
      });
    },
  };
}

interface Updating {
  wanted: Wanted<ChangeRequestDocument>;
  context: Context;
}

async function commitUpdate(
  { store, outbox, ledger }: Dependencies,
  before: ChangeRequestDocument,
  { wanted, context: { audit } }: Updating,
): Promise<ChangeRequestDocument> {
  const { status } = before;
  if (status === 'merged')
    throw invalid('This change request is merged and cannot be changed', 'change_request_closed');
  const changes = changesOf(before, wanted, { nullable: ['description'] });
  if (!changes) return before;
  const reopened = status === 'archived' && changes.after.status !== 'archived';
  if (status === 'archived' && !reopened)
    throw invalid(
      'This change request is archived and cannot be changed; set its status to draft or open',
      'change_request_closed',
    );
  if (reopened && !(await hasStoredContent(store, before)))
    throw invalid('status: the content of this change request is no longer kept, so it cannot be opened again');
  const { item, writes } = planChange(before, changes.details);
  const archived = item.status === 'archived' && status !== 'archived';
  await store.batch([
    ...writes,
    ...(reopened ? [...stillKeptChecks(before), ledger.commitCheck(before.space)] : []),
    outbox.add(archived ? changeRequestArchived : changeRequestUpdated, changeRequestEventPayload(item)),
    audit('change-request', before._id, { details: withoutDescription(changes.details) }),
  ]);
  return item;
}

const stillKeptChecks = (item: ChangeRequestDocument): Write[] =>
  contentRevisions(item).map((_id) => write.check(revisions, { _id }, 1));
