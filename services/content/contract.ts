import { z } from 'zod';
import { defineContract, operation, verb } from '../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../shared/paging.js';
import { organizationKind, timestampSchema, urlSchema } from '../identity/resources.js';
import {
  collectionKind,
  collectionSchema,
  defaultLevelSchema,
  editModes,
  emojiSchema,
  fileSchema,
  gitInfoSchema,
  gitProviders,
  languageSchema,
  pageSchema,
  revisionSchema,
  searchItemSchema,
  spaceKind,
  spaceSchema,
} from './resources.js';

const caller = ['user'] as const;
const onOrganization = (need: keyof typeof organizationKind.rights) =>
  ({ caller, on: organizationKind, id: 'organizationId', need }) as const;
const onSpace = (need: keyof typeof spaceKind.rights) => ({ caller, on: spaceKind, id: 'spaceId', need }) as const;
const onCollection = (need: keyof typeof collectionKind.rights) =>
  ({ caller, on: collectionKind, id: 'collectionId', need }) as const;

const title = z.string().max(50);
const parent = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'The collection that holds it. Default: the top level.' });

const contentQuery = z.object({
  metadata: z.boolean().default(true).meta({ description: 'False leaves out the mutable `git` metadata.' }),
  computed: z.boolean().default(true).meta({ description: 'False leaves computed content as its source.' }),
});

const notOffered = z.undefined({ error: 'not offered here: create the space and import content into it' }).optional();

export const contentContract = defineContract('content', {
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
        template: notOffered,
        computedSource: notOffered,
      })
      .default({}),
    status: 201,
    response: spaceSchema,
  }),
  listSpacesInOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/spaces',
    summary: 'List the spaces of an organization that the caller may read',
    tag: 'Spaces',
    access: onOrganization('view'),
    query: pageQuery,
    status: 200,
    response: listOf(spaceSchema),
  }),
  getSpaceById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}',
    summary: 'Get a space',
    description: 'A deleted one too, within its grace period, for those who may restore it.',
    tag: 'Spaces',
    access: { ...onSpace('view'), deleted: true },
    status: 200,
    response: spaceSchema,
  }),
  updateSpaceById: operation({
    method: 'PATCH',
    path: '/spaces/{spaceId}',
    summary: 'Update a space',
    tag: 'Spaces',
    access: onSpace('admin'),
    body: z.object({
      title: title.optional(),
      editMode: z.enum(editModes).optional(),
      defaultLevel: defaultLevelSchema.optional(),
      language: languageSchema.optional(),
      emoji: emojiSchema.nullable().optional(),
      icon: urlSchema.nullable().optional(),
    }),
    status: 200,
    response: spaceSchema,
  }),
  deleteSpaceById: operation({
    method: 'DELETE',
    path: '/spaces/{spaceId}',
    summary: 'Delete a space',
    description: 'It stays in the trash for 7 days.',
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
  createCollection: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/collections',
    summary: 'Create a collection',
    tag: 'Collections',
    access: onOrganization('createContent'),
    body: z.object({ title: title.optional(), parent: parent.optional() }).default({}),
    status: 201,
    response: collectionSchema,
  }),
  listCollectionsInOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/collections',
    summary: 'List the collections of an organization that the caller may read',
    tag: 'Collections',
    access: onOrganization('view'),
    query: pageQuery.extend({
      nested: z.boolean().default(true).meta({ description: 'False lists those of the top level alone.' }),
    }),
    status: 200,
    response: listOf(collectionSchema),
  }),
  getCollectionById: operation({
    method: 'GET',
    path: '/collections/{collectionId}',
    summary: 'Get a collection',
    tag: 'Collections',
    access: onCollection('view'),
    status: 200,
    response: collectionSchema,
  }),
  updateCollectionById: operation({
    method: 'PATCH',
    path: '/collections/{collectionId}',
    summary: 'Update a collection',
    tag: 'Collections',
    access: onCollection('admin'),
    body: z.object({
      title: title.optional(),
      description: z.string().max(100).optional(),
      defaultLevel: defaultLevelSchema.optional(),
    }),
    status: 200,
    response: collectionSchema,
  }),
  deleteCollectionById: operation({
    method: 'DELETE',
    path: '/collections/{collectionId}',
    summary: 'Delete a collection',
    description: 'With the collections in it; the spaces in it go to the trash.',
    tag: 'Collections',
    access: onCollection('admin'),
    status: 205,
  }),
  listSpacesInCollectionById: operation({
    method: 'GET',
    path: '/collections/{collectionId}/spaces',
    summary: 'List the spaces of a collection that the caller may read',
    tag: 'Collections',
    access: onCollection('view'),
    query: pageQuery,
    status: 200,
    response: listOf(spaceSchema),
  }),
  getCurrentRevision: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content',
    summary: 'Get the current revision of a space',
    tag: 'Content',
    access: onSpace('view'),
    query: contentQuery,
    status: 200,
    response: revisionSchema,
    cache: 'versioned',
  }),
  listPages: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/pages',
    summary: 'Get the page tree of a space',
    tag: 'Content',
    access: onSpace('view'),
    query: contentQuery,
    status: 200,
    response: z.object({ pages: z.array(pageSchema) }),
    cache: 'versioned',
  }),
  getPageById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/page/{pageId}',
    summary: 'Get a page',
    description: 'With its body when `format` asks for one.',
    tag: 'Content',
    access: onSpace('view'),
    query: contentQuery.extend({
      format: z
        .enum(['document', 'markdown'])
        .optional()
        .meta({ description: 'The form of the body. Default: no body.' }),
    }),
    status: 200,
    response: pageSchema,
    cache: 'versioned',
  }),
  listFiles: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/files',
    summary: 'List the files of a space',
    tag: 'Content',
    access: onSpace('view'),
    query: pageQuery.extend(contentQuery.shape),
    status: 200,
    response: listOf(fileSchema),
    cache: 'versioned',
  }),
  getFileById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/files/{fileId}',
    summary: 'Get a file',
    tag: 'Content',
    access: onSpace('view'),
    query: contentQuery,
    status: 200,
    response: fileSchema,
    cache: 'versioned',
  }),
  searchSpaceContent: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/search',
    summary: 'Search the pages of a space',
    description: 'Best first; every word must be found, the last one as the beginning of a word.',
    tag: 'Content',
    access: onSpace('view'),
    query: pageQuery.extend({ query: z.string().max(512) }),
    status: 200,
    response: listOf(searchItemSchema),
  }),
  importGitRepository: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/git/import',
    summary: 'Import a Git repository into a space',
    description: 'Starts the import; `git/info` tells how it goes.',
    tag: 'Git sync',
    access: onSpace('triggerGitSync'),
    body: z.object({
      url: z.string().min(1).max(2048).meta({ description: 'May carry basic auth credentials; they are never shown.' }),
      ref: z.string().min(1).max(512).meta({ description: '`refs/heads/<branch>`' }),
      repoCacheID: z.string().min(1).max(256).optional().meta({ description: 'Operations of one id share a clone.' }),
      repoTreeURL: z
        .string()
        .max(2048)
        .optional()
        .meta({ description: 'Prefix of links to files outside the synced folder.' }),
      repoCommitURL: z.string().max(2048).optional().meta({ description: 'Prefix of links to commits.' }),
      repoProjectDirectory: z.string().max(1024).optional().meta({ description: 'Folder that holds `.gitbook.yaml`.' }),
      timestamp: timestampSchema
        .optional()
        .meta({ description: 'Operations older than the last applied one are skipped.' }),
      force: z.boolean().default(false).meta({ description: 'Import also when older, or when nothing changed.' }),
      standalone: z.boolean().default(false).meta({ description: 'Make a revision, leave the primary content.' }),
      gitInfo: z.object({ provider: z.enum(gitProviders), url: z.string().max(2048) }).optional(),
    }),
    status: 204,
  }),
  getSpaceGitInfo: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/git/info',
    summary: 'Get the Git sync state of a space',
    tag: 'Git sync',
    access: onSpace('view'),
    status: 200,
    response: gitInfoSchema,
  }),
});

/** Makes a space of the handbook that ships with the product. */
export const importHandbook = verb<{ organization: string; creator: string }, { space: string }>(
  'content',
  'importHandbook',
);
