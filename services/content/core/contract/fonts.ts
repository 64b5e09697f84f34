import { z } from 'zod';
import { operation } from '../../../../shared/contract/operation.js';
import { question } from '../../../../shared/contract/verb.js';
import { onOrganization } from '../../../identity/resources.js';
import { type FontDefinition, fontFamilySchema, fontSchema, fontWeightSchema, uploadKeySchema } from '../resources.js';

const tag = 'Fonts';
const fonts = '/orgs/{organizationId}/fonts';
const maxFaces = 30;

export const fontOperations = {
  listCustomFonts: operation({
    method: 'GET',
    path: fonts,
    summary: 'List the fonts of an organization',
    tag,
    access: onOrganization('view'),
    status: 200,
    response: z.object({ count: z.number().int(), items: z.array(fontSchema) }),
  }),
  createCustomFont: operation({
    method: 'PUT',
    path: fonts,
    summary: 'Add a font',
    description:
      'Of files that were uploaded as `customization_font`, one for each weight and format; one of them of the weight 400.',
    tag,
    access: onOrganization('createContent'),
    body: z
      .object({
        fontFamily: fontFamilySchema,
        fontFaces: z
          .array(z.object({ weight: fontWeightSchema, storageKey: uploadKeySchema }))
          .min(1)
          .max(maxFaces),
      })
      .meta({
        examples: [{ fontFamily: 'Acme Sans', fontFaces: [{ weight: 400, storageKey: 'customization_font/01M8' }] }],
      }),
    status: 201,
    response: fontSchema,
  }),
  getCustomFont: operation({
    method: 'GET',
    path: `${fonts}/{fontId}`,
    summary: 'Get a font',
    tag,
    access: onOrganization('view'),
    status: 200,
    response: fontSchema,
  }),
  updateCustomFont: operation({
    method: 'POST',
    path: `${fonts}/{fontId}`,
    summary: 'Rename a font, or change its files',
    description:
      'The files of a weight that is named replace those that it had; null removes them. Sites show the change at once.',
    tag,
    access: onOrganization('createContent'),
    body: z
      .object({
        fontFamily: fontFamilySchema.optional(),
        fontFaces: z
          .array(z.object({ weight: fontWeightSchema, storageKey: uploadKeySchema.nullable() }))
          .max(maxFaces)
          .optional(),
      })
      .meta({ examples: [{ fontFamily: 'Acme Sans' }] }),
    status: 201,
    response: fontSchema,
  }),
  deleteCustomFont: operation({
    method: 'DELETE',
    path: `${fonts}/{fontId}`,
    summary: 'Delete a font',
    description: 'Sites that use it are shown in their default font.',
    tag,
    access: onOrganization('createContent'),
    status: 205,
  }),
};

/** The definitions of fonts of an organization, by their ids; those that it does not have are left out. */
export const fontDefinitions = question<{ organization: string; ids: string[] }, FontDefinition[]>(
  'content',
  'fontDefinitions',
);
