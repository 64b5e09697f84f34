import type { QueryOf } from '../../../../shared/contract/operation.js';
import type { Context, HandlersOf } from '../../../../shared/contract/service.js';
import { listPage } from '../../../../shared/lists/paging.js';
import type { Filter, HasStore } from '../../../../shared/store/port.js';
import type { HasTrees } from '../access/tree/content-tree-cache.js';
import type { changeRequestOperations } from '../contract/change-requests.js';
import { findSpacesOfSite } from '../contract/sites.js';
import { type ChangeRequestDocument, changeRequests } from './model.js';
import { peopleFilter } from './people-filter.js';
import { presentChangeRequests } from './present.js';

type Operations = Pick<typeof changeRequestOperations, 'listChangeRequestsForOrganization'>;
type Dependencies = HasStore & HasTrees & { baseUrl: string };
type Query = QueryOf<Operations['listChangeRequestsForOrganization']>;

/** Lists the change requests of all spaces of an organization that the caller may read. */
export const organizationChangeRequestHandlers = (deps: Dependencies): HandlersOf<Operations> => ({
  async listChangeRequestsForOrganization({ path: { organizationId: organization }, query }, context) {
    const { status, orderBy } = query;
    const filter: Filter<ChangeRequestDocument> = {
      organization,
      status: { $in: status },
      space: { $in: await spacesAsked(deps, { organization, query }, context) },
      ...(await peopleFilter(deps, query)),
    };
    const sort = orderBy === 'createdAt' ? ({ createdAt: -1 } as const) : ({ updatedAt: -1 } as const);
    return listPage(deps.store, changeRequests, { filter, sort, request: query }, (items) =>
      presentChangeRequests(deps, items, context),
    );
  },
});

/** The spaces that a list is about: of those that the caller may read. Topics and style guides, which there are not, have none. */
async function spacesAsked(
  { trees }: HasTrees,
  { organization, query }: { organization: string; query: Query },
  { call, caller }: Pick<Context, 'call' | 'caller'>,
): Promise<string[]> {
  const { space, site, topic, styleguideRun } = query;
  if (topic !== undefined || styleguideRun !== undefined) return [];
  const readable = (await trees.nodesAccessibleTo(caller, organization, 'space')).map(({ node }) => node.id);
  const named = space === undefined ? readable : readable.filter((id) => id === space);
  if (site === undefined) return named;
  const shown = new Set(await call(findSpacesOfSite, { organization, site }));
  return named.filter((id) => shown.has(id));
}
