import { z } from 'zod';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/paging.js';
import { fileSchema, pageSchema, revisionSchema, searchItemSchema } from '../resources.js';
import { onSpace } from './access.js';

const contentQuery = z.object({
  metadata: z.boolean().default(true).meta({ description: 'False leaves out the mutable `git` metadata.' }),
  computed: z.boolean().default(true).meta({ description: 'False leaves computed content as its source.' }),
});

export const pageOperations = {
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
};
