import { z } from 'zod';
import { encodedAnswer } from '../../../../shared/contract/encoded.js';
import { exampleId } from '../../../../shared/contract/examples.js';
import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { onOrganization } from '../../../identity/resources.js';
import { collectionSchema, defaultLevelSchema, spaceSchema } from '../resources.js';
import { onCollection } from './access-rules.js';
import { parent, title } from './fields.js';

export const collectionOperations = {
  createCollection: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/collections',
    summary: 'Create a collection',
    tag: 'Collections',
    access: onOrganization('createContent'),
    body: z
      .object({ title: title.optional(), parent: parent.optional() })
      .default({})
      .meta({ examples: [{ title: 'Handbook' }, { title: 'Onboarding', parent: exampleId('collection') }] }),
    status: 201,
    response: collectionSchema,
  }),
  listCollectionsInOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/collections',
    summary: 'List the collections of an organization that the caller may read',
    tag: 'Collections',
    access: onOrganization('view'),
    query: pageQuery.extend({
      nested: z.boolean().default(true).meta({ description: 'False lists only the collections at the top level.' }),
    }),
    status: 200,
    response: listOf(collectionSchema),
  }),
  getCollectionById: operation({
    method: 'GET',
    path: '/collections/{collectionId}',
    summary: 'Get a collection',
    tag: 'Collections',
    access: onCollection('view'),
    status: 200,
    response: collectionSchema,
  }),
  updateCollectionById: operation({
    method: 'PATCH',
    path: '/collections/{collectionId}',
    summary: 'Update a collection',
    tag: 'Collections',
    access: onCollection('admin'),
    body: z
      .object({
        title: title.optional(),
        description: z.string().max(100).optional(),
        defaultLevel: defaultLevelSchema.optional(),
      })
      .meta({ examples: [{ title: 'Handbook', description: 'How we work.', defaultLevel: 'read' }] }),
    status: 200,
    response: collectionSchema,
  }),
  deleteCollectionById: operation({
    method: 'DELETE',
    path: '/collections/{collectionId}',
    summary: 'Delete a collection',
    description: 'Deletes the collections in it too; the spaces in it go to the trash.',
    tag: 'Collections',
    access: onCollection('admin'),
    status: 205,
  }),
  listSpacesInCollectionById: operation({
    method: 'GET',
    path: '/collections/{collectionId}/spaces',
    summary: 'List the spaces of a collection that the caller may read',
    tag: 'Collections',
    access: onCollection('view'),
    query: pageQuery,
    status: 200,
    response: encodedAnswer(listOf(spaceSchema)),
  }),
};
