import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { readingSpace } from '../../core/contract/access-rules.js';
import { searchItemSchema, searchQuerySchema } from '../resources.js';

export const searchOperations = {
  searchSpaceContent: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/search',
    summary: 'Search the pages of a space',
    description:
      'Best matches first. A page matches when it holds every word of the query; the last word may be the beginning of a word. For visitors, pages with conditions or expressions are evaluated as they see them, for at most three seconds; those that are not evaluated by then are left out, and found when the search is repeated.',
    tag: 'Content',
    access: readingSpace,
    query: pageQuery.extend({ query: searchQuerySchema }),
    status: 200,
    response: listOf(searchItemSchema),
  }),
};
