import { z } from 'zod';
import type { ResourceKind } from '../../shared/contract/access.js';
import { timestampSchema, urlSchema, webUrlSchema } from '../../shared/contract/fields.js';
import { searchItemSchema, spaceSchema } from '../content/resources.js';
import { from, roles } from '../identity/resources.js';

/** Who may do what with a site: the role is that in its organization. */
export const siteKind = {
  service: 'sites',
  name: 'site',
  label: 'Site',
  cacheTag: 'site',
  rights: { view: [...roles, null], admin: from('create') },
} satisfies ResourceKind;

export const siteTypes = ['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium'] as const;
export const visibilities = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const;
export const agentsContexts = ['excluded', 'included'] as const;

export const titleSchema = z.string().min(2).max(128);
export const iconSchema = z.string().max(50).meta({ description: 'Name of an icon.' });

/** One segment of a published URL. */
export const segmentSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[-_.][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*$/u,
    'must be letters and digits, joined by single hyphens, underscores or dots',
  )
  .meta({ description: 'One segment of the published URL.' });

export const conditionSchema = z
  .string()
  .min(1)
  .max(1024)
  .meta({ description: 'An expression that decides whether a visitor sees it.' });

export const proxyOriginSchema = z
  .string()
  .max(512)
  .regex(/^([\w-]+\.)+[a-zA-Z]{2,}(\/[\w-]+)+$/, 'must be a host and a path such as example.com/docs');

export const customHostnameSchema = z
  .string()
  .max(253)
  .regex(
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/,
    'must be a host name such as docs.example.com',
  );

export const siteSchema = z
  .object({
    object: z.literal('site'),
    id: z.string(),
    type: z.enum(siteTypes),
    title: titleSchema,
    hostname: z.string().optional().meta({ description: 'A host name of its own.' }),
    basename: z.string().optional().meta({ description: 'Its segment below the host name of the organization.' }),
    proxy: z.object({ origin: z.string(), target: z.string() }).optional(),
    visibility: z.enum(visibilities),
    published: z.boolean(),
    siteSpaces: z.number().int(),
    createdAt: timestampSchema,
    adaptiveContent: z.object({ enabled: z.boolean() }).optional(),
    agentsContext: z.enum(agentsContexts),
    features: z.array(z.object({ id: z.string(), plan: z.enum(siteTypes), frozen: z.boolean() })),
    urls: z.object({ location: urlSchema, app: urlSchema, published: urlSchema.optional() }),
  })
  .meta({ id: 'Site' });
export type Site = z.output<typeof siteSchema>;

const published = z.object({ published: urlSchema.optional().meta({ description: 'While the site is published.' }) });

export const siteSpaceSchema = z
  .object({
    object: z.literal('site-space'),
    id: z.string(),
    path: z.string().min(1).max(100),
    section: z.string().optional(),
    space: spaceSchema,
    title: z.string(),
    default: z.boolean().optional(),
    condition: conditionSchema.optional(),
    hasAdvancedCustomizationFeature: z.boolean().optional(),
    urls: published,
  })
  .meta({ id: 'SiteSpace' });
export type SiteSpace = z.output<typeof siteSpaceSchema>;

export const siteSectionSchema = z
  .object({
    object: z.literal('site-section'),
    id: z.string(),
    title: z.string().min(1).max(128),
    description: z.string().max(256).optional(),
    default: z.boolean().optional(),
    path: z.string().min(1).max(100),
    condition: conditionSchema.optional(),
    sectionGroup: z.string().optional(),
    icon: iconSchema.optional(),
    siteSpaces: z.array(siteSpaceSchema),
    urls: published,
  })
  .meta({ id: 'SiteSection' });
export type SiteSection = z.output<typeof siteSectionSchema>;

export const siteSectionGroupSchema = z
  .object({
    object: z.literal('site-section-group'),
    id: z.string(),
    title: z.string().min(1).max(100),
    icon: iconSchema.optional(),
    sections: z.array(siteSectionSchema),
  })
  .meta({ id: 'SiteSectionGroup' });
export type SiteSectionGroup = z.output<typeof siteSectionGroupSchema>;

export const siteStructureSchema = z
  .union([
    z.object({ type: z.literal('sections'), structure: z.array(z.union([siteSectionSchema, siteSectionGroupSchema])) }),
    z.object({ type: z.literal('siteSpaces'), structure: z.array(siteSpaceSchema) }),
  ])
  .meta({ id: 'SiteStructure' });
export type SiteStructure = z.output<typeof siteStructureSchema>;

export const shareLinkSchema = z
  .object({
    object: z.literal('share-link'),
    id: z.string(),
    createdAt: timestampSchema,
    name: z.string().max(50).optional(),
    active: z.boolean().optional(),
    urls: z.object({
      published: urlSchema.optional().meta({ description: 'With the key of the link; while the site is published.' }),
    }),
  })
  .meta({ id: 'ShareLink' });
export type ShareLink = z.output<typeof shareLinkSchema>;

export const publishingAuthSchema = z
  .object({
    object: z.literal('publishing-auth'),
    backend: z.enum(['custom', 'integration']),
    integration: z.string().optional(),
    privateKey: z.string().meta({ description: 'Signs the JWT of a visitor (HS256).' }),
    fallbackURL: webUrlSchema.optional().meta({ description: 'Where visitors without a valid JWT are sent.' }),
  })
  .meta({ id: 'SitePublishingAuth' });
export type PublishingAuth = z.output<typeof publishingAuthSchema>;

export const redirectSourceSchema = z
  .string()
  .max(512)
  .regex(
    /^\/(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+(?:\/(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+)*$/,
    'must be a path such as /old/page, percent-encoded, without a slash at its end',
  );

export const redirectDestinationSchema = z.union([
  z.object({ kind: z.literal('site-section'), siteSectionId: z.string().min(1).max(100) }),
  z.object({ kind: z.literal('site-space'), siteSpaceId: z.string().min(1).max(100) }),
  z.object({
    kind: z.literal('site-page'),
    siteSpaceId: z.string().min(1).max(100),
    pageId: z.string().min(1).max(100),
  }),
]);
export type RedirectDestination = z.output<typeof redirectDestinationSchema>;

export const siteRedirectSchema = z
  .object({
    object: z.literal('site-redirect'),
    id: z.string(),
    source: z.string(),
    destination: redirectDestinationSchema,
  })
  .meta({ id: 'SiteRedirect' });
export type SiteRedirect = z.output<typeof siteRedirectSchema>;

const description = z.string().max(1000);
const primitiveClaim = [
  z.strictObject({ type: z.literal('boolean'), description }),
  z.strictObject({ type: z.literal('string'), enum: z.array(z.string().max(256)).max(200).optional(), description }),
  z.strictObject({ type: z.literal('number'), description }),
] as const;
const arrayClaim = z.strictObject({ type: z.literal('array'), description, items: z.union(primitiveClaim) });

/** Objects in objects, four deep. */
function claimsSchema(deeper: number): z.ZodType<ClaimSchema> {
  const plain = [...primitiveClaim, arrayClaim] as const;
  if (deeper === 0) return z.union(plain);
  return z.union([
    ...plain,
    z.strictObject({
      type: z.literal('object'),
      description,
      properties: z.record(z.string().min(1).max(100), claimsSchema(deeper - 1)),
      additionalProperties: z.literal(false),
    }),
  ]);
}

export type ClaimSchema =
  | { type: 'boolean' | 'number'; description: string }
  | { type: 'string'; description: string; enum?: string[] | undefined }
  | { type: 'array'; description: string; items: ClaimSchema }
  | ObjectClaim;
export interface ObjectClaim {
  type: 'object';
  description?: string | undefined;
  properties: Record<string, ClaimSchema>;
  additionalProperties: false;
}

export const adaptiveSchemaSchema = z
  .strictObject({
    $schema: z.literal('http://json-schema.org/draft-07/schema#').optional(),
    type: z.literal('object'),
    properties: z.record(z.string().min(1).max(100), claimsSchema(4)),
    additionalProperties: z.literal(false),
  })
  .refine(({ properties }) => !Object.hasOwn(properties, 'unsigned') || properties.unsigned?.type === 'object', {
    path: ['properties', 'unsigned'],
    message: 'must be an object: it holds the unsigned claims',
  });
export type AdaptiveSchema = z.output<typeof adaptiveSchemaSchema>;

export const siteAdaptiveSchemaSchema = z
  .object({ object: z.literal('site-adaptive-schema'), jsonSchema: adaptiveSchemaSchema, updatedAt: timestampSchema })
  .meta({ id: 'SiteAdaptiveSchema' });
export type SiteAdaptiveSchema = z.output<typeof siteAdaptiveSchemaSchema>;

/** Of a path that is longer when it is encoded. */
const longURLSchema = z.url().max(32_768);

export const publishedContentSchema = z
  .union([
    z.object({ target: z.enum(['application', 'content', 'external']), redirect: longURLSchema }),
    z.object({
      site: z.string(),
      siteSection: z.string().optional(),
      siteSpace: z.string(),
      space: z.string(),
      changeRequest: z.string().optional(),
      revision: z.string().optional(),
      pathname: z.string().meta({ description: 'Path of the page in the content, without a slash before it.' }),
      basePath: z.string().meta({ description: 'What stands before it in the path of the URL.' }),
      siteBasePath: z
        .string()
        .meta({ description: 'What stands before the parts of the site in the path of the URL.' }),
      apiToken: z
        .string()
        .meta({ description: 'Content token: reads what this visitor may see, for at least half an hour.' }),
      organization: z.string(),
      shareKey: z.string().optional(),
      complete: z.boolean().meta({ description: 'No longer path leads to another part of the site.' }),
      contextId: z.string().optional().meta({ description: 'Changes with what is known of the visitor.' }),
      canonicalUrl: longURLSchema,
    }),
  ])
  .meta({ id: 'PublishedSiteContentLookup' });
export type PublishedContent = z.output<typeof publishedContentSchema>;

export const searchSpaceResultSchema = z
  .object({ id: z.string(), title: z.string(), pages: z.array(searchItemSchema) })
  .meta({ id: 'SearchSpaceResult' });
export type SearchSpaceResult = z.output<typeof searchSpaceResultSchema>;
