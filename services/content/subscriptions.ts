import type { HasCallAsSystem } from '../../shared/contract/context.js';
import type { Subscribers } from '../../shared/contract/event.js';
import type { HasJobs } from '../../shared/jobs/jobs.js';
import type { HasModel } from '../../shared/model/model.js';
import type { HasStore } from '../../shared/store/port.js';
import { memberRemoved, teamRemoved } from '../identity/events.js';
import { dropPrincipalGrants } from './core/access/grants.js';
import type { HasTrees } from './core/access/tree/content-tree-cache.js';
import { noteOpenComments } from './core/change-requests/comment-counts.js';
import { changeRequestArchived, contentChanged, openCommentsChanged } from './core/events.js';
import { translationsFollow } from './core/translations/runs.js';
import { lookAtChanged, lookAtSettled } from './exchange/sync/wake.js';
import { dropVisits } from './reading/visits/visits.js';
import { removeDraftsOf } from './writing/drafts/draft-removal.js';

/** The events that content consumes. */
export const contentConsumes = {
  memberRemoved,
  teamRemoved,
  openCommentsChanged,
  contentChanged,
  changeRequestArchived,
};

export const contentSubscribers = (
  deps: HasStore & HasJobs & HasModel & HasTrees & HasCallAsSystem,
): Subscribers<typeof contentConsumes> => ({
  async memberRemoved(removals) {
    for (const { organization, user: id, removedAt: before } of removals) {
      await dropPrincipalGrants(deps, { organization, principal: 'user', id, before });
      await removeDraftsOf(deps, { organization, user: id, before });
      await dropVisits(deps, { organization, user: id, before });
    }
  },
  async teamRemoved(removals) {
    for (const { organization, team: id, removedAt: before } of removals)
      await dropPrincipalGrants(deps, { organization, principal: 'team', id, before });
  },
  async contentChanged(changes) {
    await lookAtChanged(deps, changes);
    for (const space of new Set(changes.map(({ space }) => space))) {
      const writes = await translationsFollow(deps, space);
      if (writes.length > 0) await deps.store.batch(writes);
    }
  },
  openCommentsChanged: (places) => noteOpenComments(deps, places),
  changeRequestArchived: (archived) => lookAtSettled(deps, archived),
});
