import { z } from 'zod';
import { webUrlSchema } from '../../../shared/contract/fields.js';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/paging.js';
import { adaptiveSchemaSchema, publishingAuthSchema, shareLinkSchema, siteAdaptiveSchemaSchema } from '../resources.js';
import { onSite, site } from './access.js';

const tag = 'Site publishing';
const name = z.string().max(50);
const link = `${site}/share-links/{shareLinkId}` as const;

export const shareLinkOperations = {
  listSiteShareLinks: operation({
    method: 'GET',
    path: `${site}/share-links`,
    summary: 'List the share links of a site',
    tag,
    access: onSite('admin'),
    query: pageQuery,
    status: 200,
    response: listOf(shareLinkSchema),
  }),
  createSiteShareLink: operation({
    method: 'POST',
    path: `${site}/share-links`,
    summary: 'Create a share link',
    description: 'Who has its URL sees a site of visibility `share-link`.',
    tag,
    access: onSite('admin'),
    body: z.object({ name }),
    status: 201,
    response: shareLinkSchema,
  }),
  updateSiteShareLinkById: operation({
    method: 'PATCH',
    path: link,
    summary: 'Rename a share link, or switch it off and on',
    tag,
    access: onSite('admin'),
    body: z.object({ active: z.boolean().optional(), name: name.optional() }),
    status: 200,
    response: shareLinkSchema,
  }),
  deleteSiteShareLinkById: operation({
    method: 'DELETE',
    path: link,
    summary: 'Delete a share link',
    tag,
    access: onSite('admin'),
    status: 205,
  }),
};

export const publishingAuthOperations = {
  getSitePublishingAuthById: operation({
    method: 'GET',
    path: `${site}/publishing/auth`,
    summary: 'Get how visitors of a site are known',
    description: 'With the private key that signs their JWT.',
    tag,
    access: onSite('admin'),
    status: 200,
    response: publishingAuthSchema,
  }),
  updateSitePublishingAuthById: operation({
    method: 'PATCH',
    path: `${site}/publishing/auth`,
    summary: 'Update how visitors of a site are known',
    tag,
    access: onSite('admin'),
    body: z.object({
      backend: z.enum(['custom', 'integration']).optional(),
      integration: z.string().min(1).max(100).nullable().optional(),
      fallbackURL: webUrlSchema
        .nullable()
        .optional()
        .meta({ description: 'Where visitors without a valid JWT are sent, with `location` added.' }),
    }),
    status: 200,
    response: publishingAuthSchema,
  }),
  regenerateSitePublishingAuthById: operation({
    method: 'POST',
    path: `${site}/publishing/auth/regenerate`,
    summary: 'Make a new private key',
    description: 'What the one before it signed does not count any more.',
    tag,
    access: onSite('admin'),
    status: 200,
    response: publishingAuthSchema,
  }),
};

export const adaptiveSchemaOperations = {
  getSiteAdaptiveSchema: operation({
    method: 'GET',
    path: `${site}/adaptive-schema`,
    summary: 'Get the schema of what is known of visitors',
    description: 'One without properties lets conditions read every claim.',
    tag,
    access: onSite('view'),
    status: 200,
    response: siteAdaptiveSchemaSchema,
  }),
  updateSiteAdaptiveSchema: operation({
    method: 'PUT',
    path: `${site}/adaptive-schema`,
    summary: 'Set the schema of what is known of visitors',
    description: 'Conditions read no claim that it does not declare.',
    tag,
    access: onSite('admin'),
    body: z.object({ jsonSchema: adaptiveSchemaSchema }),
    bodyLimit: 65_536,
    status: 200,
    response: siteAdaptiveSchemaSchema,
  }),
};
