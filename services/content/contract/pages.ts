import { z } from 'zod';
import { encoded } from '../../../shared/contract/encoded.js';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/paging.js';
import {
  bodyFormats,
  embedSchema,
  fileSchema,
  pageSchema,
  reusableContentSchema,
  revisionSchema,
} from '../resources.js';
import { readingSpace } from './access-rules.js';

export const contentQuery = z.object({
  metadata: z.boolean().default(true).meta({ description: 'False leaves out the mutable `git` metadata.' }),
  computed: z.boolean().default(true).meta({ description: 'False leaves computed content as its source.' }),
});

/** How to read a body. */
export const evaluatedQuery = z.object({
  evaluated: z
    .enum(['false', 'true', 'deterministic-only'])
    .default('false')
    .meta({ description: 'Evaluate expressions and `if` blocks. For visitors of a site they are always evaluated.' }),
  dereferenced: z
    .string()
    .max(256)
    .optional()
    .meta({ description: 'Accepted without effect: reusable content has operations of its own.' }),
});

export const pageBodyQuery = contentQuery.extend({
  format: z
    .enum(bodyFormats)
    .optional()
    .meta({
      description:
        'The format of the body. Default: no body. `markdown` can be used outside the space: links are page paths, files have absolute ' +
        'addresses, reusable content is included. `source` is the file byte for byte, in the field `source`; visitors of a site get 403.',
    }),
  ...evaluatedQuery.shape,
});

const embeddedUrl = z
  .string()
  .max(2048)
  .refine((url) => /^https?:\/\//i.test(url) && URL.canParse(url), 'must be an http or https URL');

export const pageOperations = {
  getCurrentRevision: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content',
    summary: 'Get the current revision of a space',
    tag: 'Content',
    access: readingSpace,
    query: contentQuery,
    status: 200,
    response: encoded(revisionSchema),
    cache: 'versioned',
  }),
  listPages: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/pages',
    summary: 'Get the page tree of a space',
    tag: 'Content',
    access: readingSpace,
    query: contentQuery,
    status: 200,
    response: encoded(z.object({ pages: z.array(pageSchema) })),
    cache: 'versioned',
  }),
  getPageById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/page/{pageId}',
    summary: 'Get a page',
    description: 'With its body when `format` names a format.',
    tag: 'Content',
    access: readingSpace,
    query: pageBodyQuery,
    status: 200,
    response: encoded(pageSchema),
    cache: 'versioned',
  }),
  getPageByPath: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/path/{pagePath}',
    summary: 'Get a page by its path',
    description: 'Finds pages and groups. The path is one parameter: write its slashes as `%2F`.',
    tag: 'Content',
    access: readingSpace,
    query: pageBodyQuery,
    status: 200,
    response: encoded(pageSchema),
    cache: 'versioned',
  }),
  getReusableContentById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/reusable-contents/{reusableContentId}',
    summary: 'Get reusable content',
    tag: 'Content',
    access: readingSpace,
    query: contentQuery,
    status: 200,
    response: reusableContentSchema,
    cache: 'versioned',
  }),
  listFiles: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/content/files',
    summary: 'List the files of a space',
    tag: 'Content',
    access: readingSpace,
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
    access: readingSpace,
    query: contentQuery,
    status: 200,
    response: fileSchema,
    cache: 'versioned',
  }),
  getEmbedByUrlInSpace: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/embed',
    summary: 'Get the embed of a URL',
    description: 'Made from the URL only: no request is sent to its site.',
    tag: 'Content',
    access: readingSpace,
    query: z.object({ url: embeddedUrl }),
    status: 200,
    response: embedSchema,
  }),
};
