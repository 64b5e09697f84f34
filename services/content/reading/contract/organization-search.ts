import { by } from '../../../../shared/contract/access.js';
import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { organizationKind } from '../../../identity/resources.js';
import { searchQuerySchema, searchSpaceResultSchema } from '../resources.js';

export const organizationSearchOperations = {
  searchOrganizationContent: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/search',
    summary: 'Search the spaces of an organization',
    description:
      'Answers spaces that the caller may read and that have pages with every word of the query; the last word may be the beginning of a word. The space with the best page comes first, each with its best pages: up to ten, fewer where an answer has more than ten spaces. A content token searches the spaces that its visitor may read, and finds what the visitor sees of them: pages with conditions or expressions are evaluated for at most three seconds; those that are not evaluated by then are left out, and found when the search is repeated.',
    tag: 'Content',
    // The tokens of visitors and installations say what they may read.
    access: {
      ...by(['user', 'content'], 'space:content:read'),
      on: organizationKind,
      id: 'organizationId',
      need: 'view',
    },
    query: pageQuery.extend({ query: searchQuerySchema }),
    status: 200,
    response: listOf(searchSpaceResultSchema),
  }),
};
