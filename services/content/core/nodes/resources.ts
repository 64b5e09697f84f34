import { z } from 'zod';
import type { ResourceKind } from '../../../../shared/contract/access.js';
import { permissionsSchema, timestampSchema, urlSchema } from '../../../../shared/contract/fields.js';
import { roleOrGuestSchema, rolesFrom } from '../../../identity/resources.js';

export const spaceKind = {
  service: 'content',
  name: 'space',
  label: 'Space',
  cacheTag: 'space',
  rights: {
    view: rolesFrom('read'),
    access: rolesFrom('read'),
    admin: rolesFrom('create'),
    viewInviteLinks: rolesFrom('create'),
    edit: rolesFrom('edit'),
    triggerGitSync: rolesFrom('create'),
    comment: rolesFrom('comment'),
    merge: rolesFrom('review'),
    review: rolesFrom('review'),
    installIntegration: rolesFrom('create'),
  },
} satisfies ResourceKind;

export const collectionKind = {
  service: 'content',
  name: 'collection',
  label: 'Collection',
  rights: {
    view: rolesFrom('read'),
    admin: rolesFrom('create'),
    viewInviteLinks: rolesFrom('create'),
    create: rolesFrom('create'),
  },
} satisfies ResourceKind;

/** The access of members without a grant: a role, null for no access, or that of the parent. */
export const defaultLevelSchema = z
  .union([roleOrGuestSchema, z.literal('inherit')])
  .meta({ id: 'DefaultLevel', description: 'A role, null for no access, or `inherit` for the level of the parent.' });
export type DefaultLevel = z.output<typeof defaultLevelSchema>;

export const languages =
  'en fr de es it pt pt-br ru ja zh yue ko ar hi nl pl tr sv no da fi el cs hu ro th vi id ms he uk sk bg hr lt lv et sl'.split(
    ' ',
  );
export const languageSchema = z.enum(languages).meta({ description: 'Language code.' });

export const emojiSchema = z.string().max(50).meta({ description: 'An emoji, or its code point.' });
export const editModes = ['live', 'locked'] as const;
export const gitProviders = ['github', 'gitlab'] as const;

export const gitOperationSchema = z.object({
  direction: z.enum(['import', 'export']),
  state: z.enum(['running', 'success', 'failure']),
  queued: z.literal(true).optional().meta({ description: 'It waits for its turn.' }),
  skipped: z.literal(true).optional().meta({ description: 'A later operation was applied already: nothing was done.' }),
  ref: z.string(),
  commit: z.string().optional(),
  revision: z.string().optional(),
  error: z
    .string()
    .optional()
    .meta({ description: 'Why the operation failed or was skipped, as a sentence for people.' }),
  startedAt: timestampSchema.optional(),
  completedAt: timestampSchema.optional(),
  endedAt: timestampSchema.optional().meta({ description: 'The same as `completedAt`.' }),
  problems: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .meta({ description: 'Warnings of the import, at most the first 100.' }),
});
export type GitOperation = z.output<typeof gitOperationSchema>;

export const gitInfoSchema = z
  .object({
    repoName: z.string().optional(),
    installationId: z
      .string()
      .meta({ description: 'Of the connection with the repository; the id of the space where it has none.' }),
    installationStatus: z
      .enum(['active', 'pending'])
      .meta({ description: '`pending` until an import, an export or a sync has succeeded.' }),
    installationProvider: z.enum([...gitProviders, 'github-legacy']).optional(),
    integration: z.string().optional(),
    url: z.string().optional(),
    updatedAt: timestampSchema.optional(),
    operation: gitOperationSchema.optional().meta({ description: 'The latest import or export.' }),
  })
  .meta({ id: 'GitSyncState' });

export const spaceSchema = z
  .object({
    object: z.literal('space'),
    id: z.string(),
    title: z.string().max(50),
    emoji: z.string(),
    visibility: z.enum(['public', 'unlisted', 'share-link', 'visitor-auth', 'in-collection', 'private']),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    deletedAt: timestampSchema.optional(),
    editMode: z.enum(editModes),
    mergeRules: z.object({ type: z.literal('inherit') }).meta({ description: 'Those of the organization.' }),
    urls: z.object({
      location: urlSchema,
      app: urlSchema,
      published: urlSchema.optional(),
      public: urlSchema.optional(),
      icon: urlSchema.optional(),
    }),
    organization: z.string(),
    parent: z.string().optional(),
    language: languageSchema.optional(),
    gitSync: gitInfoSchema.omit({ operation: true }).optional(),
    revision: z.string(),
    defaultLevel: defaultLevelSchema,
    comments: z.number().int(),
    changeRequests: z.number().int(),
    changeRequestsOpen: z.number().int(),
    changeRequestsDraft: z.number().int(),
    permissions: permissionsSchema(spaceKind),
  })
  .meta({ id: 'Space' });
export type Space = z.output<typeof spaceSchema>;

export const collectionSchema = z
  .object({
    object: z.literal('collection'),
    id: z.string(),
    title: z.string().max(50),
    description: z.string().max(100).optional(),
    organization: z.string(),
    parent: z.string().optional(),
    defaultLevel: defaultLevelSchema,
    urls: z.object({ location: urlSchema, app: urlSchema }),
    permissions: permissionsSchema(collectionKind),
  })
  .meta({ id: 'Collection' });
export type CollectionResource = z.output<typeof collectionSchema>;
