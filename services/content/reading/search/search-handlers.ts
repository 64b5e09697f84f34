import type { HandlersOf } from '../../../../shared/contract/service.js';
import type { ContentDependencies } from '../../dependencies.js';
import type { organizationSearchOperations } from '../contract/organization-search.js';
import type { searchOperations } from '../contract/search.js';
import { visitorOfCaller } from '../pages/visitors/visitor-view-cache.js';
import { searchSpace } from './search.js';
import { searchOrganization } from './search-spaces.js';

export function searchHandlers(
  deps: Pick<ContentDependencies, 'store' | 'trees' | 'views' | 'work' | 'baseUrl'>,
): HandlersOf<typeof searchOperations & typeof organizationSearchOperations> {
  return {
    searchSpaceContent: ({ path: { spaceId: space }, query }, { caller, access: { organization } }) =>
      searchSpace(deps, { organization, space, query, visitor: visitorOfCaller(caller) }),
    searchOrganizationContent: ({ path: { organizationId: organization }, query }, { caller }) =>
      searchOrganization(deps, { organization, query, caller }),
  };
}
