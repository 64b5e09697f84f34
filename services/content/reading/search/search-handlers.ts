import type { HandlersOf } from '../../../../shared/contract/service.js';
import type { HasStore } from '../../../../shared/store/port.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { organizationSearchOperations } from '../contract/organization-search.js';
import type { searchOperations } from '../contract/search.js';
import { type HasViews, visitorOfCaller } from '../pages/visitors/visitor-view-cache.js';
import { searchSpace } from './search.js';
import { searchOrganization } from './search-spaces.js';

export function searchHandlers(
  deps: HasStore & HasTrees & HasViews & HasWork & { baseUrl: string },
): HandlersOf<typeof searchOperations & typeof organizationSearchOperations> {
  return {
    searchSpaceContent: ({ path: { spaceId: space }, query }, { caller, access: { organization } }) =>
      searchSpace(deps, { organization, space, query, visitor: visitorOfCaller(caller) }),
    searchOrganizationContent: ({ path: { organizationId: organization }, query }, { caller }) =>
      searchOrganization(deps, { organization, query, caller }),
  };
}
