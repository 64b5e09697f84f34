import type { PathParameters } from '../../../../shared/contract/operation.js';
import { readingSpace } from '../../core/contract/access-rules.js';

const changeRequest = '/spaces/{spaceId}/change-requests/{changeRequestId}';
const read = { access: readingSpace, cache: 'versioned' } as const;

/** Where content is read. */
export const readPlaces = {
  current: { ...read, at: '/spaces/{spaceId}/content', tag: 'Content', name: 'a space' },
  revision: {
    ...read,
    at: '/spaces/{spaceId}/revisions/{revisionId}',
    tag: 'Revisions',
    name: 'a revision',
    note:
      'Visitors of a site read the current revision only. The id of the one before it gives them the current one; older ones ' +
      'are 404. In a preview they also read the revision that it names and the current revisions of change requests.',
  },
  changeRequest: {
    ...read,
    at: `${changeRequest}/content`,
    tag: 'Change requests',
    name: 'a change request',
    note: 'The change request is named by its id or its number. Visitors of a site read change requests in previews only.',
    cacheTags: ({ path }: { path: PathParameters<typeof changeRequest> }) => [
      `space:${path.spaceId}:change-request:${path.changeRequestId}`,
    ],
  },
} as const;
