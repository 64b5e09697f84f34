import { z } from 'zod';
import { encoded } from '../../../shared/contract/encoded.js';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/paging.js';
import { documentSchema, fileSchema, pageSchema, reusableContentSchema, revisionSchema } from '../resources.js';
import { readingSpace } from './access-rules.js';
import { contentQuery, evaluatedQuery, pageBodyQuery } from './pages.js';

const tag = 'Revisions';
const revision = '/spaces/{spaceId}/revisions/{revisionId}';
const shared = { method: 'GET', tag, access: readingSpace, status: 200 } as const;

export const revisionOperations = {
  getRevisionById: operation({
    ...shared,
    path: revision,
    summary: 'Get a revision',
    description:
      'Visitors of a site read the current revision only. The id of the one before it gives them the current one; older ones are 404.',
    query: contentQuery,
    response: encoded(revisionSchema),
    cache: 'versioned',
  }),
  listPagesInRevisionById: operation({
    ...shared,
    path: `${revision}/pages`,
    summary: 'Get the page tree of a revision',
    query: contentQuery,
    response: encoded(z.object({ pages: z.array(pageSchema) })),
    cache: 'versioned',
  }),
  getPageInRevisionById: operation({
    ...shared,
    path: `${revision}/page/{pageId}`,
    summary: 'Get a page of a revision',
    description: 'With its body when `format` names a format.',
    query: pageBodyQuery,
    response: encoded(pageSchema),
    cache: 'versioned',
  }),
  getPageInRevisionByPath: operation({
    ...shared,
    path: `${revision}/path/{pagePath}`,
    summary: 'Get a page of a revision by its path',
    description: 'Finds pages and groups. The path is one parameter: write its slashes as `%2F`.',
    query: pageBodyQuery,
    response: encoded(pageSchema),
    cache: 'versioned',
  }),
  getPageDocumentInRevisionById: operation({
    ...shared,
    path: `${revision}/page/{pageId}/document`,
    summary: 'Get the document of a page of a revision',
    query: evaluatedQuery,
    response: encoded(documentSchema),
    cache: 'immutable',
  }),
  listFilesInRevisionById: operation({
    ...shared,
    path: `${revision}/files`,
    summary: 'List the files of a revision',
    query: pageQuery.extend(contentQuery.shape),
    response: listOf(fileSchema),
    cache: 'versioned',
  }),
  getFileInRevisionById: operation({
    ...shared,
    path: `${revision}/files/{fileId}`,
    summary: 'Get a file of a revision',
    query: contentQuery,
    response: fileSchema,
    cache: 'versioned',
  }),
  getReusableContentInRevisionById: operation({
    ...shared,
    path: `${revision}/reusable-contents/{reusableContentId}`,
    summary: 'Get reusable content of a revision',
    query: contentQuery,
    response: reusableContentSchema,
    cache: 'immutable',
  }),
  getReusableContentDocumentInRevisionById: operation({
    ...shared,
    path: `${revision}/reusable-contents/{reusableContentId}/document`,
    summary: 'Get the document of reusable content of a revision',
    query: evaluatedQuery,
    response: encoded(documentSchema),
    cache: 'immutable',
  }),
  getDocumentById: operation({
    ...shared,
    path: '/spaces/{spaceId}/documents/{documentId}',
    summary: 'Get a document of a space',
    description: 'The body of a page or of reusable content, by its `documentId`.',
    tag: 'Content',
    query: z.object({
      schema: z.enum(['current', 'next']).default('current').meta({ description: 'Accepted without effect.' }),
    }),
    response: encoded(documentSchema),
    cache: 'versioned',
  }),
};
