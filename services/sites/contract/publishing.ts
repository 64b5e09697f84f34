import { z } from 'zod';
import { webUrlSchema } from '../../../shared/contract/fields.js';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/lists/paging.js';
import {
  adaptiveSchemaSchema,
  publishingAuthSchema,
  shareLinkSchema,
  siteAdaptiveSchemaSchema,
  templateConditionSchema,
} from '../resources.js';
import { onSite, openingSite, site } from './access-rules.js';

const tag = 'Site publishing';
const name = z.string().max(50);
const link = `${site}/share-links/{shareLinkId}` as const;

export const shareLinkOperations = {
  listSiteShareLinks: operation({
    method: 'GET',
    path: `${site}/share-links`,
    summary: 'List the share links of a site',
    tag,
    access: openingSite(),
    query: pageQuery.extend({
      search: z
        .string()
        .max(256)
        .optional()
        .meta({ description: 'Only those with this in their name, or with this key.' }),
    }),
    status: 200,
    response: listOf(shareLinkSchema),
  }),
  createSiteShareLink: operation({
    method: 'POST',
    path: `${site}/share-links`,
    summary: 'Create a share link',
    description: 'Anyone who has its URL sees a site of visibility `share-link`.',
    tag,
    access: openingSite(),
    body: z.object({ name }).meta({ examples: [{ name: 'Beta testers' }] }),
    status: 201,
    response: shareLinkSchema,
  }),
  updateSiteShareLinkById: operation({
    method: 'PATCH',
    path: link,
    summary: 'Rename, activate or deactivate a share link',
    tag,
    access: openingSite(),
    body: z.object({ active: z.boolean().optional(), name: name.optional() }).meta({ examples: [{ active: false }] }),
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
    summary: 'Get how visitors of a site are identified',
    description: 'Includes the private key that signs their JWTs.',
    tag,
    access: openingSite('site:visitor:auth'),
    status: 200,
    response: publishingAuthSchema,
  }),
  updateSitePublishingAuthById: operation({
    method: 'PATCH',
    path: `${site}/publishing/auth`,
    summary: 'Update how visitors of a site are identified',
    tag,
    access: openingSite(),
    body: z
      .object({
        backend: z.enum(['custom', 'integration']).optional(),
        integration: z.string().min(1).max(100).nullable().optional(),
        fallbackURL: webUrlSchema
          .nullable()
          .optional()
          .meta({ description: 'Where visitors without a valid JWT are redirected, with `location` added.' }),
      })
      .meta({ examples: [{ backend: 'custom', fallbackURL: 'https://login.example.com/docs' }] }),
    status: 200,
    response: publishingAuthSchema,
  }),
  regenerateSitePublishingAuthById: operation({
    method: 'POST',
    path: `${site}/publishing/auth/regenerate`,
    summary: 'Regenerate the private key',
    description: 'JWTs signed with the previous key become invalid.',
    tag,
    access: openingSite(),
    status: 200,
    response: publishingAuthSchema,
  }),
};

export const adaptiveSchemaOperations = {
  getSiteAdaptiveSchema: operation({
    method: 'GET',
    path: `${site}/adaptive-schema`,
    summary: 'Get the schema of visitor claims',
    description: 'A schema without properties lets conditions read every claim.',
    tag,
    access: onSite('view', 'site:adaptive:read'),
    status: 200,
    response: siteAdaptiveSchemaSchema,
  }),
  updateSiteAdaptiveSchema: operation({
    method: 'PUT',
    path: `${site}/adaptive-schema`,
    summary: 'Set the schema of visitor claims',
    description: 'Conditions can read only the claims that it declares.',
    tag,
    access: openingSite('site:adaptive:write'),
    body: z.object({ jsonSchema: adaptiveSchemaSchema }).meta({
      examples: [
        {
          jsonSchema: {
            type: 'object',
            properties: {
              plan: { type: 'string', description: 'What the visitor pays for.', enum: ['free', 'pro'] },
              beta: { type: 'boolean', description: 'Whether the visitor tries new features.' },
            },
            additionalProperties: false,
          },
        },
      ],
    }),
    bodyLimit: 65_536,
    status: 200,
    response: siteAdaptiveSchemaSchema,
  }),
  listSiteAdaptiveTemplateConditions: operation({
    method: 'GET',
    path: `${site}/adaptive-schema/template-conditions`,
    summary: 'List conditions that the schema of visitor claims suggests',
    description: 'On booleans, on texts with a list of values, and on arrays of such texts.',
    tag,
    access: onSite('view', 'site:adaptive:read'),
    status: 200,
    response: z.object({ items: z.array(templateConditionSchema) }),
  }),
};
