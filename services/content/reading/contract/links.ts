import { z } from 'zod';
import { encodedAnswer } from '../../../../shared/contract/encoded.js';
import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { viewingContent } from '../../core/contract/access-rules.js';
import {
  brokenContexts,
  contentLocationSchema,
  referenceStatuses,
  referencesStatsSchema,
  referenceUsageSchema,
} from '../resources.js';

const space = '/spaces/{spaceId}';
const changeRequest = '/spaces/{spaceId}/change-requests/{changeRequestId}';

const linksQuery = pageQuery.extend({
  status: z
    .enum(referenceStatuses)
    .optional()
    .meta({ description: 'Only targets of this status. Default: all. `stats` counts all of them.' }),
});

const linksList = {
  method: 'GET',
  tag: 'Links',
  access: viewingContent,
  query: linksQuery,
  status: 200,
  response: encodedAnswer(listOf(referenceUsageSchema).extend({ stats: referencesStatsSchema })),
} as const;

const backlinksList = {
  method: 'GET',
  tag: 'Links',
  access: viewingContent,
  query: pageQuery,
  status: 200,
  response: encodedAnswer(listOf(contentLocationSchema)),
} as const;

const ofLinks =
  'Each target once, in the order of first use, with the places that use it. Addresses elsewhere are not asked for.';

export const linksOperations = {
  listPageLinksInSpace: operation({
    ...linksList,
    path: `${space}/content/page/{pageId}/links`,
    summary: 'List the links of a page of a space',
    description: ofLinks,
  }),
  listPageLinksInChangeRequest: operation({
    ...linksList,
    path: `${changeRequest}/content/page/{pageId}/links`,
    summary: 'List the links of a page of a change request',
    description: ofLinks,
  }),
  listSpaceLinks: operation({
    ...linksList,
    path: `${space}/links`,
    summary: 'List the links of a space',
    description: ofLinks,
  }),
  listChangeRequestLinks: operation({
    ...linksList,
    path: `${changeRequest}/links`,
    summary: 'List the links of a change request',
    description: ofLinks,
    query: linksQuery.extend({
      brokenContext: z.enum(brokenContexts).optional().meta({
        description:
          'Only broken targets: those that are not broken in the content that the change request is based on, or all others.',
      }),
    }),
  }),
  listSpacePageBacklinks: operation({
    ...backlinksList,
    path: `${space}/content/page/{pageId}/backlinks`,
    summary: 'List the places of a space that link to a page',
    description: 'Also those that link to its anchors. Links within the page are left out.',
  }),
  listSpaceFileBacklinks: operation({
    ...backlinksList,
    path: `${space}/content/files/{fileId}/backlinks`,
    summary: 'List the places of a space that use a file',
  }),
  listChangeRequestPageBacklinks: operation({
    ...backlinksList,
    path: `${changeRequest}/content/page/{pageId}/backlinks`,
    summary: 'List the places of a change request that link to a page',
    description: 'Also those that link to its anchors. Links within the page are left out.',
  }),
  listChangeRequestFileBacklinks: operation({
    ...backlinksList,
    path: `${changeRequest}/content/files/{fileId}/backlinks`,
    summary: 'List the places of a change request that use a file',
  }),
};
