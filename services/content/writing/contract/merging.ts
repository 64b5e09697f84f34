import { z } from 'zod';
import { exampleId } from '../../../../shared/contract/examples.js';
import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { changingContent, viewingContent } from '../../core/contract/access-rules.js';
import { conflictKinds, conflictSchema, mergeSides } from '../resources.js';

const tag = 'Change requests';
const one = '/spaces/{spaceId}/change-requests/{changeRequestId}';

const choices = z
  .array(
    z.object({
      kind: z.enum(conflictKinds).default('page'),
      id: z.string().min(1).max(1024),
      choice: z.enum(mergeSides).meta({ description: 'Whose content is taken where both sides changed something.' }),
    }),
  )
  .max(1000);

export const mergingOperations = {
  mergeChangeRequest: operation({
    method: 'POST',
    path: `${one}/merge`,
    summary: 'Merge a change request',
    description: 'Its changes become content of the space at once. With conflicts, nothing changes.',
    tag,
    access: changingContent('merge'),
    status: 200,
    response: z.object({ revision: z.string(), result: z.enum(['merge', 'conflicts']) }),
  }),
  updateChangeRequest: operation({
    method: 'POST',
    path: `${one}/update`,
    summary: 'Update a change request with the content of its space',
    description:
      'What changed in the space since becomes part of the change request. Conflicts are settled by a choice for each; with others, nothing changes. Choices for what is not in conflict have no effect.',
    tag,
    access: changingContent('edit'),
    body: z
      .object({
        choices: choices.optional(),
        revision: z.string().min(1).max(100).optional().meta({
          description: 'The content of the space that the choices are made for: 409 when it has other content by now.',
        }),
      })
      .default({})
      .meta({ examples: [{ choices: [{ kind: 'page', id: exampleId('page'), choice: 'change-request' }] }] }),
    status: 200,
    response: z.object({ revision: z.string(), result: z.enum(['update', 'conflicts']) }),
  }),
  listChangeRequestConflicts: operation({
    method: 'GET',
    path: `${one}/conflicts`,
    summary: 'List the conflicts of a change request with the content of its space',
    description: 'What keeps it from being merged. A merged change request has none.',
    tag,
    access: viewingContent,
    query: pageQuery,
    status: 200,
    response: listOf(conflictSchema),
  }),
};
