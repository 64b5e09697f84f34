import { z } from 'zod';
import { by } from '../../../../shared/contract/access.js';
import { urlSchema } from '../../../../shared/contract/fields.js';
import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { onOrganization } from '../../../identity/resources.js';
import { changingContent } from '../../core/contract/access-rules.js';
import { uploadKeySchema } from '../../core/resources.js';
import { fileNameSchema } from '../../writing/contract/changes.js';
import { contentImportSchema, importKind, importResultSchema, importSources } from '../resources.js';

const givenFile = z.object({
  name: fileNameSchema,
  base64: z.string().min(1).max(32_000_000).meta({ description: 'Its content, at most 24 MB.' }),
});

const importing = {
  method: 'POST',
  access: changingContent('edit'),
  body: z
    .object({
      url: urlSchema.optional().meta({
        description: 'An http(s) address that needs no account. It may contain basic auth credentials.',
      }),
      file: z
        .union([givenFile, z.object({ key: uploadKeySchema })])
        .optional()
        .meta({
          description:
            'The file itself in place of `url`, or the key of one that was uploaded as `import_file`: for all sources but `website` and `github-wiki`.',
        }),
      source: z.enum(importSources).meta({ description: 'What is found there.' }),
    })
    .meta({ examples: [{ url: 'https://example.com/guide.md', source: 'markdown' }] }),
  bodyLimit: 32 * 1024 * 1024,
  status: 201,
  response: z.union([importResultSchema, contentImportSchema]),
  accepted: contentImportSchema,
} as const;

const description =
  'Adds the pages at the end and makes a new revision. An import that takes longer than a request may is answered 202 and goes on: `Location` shows its progress.';

const onImport = (need: keyof typeof importKind.rights) =>
  ({ ...by(['user'], 'space:content:write'), on: importKind, id: 'importId', need, within: 'organizationId' }) as const;

export const contentImportOperations = {
  importContent: operation({
    ...importing,
    path: '/spaces/{spaceId}/content/import',
    summary: 'Import content from a URL into a space',
    description: `${description} The pages are there for all readers at once, also where the space is locked.`,
    tag: 'Content',
  }),
  importContentInPageById: operation({
    ...importing,
    path: '/spaces/{spaceId}/content/page/{pageId}/import',
    summary: 'Import content from a URL below a page',
    description: `${description} The pages become the last ones below the page.`,
    tag: 'Content',
  }),
  importContentInChangeRequest: operation({
    ...importing,
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/import',
    summary: 'Import content from a URL into a change request',
    description,
    tag: 'Change requests',
  }),
  importContentInChangeRequestPageById: operation({
    ...importing,
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/import',
    summary: 'Import content from a URL below a page of a change request',
    description: `${description} The pages become the last ones below the page.`,
    tag: 'Change requests',
  }),
  listContentImports: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/imports',
    summary: 'List the imports of content from URLs',
    description: 'The latest first: those into spaces that the caller may edit.',
    tag: 'Content',
    access: onOrganization('view', 'space:content:write'),
    query: pageQuery.extend({
      space: z.string().min(1).max(100).optional().meta({ description: 'Only imports into this space.' }),
    }),
    status: 200,
    response: listOf(contentImportSchema),
  }),
  getContentImport: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/imports/{importId}',
    summary: 'Get an import of content from a URL',
    tag: 'Content',
    access: onImport('view'),
    status: 200,
    response: contentImportSchema,
  }),
  cancelContentImport: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/imports/{importId}',
    summary: 'Cancel an import of content from a URL',
    description: 'It ends as `cancelled` and leaves nothing behind. One that has ended already is 409.',
    tag: 'Content',
    access: onImport('cancel'),
    status: 204,
  }),
};
