import { z } from 'zod';
import { exampleId } from '../../../../shared/contract/examples.js';
import { operation } from '../../../../shared/contract/operation.js';
import { collectionSchema, spaceSchema } from '../resources.js';
import { onCollection, onSpace } from './access-rules.js';

const id = z.string().min(1).max(100);
const pointer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('space'), space: id }),
  z.object({ type: z.literal('collection'), collection: id }),
]);

const movingBody = z
  .object({
    parent: id
      .nullable()
      .optional()
      .meta({ description: 'The id of the new collection; null for the top level. Default: where it is.' }),
    position: z
      .object({ before: pointer.optional(), after: pointer.optional() })
      .refine(({ before, after }) => !before || !after, { error: 'must be either `before` or `after`' })
      .optional()
      .meta({ description: 'Beside which space or collection of the new parent. Default: after all of them.' }),
  })
  .meta({
    examples: [
      { parent: exampleId('collection') },
      { parent: null, position: { before: { type: 'collection', collection: exampleId('collection') } } },
    ],
  });

const description = 'It takes the right to create there. What inherits its access takes it from the new parent.';

const transferringBody = z
  .object({ organization: id.meta({ description: 'The id of the new organization.' }) })
  .meta({ examples: [{ organization: exampleId('organization') }] });
const transferring =
  'To its top level, which takes the right to create there. 412 while a site shows a space of it, it is connected with a Git repository or translated, an import or a Git operation is under way, or pages are made from an OpenAPI specification.';

export const movingOperations = {
  moveSpace: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/move',
    summary: 'Move a space into a collection, to the top level, or beside others',
    description,
    tag: 'Spaces',
    access: onSpace('admin'),
    body: movingBody,
    status: 200,
    response: spaceSchema,
  }),
  moveCollection: operation({
    method: 'POST',
    path: '/collections/{collectionId}/move',
    summary: 'Move a collection into another one, to the top level, or beside others',
    description,
    tag: 'Collections',
    access: onCollection('admin'),
    body: movingBody,
    status: 200,
    response: collectionSchema,
  }),
  transferSpace: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/transfer',
    summary: 'Transfer a space to another organization',
    description: transferring,
    tag: 'Spaces',
    access: onSpace('admin'),
    body: transferringBody,
    status: 200,
    response: spaceSchema,
  }),
  transferCollection: operation({
    method: 'POST',
    path: '/collections/{collectionId}/transfer',
    summary: 'Transfer a collection with everything in it to another organization',
    description: `${transferring} At most 100 spaces at once.`,
    tag: 'Collections',
    access: onCollection('admin'),
    body: transferringBody,
    status: 200,
    response: collectionSchema,
  }),
};
