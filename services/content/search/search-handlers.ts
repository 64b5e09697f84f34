import type { HandlersOf } from '../../../shared/contract/service.js';
import type { searchOperations } from '../contract/search.js';
import type { contentContract } from '../contract.js';
import type { ContentDependencies } from '../dependencies.js';
import { visitorOfCaller } from '../reading/visitor-view-cache.js';
import { searchSpace } from './search.js';

export function searchHandlers(
  deps: Pick<ContentDependencies, 'store' | 'views' | 'work' | 'baseUrl'>,
): HandlersOf<typeof contentContract, typeof searchOperations> {
  return {
    searchSpaceContent: ({ path: { spaceId: space }, query }, { caller, access: { organization } }) =>
      searchSpace(deps, { organization, space, query, visitor: visitorOfCaller(caller) }),
  };
}
