import { z } from 'zod';
import type { ResourceKind } from '../../shared/contract/access.js';
import { permissionsSchema, timestampSchema, urlSchema } from '../../shared/contract/fields.js';
import { from, roleOrGuestSchema, roleSchema, teamSchema, userSchema } from '../identity/resources.js';

export const spaceKind = {
  service: 'content',
  name: 'space',
  label: 'Space',
  cacheTag: 'space',
  rights: {
    view: from('read'),
    access: from('read'),
    admin: from('create'),
    viewInviteLinks: from('create'),
    edit: from('edit'),
    triggerGitSync: from('create'),
    comment: from('comment'),
    merge: from('review'),
    review: from('review'),
    installIntegration: from('create'),
  },
} satisfies ResourceKind;

export const collectionKind = {
  service: 'content',
  name: 'collection',
  label: 'Collection',
  rights: { view: from('read'), admin: from('create'), viewInviteLinks: from('create'), create: from('create') },
} satisfies ResourceKind;

/** What members get where nothing is granted to them: a role, null for no access, or what the parent gives. */
export const defaultLevelSchema = z
  .union([roleOrGuestSchema, z.literal('inherit')])
  .meta({ id: 'DefaultLevel', description: 'A role, null for no access, or `inherit`: what the parent gives.' });
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
  state: z.enum(['queued', 'running', 'success', 'failure', 'skipped']),
  ref: z.string(),
  commit: z.string().optional(),
  revision: z.string().optional(),
  error: z.string().optional().meta({ description: 'Why it failed or was skipped, for a person.' }),
  startedAt: timestampSchema.optional(),
  completedAt: timestampSchema.optional(),
  problems: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .meta({ description: 'Warnings of the import, at most the first hundred.' }),
});
export type GitOperation = z.output<typeof gitOperationSchema>;

export const gitInfoSchema = z
  .object({
    repoName: z.string().optional(),
    installationProvider: z.enum([...gitProviders, 'github-legacy']).optional(),
    integration: z.string().optional(),
    url: z.string().optional(),
    updatedAt: timestampSchema.optional(),
    operation: gitOperationSchema.optional().meta({ description: 'The latest import or export.' }),
  })
  .meta({ id: 'GitSyncState' });
export type GitInfo = z.output<typeof gitInfoSchema>;

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

export const teamContentPermissionSchema = z
  .object({ permission: roleSchema, team: teamSchema })
  .meta({ id: 'TeamContentPermission' });
export type TeamContentPermission = z.output<typeof teamContentPermissionSchema>;
export const userContentPermissionSchema = z
  .object({ permission: roleSchema, user: userSchema })
  .meta({ id: 'UserContentPermission' });
export type UserContentPermission = z.output<typeof userContentPermissionSchema>;
export const memberContentPermissionSchema = z
  .object({ permission: roleSchema, space: spaceSchema })
  .meta({ id: 'MemberContentPermission' });
export type MemberContentPermission = z.output<typeof memberContentPermissionSchema>;

const gitBlobSchema = z.object({ oid: z.string(), path: z.string() });

export const fileSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    contentType: z.string(),
    downloadURL: urlSchema,
    size: z.number().int(),
    dimensions: z.object({ width: z.number(), height: z.number() }).optional(),
    git: gitBlobSchema.optional(),
  })
  .meta({ id: 'RevisionFile' });
export type FileResource = z.output<typeof fileSchema>;

export const layoutSchema = z.object({
  width: z.enum(['default', 'wide']),
  cover: z.boolean(),
  coverSize: z.enum(['hero', 'full']),
  title: z.boolean(),
  description: z.boolean(),
  tableOfContents: z.boolean(),
  outline: z.boolean(),
  pagination: z.boolean(),
  metadata: z.boolean(),
});
export type Layout = z.output<typeof layoutSchema>;

export const contentRefSchema = z.looseObject({ kind: z.string() }).meta({ id: 'ContentRef' });
export type ContentRef = z.output<typeof contentRefSchema>;

/** A node of the document model; its kinds are in the handbook. */
export const documentSchema = z
  .looseObject({ object: z.literal('document'), nodes: z.array(z.looseObject({ object: z.string() })) })
  .meta({ id: 'JSONDocument' });
export type PageBody = z.output<typeof documentSchema>;

/** `document`: the JSON form. `markdown`: for readers. `source`: as it is stored. */
export const bodyFormats = ['document', 'markdown', 'source'] as const;

const pageBase = { id: z.string(), title: z.string(), emoji: z.string().optional(), icon: z.string().optional() };
const dates = { createdAt: timestampSchema.optional(), updatedAt: timestampSchema.optional() };
const indexing = { hidden: z.boolean(), noIndex: z.boolean(), noRobotsIndex: z.boolean() };

const pageFields = z.object({
  ...pageBase,
  ...dates,
  kind: z.enum(['sheet', 'group', 'link']).optional().meta({ deprecated: true }),
  type: z.enum(['document', 'group', 'link', 'computed']),
  urls: z.object({ app: urlSchema }).optional(),
  slug: z.string().optional(),
  path: z.string().optional(),
  description: z.string().optional(),
  documentId: z.string().optional(),
  markdown: z.string().optional(),
  source: z.string().optional().meta({ description: 'The file of the page, with `format=source`.' }),
  document: documentSchema.optional(),
  git: gitBlobSchema.optional(),
  layout: layoutSchema.optional(),
  cover: z
    .object({ ref: contentRefSchema.optional(), refDark: contentRefSchema.optional(), yPos: z.number() })
    .optional(),
  variables: z.record(z.string(), z.unknown()).optional(),
  ...z.object(indexing).partial().shape,
  target: contentRefSchema.optional(),
  href: z.string().optional(),
  computed: z.looseObject({ type: z.string() }).optional(),
  computedSeed: z.string().optional(),
});

/** A page of a revision; groups and documents hold child pages. */
export type Page = z.output<typeof pageFields> & { pages?: Page[] | undefined };
export const pageSchema: z.ZodType<Page> = pageFields.extend({ pages: z.array(z.lazy(() => pageSchema)).optional() });
z.globalRegistry.add(pageSchema, { id: 'RevisionPage' });

/** What an address leads to. */
export const embedSchema = z
  .object({ type: z.literal('link'), title: z.string(), site: z.string(), url: urlSchema })
  .meta({ id: 'Embed' });
export type Embed = z.output<typeof embedSchema>;

export const reusableContentSchema = z
  .object({ id: z.string(), title: z.string(), document: z.string().optional(), git: gitBlobSchema.optional() })
  .meta({ id: 'RevisionReusableContent' });
export type ReusableContent = z.output<typeof reusableContentSchema>;

export const revisionTypes = ['edits', 'merge', 'rollback', 'update', 'computed'] as const;

export const revisionSchema = z
  .object({
    object: z.literal('revision'),
    id: z.string(),
    parents: z.array(z.string()),
    type: z.enum(revisionTypes),
    pages: z.array(pageSchema),
    files: z.array(fileSchema),
    reusableContents: z.array(reusableContentSchema),
    variables: z.record(z.string(), z.unknown()).optional(),
    createdAt: timestampSchema,
    git: z
      .object({
        oid: z.string(),
        message: z.string(),
        createdByService: z.boolean(),
        url: z.string().optional(),
        ref: z.string().optional(),
      })
      .optional(),
    urls: z.object({ app: urlSchema, published: urlSchema.optional(), public: urlSchema.optional() }),
  })
  .meta({ id: 'Revision' });
export type Revision = z.output<typeof revisionSchema>;

const sectionHitSchema = z.object({
  id: z.string(),
  title: z.string(),
  path: z.string(),
  body: z.string(),
  urls: z.object({ app: urlSchema }),
});

export const searchItemSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    path: z.string(),
    sections: z.array(sectionHitSchema).optional(),
    urls: z.object({ app: urlSchema }),
  })
  .meta({ id: 'SearchPageResult' });
export type SearchItem = z.output<typeof searchItemSchema>;
