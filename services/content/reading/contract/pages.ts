import { z } from 'zod';
import { operationsAtPlaces } from '../../../../shared/contract/at-places.js';
import { encodedAnswer } from '../../../../shared/contract/encoded.js';
import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { readingSpace } from '../../core/contract/access-rules.js';
import { fileSchema, metaLinksSchema, pageSchema, reusableContentSchema } from '../../core/resources.js';
import { documentSchema } from '../../format/resources.js';
import { bodyFormats, revisionSchema } from '../resources.js';
import { readPlaces } from './places.js';

const contentQuery = z.object({
  metadata: z.boolean().default(true).meta({ description: 'False leaves out the mutable `git` metadata.' }),
  computed: z.boolean().default(true).meta({ description: 'False leaves computed content as its source.' }),
});

/** How to read a body. */
const evaluatedQuery = z.object({
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

const pageBodyQuery = contentQuery.extend({
  format: z
    .enum(bodyFormats)
    .optional()
    .meta({
      description:
        'The format of the body. Default: no body. `markdown` can be used outside the space: links are page paths, files and other ' +
        'spaces have absolute addresses, reusable content is included. `source` is the file byte for byte, in the field `source`; visitors of a site get 403.',
    }),
  ...evaluatedQuery.shape,
});

const get = { method: 'GET', status: 200 } as const;

/** The operations that read content in each place, by their operationId for the current content. */
export const reads = operationsAtPlaces(readPlaces, {
  getCurrentRevision: {
    ids: {
      current: 'getCurrentRevision',
      revision: 'getRevisionById',
      changeRequest: 'getRevisionOfChangeRequestById',
    },
    ...get,
    path: '',
    summary: (place) => `Get the content of ${place}`,
    description: 'A revision: page tree, files and reusable content.',
    query: contentQuery,
    response: encodedAnswer(revisionSchema),
  },
  listPages: {
    ids: { current: 'listPages', revision: 'listPagesInRevisionById', changeRequest: 'listPagesInChangeRequest' },
    ...get,
    path: '/pages',
    summary: (place) => `Get the page tree of ${place}`,
    query: contentQuery,
    response: encodedAnswer(z.object({ pages: z.array(pageSchema) })),
  },
  getPageById: {
    ids: { current: 'getPageById', revision: 'getPageInRevisionById', changeRequest: 'getPageInChangeRequestById' },
    ...get,
    path: '/page/{pageId}',
    summary: (place) => `Get a page of ${place}`,
    description: 'With its body when `format` names a format.',
    query: pageBodyQuery,
    response: encodedAnswer(pageSchema),
  },
  getPageByPath: {
    ids: {
      current: 'getPageByPath',
      revision: 'getPageInRevisionByPath',
      changeRequest: 'getPageInChangeRequestByPath',
    },
    ...get,
    path: '/path/{pagePath}',
    summary: (place) => `Get a page of ${place} by its path`,
    description:
      'Finds pages and groups. The path is the rest of the address, with its slashes as they are or as `%2F`.',
    query: pageBodyQuery,
    response: encodedAnswer(pageSchema),
  },
  getPageDocumentById: {
    ids: {
      current: 'getPageDocumentById',
      revision: 'getPageDocumentInRevisionById',
      changeRequest: 'getPageDocumentInChangeRequestById',
    },
    ...get,
    path: '/page/{pageId}/document',
    summary: (place) => `Get the document of a page of ${place}`,
    query: evaluatedQuery,
    response: encodedAnswer(documentSchema),
    cacheIn: { revision: 'immutable' },
  },
  listSpacePageMetaLinks: {
    ids: {
      current: 'listSpacePageMetaLinks',
      revision: 'listRevisionPageMetaLinks',
      changeRequest: 'listChangeRequestPageMetaLinks',
    },
    ...get,
    path: '/page/{pageId}/meta-links',
    summary: (place) => `List the meta links of a page of ${place}`,
    description:
      'What search engines are told of the page: its original, and pages that say the same, mostly in other languages. They are `metaLinks` in its front matter; what leads to no page is left out.',
    query: z.object({}),
    response: metaLinksSchema,
  },
  listFiles: {
    ids: { current: 'listFiles', revision: 'listFilesInRevisionById', changeRequest: 'listFilesInChangeRequestById' },
    ...get,
    path: '/files',
    summary: (place) => `List the files of ${place}`,
    query: pageQuery.extend(contentQuery.shape),
    response: listOf(fileSchema),
  },
  getFileById: {
    ids: { current: 'getFileById', revision: 'getFileInRevisionById', changeRequest: 'getFileInChangeRequestById' },
    ...get,
    path: '/files/{fileId}',
    summary: (place) => `Get a file of ${place}`,
    query: contentQuery,
    response: fileSchema,
  },
  getReusableContentById: {
    ids: {
      current: 'getReusableContentById',
      revision: 'getReusableContentInRevisionById',
      changeRequest: 'getReusableContentInChangeRequestById',
    },
    ...get,
    path: '/reusable-contents/{reusableContentId}',
    summary: (place) => `Get reusable content of ${place}`,
    query: contentQuery,
    response: reusableContentSchema,
    cacheIn: { revision: 'immutable' },
  },
  getReusableContentDocumentById: {
    ids: {
      current: 'getReusableContentDocumentById',
      revision: 'getReusableContentDocumentInRevisionById',
      changeRequest: 'getReusableContentDocumentInChangeRequestById',
    },
    ...get,
    path: '/reusable-contents/{reusableContentId}/document',
    summary: (place) => `Get the document of reusable content of ${place}`,
    query: evaluatedQuery,
    response: encodedAnswer(documentSchema),
    cacheIn: { revision: 'immutable' },
  },
});

export const pageOperations = {
  ...reads.operations,
  getDocumentById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/documents/{documentId}',
    summary: 'Get a document of a space',
    description: 'The body of a page or of reusable content, by its `documentId`.',
    tag: 'Content',
    access: readingSpace,
    query: z.object({
      schema: z.enum(['current', 'next']).default('current').meta({ description: 'Accepted without effect.' }),
    }),
    status: 200,
    response: encodedAnswer(documentSchema),
    cache: 'versioned',
  }),
};
