import { z } from 'zod';
import type { ResourceKind } from '../../../shared/contract/access.js';
import { urlSchema, webUrlSchema } from '../../../shared/contract/fields.js';
import { organizationSchema } from '../../identity/resources.js';

/** Relations that a caller may have to an integration. */
export const integrationStandings = ['owner', 'member', 'other', 'integration'] as const;
/**
 * `owner`: may publish it for the organization that owns it; `member`: belongs to that organization; `other`: sees it because it is public
 * or unlisted, or installed in one of the caller's organizations; `integration`: calls with a token of the integration.
 */
export type IntegrationStanding = (typeof integrationStandings)[number];

export const integrationKind = {
  service: 'integrations',
  name: 'integration',
  label: 'Integration',
  cacheTag: 'integration',
  rights: { view: integrationStandings, admin: ['owner'], operate: ['owner', 'integration'] },
} satisfies ResourceKind<string>;

export const integrationNameSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[a-zA-Z0-9-_.]+$/, 'must be letters, digits, hyphens, underscores and dots');

export const integrationTargets = ['all', 'site', 'space', 'organization'] as const;
export const integrationVisibilities = ['private', 'unlisted', 'public'] as const;
export const integrationCategories = [
  'analytics',
  'collaboration',
  'content',
  'gitsync',
  'marketing',
  'visitor-auth',
  'other',
] as const;
export const integrationScopes = [
  'space:views:read',
  'space:content:read',
  'space:content:write',
  'space:metadata:read',
  'space:metadata:write',
  'space:script:inject',
  'space:script:cookies',
  'space:git:sync',
  'space:visitor:auth',
  'site:metadata:read',
  'site:views:read',
  'site:script:inject',
  'site:script:cookies',
  'site:visitor:auth',
  'site:adaptive:read',
  'site:adaptive:write',
  'site:ai:ask',
  'site:visitor:claims',
  'page:feedback:read',
  'openapi:read',
  'openapi:write',
  'conversations:ingest',
] as const;
export type IntegrationScope = (typeof integrationScopes)[number];
export const integrationRuntimes = ['v1', 'v2'] as const;

/** Characters of a script. */
export const maxScriptLength = 6_000_000;
export const maxImageBytes = { icon: 250_000, previewImages: 1_000_000 };

const id = z.string().min(1).max(100);
/** An icon may be an image in base64 (`data:`), or an address. */
const icon = z.string().max(350_000);

export const integrationBlockSchema = z.object({
  id,
  title: z.string().min(2).max(40),
  description: z.string().max(150).optional(),
  icon: icon.optional(),
  urlUnfurl: z.array(z.string().max(2048)).max(100).optional(),
  markdown: z.object({ codeblock: z.string().min(1).max(100), body: z.string().min(1).max(100) }).optional(),
});
export type IntegrationBlock = z.output<typeof integrationBlockSchema>;

export const contentSourceSchema = z.object({
  id,
  title: z.string().min(2).max(40),
  description: z.string().max(150).optional(),
  icon: icon.optional(),
  configuration: z.object({ componentId: id }),
});

const property = { title: z.string().max(30).optional(), description: z.string().max(100).optional() };
const text = z.string().max(2048);
export const configurationPropertySchema = z.union([
  z.object({
    ...property,
    type: z.literal('string'),
    default: text.optional(),
    completion_url: text.optional(),
    enum: z.array(text).max(500).optional(),
  }),
  z.object({ ...property, type: z.literal('number'), default: z.number().optional() }),
  z.object({ ...property, type: z.literal('boolean'), default: z.boolean().optional() }),
  z.object({ ...property, type: z.literal('button'), callback_url: text, button_text: text }),
]);

/** Schema of an installation's configuration: declared properties, or a component that is the user interface of it. */
export const configurationSchema = z.union([
  z.object({
    properties: z.record(z.string().min(1).max(100), configurationPropertySchema),
    required: z.array(z.string().max(100)).max(100).optional(),
  }),
  z.object({ componentId: id }),
]);
export type ConfigurationSchema = z.output<typeof configurationSchema>;

export const configurationsSchema = z.object({
  account: configurationSchema.optional(),
  space: configurationSchema.optional(),
  site: configurationSchema.optional(),
});

export const externalLinksSchema = z.array(z.object({ url: webUrlSchema, label: z.string().max(100) })).max(5);

export const contentSecurityPolicySchema = z.union([
  z.string().max(8192),
  z.record(z.string().regex(/^[a-z-]{1,50}$/, 'must be the name of a directive'), z.string().max(2048)),
]);
export type ContentSecurityPolicy = z.output<typeof contentSecurityPolicySchema>;

/** Where scripts answer requests: the content that they render is on the same origin. */
export const publicEndpoints = {
  publicEndpoint: urlSchema,
  publicContentEndpoint: urlSchema.meta({ description: 'For rendered content, such as web frames: the same address.' }),
};

export const integrationSchema = z
  .object({
    object: z.literal('integration'),
    name: integrationNameSchema,
    version: z.number().int().meta({ description: 'Counts the times that it was published, from 1.' }),
    title: z.string().min(2).max(30),
    description: z.string().max(100).optional(),
    summary: z.string().max(2048).optional().meta({ description: 'Markdown.' }),
    previewImages: z.array(urlSchema).max(3),
    target: z.enum(integrationTargets).meta({ description: 'What it can be installed on.' }),
    verified: z.boolean(),
    visibility: z.enum(integrationVisibilities),
    scopes: z.array(z.enum(integrationScopes)),
    categories: z.array(z.enum(integrationCategories)),
    blocks: z.array(integrationBlockSchema).optional(),
    contentSources: z.array(contentSourceSchema).optional(),
    configurations: configurationsSchema.optional(),
    externalLinks: externalLinksSchema,
    owner: organizationSchema,
    urls: z.object({
      location: urlSchema,
      icon: urlSchema.optional(),
      app: urlSchema,
      assets: urlSchema,
      ...publicEndpoints,
    }),
    permissions: z.object({
      admin: z.boolean().meta({ description: 'The caller may publish, update and unpublish it.' }),
      install: z.boolean().meta({ description: 'The caller may install it in some organization.' }),
    }),
    contentSecurityPolicy: contentSecurityPolicySchema.optional(),
  })
  .meta({ id: 'Integration' });
export type Integration = z.output<typeof integrationSchema>;
