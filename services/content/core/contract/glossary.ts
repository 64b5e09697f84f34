import { z } from 'zod';
import { exampleId } from '../../../../shared/contract/examples.js';
import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { onOrganization } from '../../../identity/resources.js';
import { glossaryEntrySchema, glossaryTranslationsSchema } from '../resources.js';

const tag = 'Translations';
const glossary = '/orgs/{organizationId}/translations-glossary';
const id = z.string().min(1).max(100);

export const glossaryOperations = {
  listGlossaryEntries: operation({
    method: 'GET',
    path: glossary,
    summary: 'List the glossary of an organization',
    description: 'In order of creation.',
    tag,
    access: onOrganization('view'),
    query: pageQuery,
    status: 200,
    response: listOf(glossaryEntrySchema),
  }),
  updateGlossaryEntries: operation({
    method: 'PUT',
    path: glossary,
    summary: 'Change the glossary of an organization',
    description: 'All of the operations, or none. What the model translates from then on uses the terms.',
    tag,
    access: onOrganization('createContent'),
    body: z
      .object({
        operations: z
          .array(
            z.discriminatedUnion('type', [
              z.object({ type: z.literal('insert'), translations: glossaryTranslationsSchema }),
              z.object({ type: z.literal('update'), id, translations: glossaryTranslationsSchema }),
              z.object({ type: z.literal('delete'), id }),
            ]),
          )
          .min(1)
          .max(500),
      })
      .meta({
        examples: [
          { operations: [{ type: 'insert', translations: { en: 'Space', fr: 'Espace' } }] },
          { operations: [{ type: 'delete', id: exampleId('glossaryEntry') }] },
        ],
      }),
    status: 204,
  }),
  getGlossaryEntry: operation({
    method: 'GET',
    path: `${glossary}/{glossaryEntryId}`,
    summary: 'Get an entry of the glossary',
    tag,
    access: onOrganization('view'),
    status: 200,
    response: glossaryEntrySchema,
  }),
};
