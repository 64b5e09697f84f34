import { z } from 'zod';
import { encodedAnswer } from '../../../../shared/contract/encoded.js';
import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { changingContent, viewingContent } from '../../core/contract/access-rules.js';
import { revisionSchema } from '../../reading/resources.js';
import { historyItemSchema, semanticChangesSchema } from '../resources.js';

const limit = z.number().int().min(0).max(1000).default(10).meta({ description: 'Changes in the answer, 0 to 1000.' });
const withoutEffect = z.boolean().optional().meta({ description: 'Accepted without effect.' });

export const historyOperations = {
  listRevisions: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions',
    summary: 'List the history of a space',
    description: 'The revisions that are or were its content, the latest first.',
    tag: 'Revisions',
    access: viewingContent,
    query: pageQuery,
    status: 200,
    response: listOf(historyItemSchema),
  }),
  restoreRevision: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/revisions/{revisionId}/restore',
    summary: 'Restore an earlier revision of a space',
    description: 'Makes a new revision with the content of one in the history.',
    tag: 'Revisions',
    access: changingContent('merge'),
    status: 200,
    response: encodedAnswer(revisionSchema),
  }),
  getRevisionSemanticChanges: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/revisions/{revisionId}/changes',
    summary: 'Get what a revision changed',
    description: 'Compared with the revision that it was made from.',
    tag: 'Revisions',
    access: viewingContent,
    query: z.object({ limit, metadata: withoutEffect, computed: withoutEffect }),
    status: 200,
    response: semanticChangesSchema,
  }),
  getChangeRequestChanges: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/changes',
    summary: 'Get what a change request changes',
    description: 'Compared with the content of the space that it was last updated with.',
    tag: 'Change requests',
    access: viewingContent,
    query: z.object({ limit }),
    status: 200,
    response: semanticChangesSchema,
  }),
};
