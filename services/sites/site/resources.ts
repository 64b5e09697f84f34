import { z } from 'zod';
import type { ResourceKind } from '../../../shared/contract/access.js';
import { permissionsSchema, timestampSchema, urlSchema } from '../../../shared/contract/fields.js';
import { languageSchema } from '../../content/resources.js';
import { roles, rolesFrom } from '../../identity/resources.js';

/** The rights on a site, by the role in its organization. Guests see only sites that are open to everyone. */
export const siteKind = {
  service: 'sites',
  name: 'site',
  label: 'Site',
  cacheTag: 'site',
  rights: {
    view: [...roles, null],
    access: roles,
    edit: rolesFrom('edit'),
    create: rolesFrom('create'),
    admin: rolesFrom('create'),
    installIntegration: rolesFrom('create'),
    viewAdaptiveSchema: [...roles, null],
    editAdaptiveSchema: rolesFrom('create'),
    viewInsights: roles,
  },
} satisfies ResourceKind;

/**
 * The rights on what a site shows, by the lowest of the caller's roles in the organization and on the spaces of the site: nobody
 * opens a space to visitors that they do not administer.
 */
export const shownContentKind = {
  service: 'sites',
  name: 'shownContent',
  label: 'Site',
  cacheTag: 'site',
  rights: { view: [...roles, null], publish: rolesFrom('create') },
} satisfies ResourceKind;

export const siteTypes = ['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium'] as const;
export const visibilities = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const;
/** Visibilities of sites that anyone may visit. */
export const openVisibilities = ['public', 'unlisted'] as const;
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

/** A text in other languages. */
export const localizedSchema = (max: number) =>
  z.partialRecord(languageSchema, z.string().max(max)).meta({ description: 'In other languages, by the language.' });
export type LocalizedText = z.output<ReturnType<typeof localizedSchema>>;

export const conditionSchema = z
  .string()
  .min(1)
  .max(1024)
  .meta({ description: 'An expression that decides whether a visitor sees this part.' });

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
    appliedType: z.enum(siteTypes),
    title: titleSchema,
    hostname: z.string().optional().meta({ description: 'The host name of the site itself.' }),
    basename: z.string().optional().meta({ description: 'Its segment below the host name of the organization.' }),
    proxy: z.object({ origin: z.string(), target: z.string() }).optional(),
    visibility: z.enum(visibilities),
    defaultLevel: z.literal('inherit').meta({ description: 'Members see a site by their role in the organization.' }),
    permissions: permissionsSchema(siteKind),
    published: z.boolean(),
    siteSpaces: z.number().int(),
    createdAt: timestampSchema,
    adaptiveContent: z.object({ enabled: z.boolean() }).optional(),
    agentsContext: z.enum(agentsContexts),
    features: z.array(z.object({ id: z.string(), plan: z.enum(siteTypes), frozen: z.boolean() })),
    urls: z.object({
      location: urlSchema,
      app: urlSchema,
      published: urlSchema.optional(),
      login: urlSchema
        .optional()
        .meta({ description: 'Where visitors sign in; told of a published site to those who show it.' }),
      preview: urlSchema.meta({ description: 'For lookups with an API token of somebody who may publish the site.' }),
    }),
  })
  .meta({ id: 'Site' });
export type Site = z.output<typeof siteSchema>;

export const customHostnameResourceSchema = z
  .object({
    object: z.literal('custom-hostname'),
    hostname: customHostnameSchema,
    target: z.object({ type: z.literal('site'), site: z.string() }),
    isActive: z.boolean().meta({
      description: 'Whether it counts for the organization of the site, so that it leads there once that is published.',
    }),
    status: z
      .literal('dns_passed')
      .optional()
      .meta({ description: 'The DNS proves it, or the organization needs no proof; absent until then.' }),
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'CustomHostname' });
