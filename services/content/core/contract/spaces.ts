import { z } from 'zod';
import { encodedAnswer } from '../../../../shared/contract/encoded.js';
import { exampleId } from '../../../../shared/contract/examples.js';
import { webUrlSchema } from '../../../../shared/contract/fields.js';
import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { onOrganization } from '../../../identity/resources.js';
import { defaultLevelSchema, editModes, emojiSchema, languageSchema, spaceSchema } from '../resources.js';
import { onSpace, visitingSpace } from './access-rules.js';
import { parent, templateSchema, title } from './fields.js';

const notOffered = z.undefined({ error: 'not supported; create the space, then import content into it' }).optional();

export const spaceOperations = {
  createSpace: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/spaces',
    summary: 'Create a space',
    tag: 'Spaces',
    access: onOrganization('createContent'),
    body: z
      .object({
        title: title.optional(),
        emoji: emojiSchema.optional(),
        parent: parent.optional(),
        language: languageSchema.optional(),
        editMode: z.enum(editModes).optional(),
        template: templateSchema.optional().meta({ description: 'Fills the space with pages.' }),
        empty: z.literal(true).optional().meta({ description: 'Without pages, which is the default.' }),
        computedSource: notOffered,
      })
      .refine(({ template, empty }) => !template || !empty, {
        path: ['empty'],
        error: 'must be absent with a template',
      })
      .default({})
      .meta({
        examples: [
          { title: 'Getting started', emoji: '1f680', language: 'en' },
          { title: 'Handbook', template: { id: 'documentation' } },
          { title: 'API guides', parent: exampleId('collection') },
        ],
      }),
    status: 201,
    response: spaceSchema,
  }),
  listSpacesInOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/spaces',
    summary: 'List the spaces of an organization that the caller may read',
    tag: 'Spaces',
    access: onOrganization('view', 'space:metadata:read'),
    query: pageQuery,
    status: 200,
    response: encodedAnswer(listOf(spaceSchema)),
  }),
  getSpaceById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}',
    summary: 'Get a space',
    description: 'A deleted space is returned within its grace period to callers who may restore it.',
    tag: 'Spaces',
    access: { ...visitingSpace('space:metadata:read'), deleted: true },
    status: 200,
    response: encodedAnswer(spaceSchema),
  }),
  updateSpaceById: operation({
    method: 'PATCH',
    path: '/spaces/{spaceId}',
    summary: 'Update a space',
    tag: 'Spaces',
    access: onSpace('admin', 'space:metadata:write'),
    body: z
      .object({
        title: title.optional(),
        editMode: z.enum(editModes).optional(),
        defaultLevel: defaultLevelSchema.optional(),
        language: languageSchema.optional(),
        emoji: emojiSchema.nullable().optional(),
        icon: webUrlSchema.nullable().optional(),
      })
      .meta({ examples: [{ title: 'Getting started', emoji: '1f680', defaultLevel: 'read' }] }),
    status: 200,
    response: spaceSchema,
  }),
  deleteSpaceById: operation({
    method: 'DELETE',
    path: '/spaces/{spaceId}',
    summary: 'Delete a space',
    description: 'The space stays in the trash for 7 days.',
    tag: 'Spaces',
    access: onSpace('admin'),
    status: 205,
  }),
  restoreSpace: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/restore',
    summary: 'Restore a deleted space',
    tag: 'Spaces',
    access: { ...onSpace('admin'), deleted: true },
    status: 200,
    response: spaceSchema,
  }),
};
