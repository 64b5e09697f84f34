import { z } from 'zod';
import { by } from '../../../../shared/contract/access.js';
import { exampleId } from '../../../../shared/contract/examples.js';
import { urlSchema } from '../../../../shared/contract/fields.js';
import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { onOrganization } from '../../../identity/resources.js';
import { uploadKeySchema } from '../../core/resources.js';
import { importKind, importRunSchema, importStates } from '../resources.js';

const tag = 'Content';
const runs = '/org/{organizationId}/imports';
const run = `${runs}/{importRunId}` as const;
const scope = 'space:content:write';
const id = z.string().min(1).max(100);

const onRun = (need: keyof typeof importKind.rights) =>
  ({ ...by(['user'], scope), on: importKind, id: 'importRunId', need, within: 'organizationId' }) as const;

export const importRunOperations = {
  startImportRun: operation({
    method: 'POST',
    path: runs,
    summary: 'Start an import of a website or an uploaded file',
    description: 'Into a space that the caller may edit. It is answered at once, and goes on.',
    tag,
    access: onOrganization('view', scope),
    body: z
      .object({
        source: z.union([
          z.object({ type: z.literal('website'), url: urlSchema }),
          z.object({
            type: z.literal('file'),
            files: z.array(uploadKeySchema).length(1, 'must have one file; start a run for each').meta({
              description: 'The key of a file that was uploaded as `import_file`: Markdown, HTML, Word or a ZIP.',
            }),
          }),
        ]),
        target: z.object({
          space: id,
          changeRequest: id.optional().meta({ description: 'Its id or number.' }),
          page: id.optional().meta({ description: 'The page that the imported ones come below.' }),
        }),
        site: id
          .optional()
          .meta({ description: 'Lists it among the imports of this site, whether or not that shows the space.' }),
        enhance: z.boolean().optional().meta({ description: 'Has no effect: content is imported as it is.' }),
      })
      .meta({
        examples: [
          { source: { type: 'website', url: 'https://example.com/docs' }, target: { space: exampleId('space') } },
        ],
      }),
    status: 201,
    response: importRunSchema,
  }),
  listImportRuns: operation({
    method: 'GET',
    path: runs,
    summary: 'List the import runs of an organization',
    description: 'The latest first: those into spaces that the caller may edit.',
    tag,
    access: onOrganization('view', scope),
    query: pageQuery.extend({
      space: id.optional().meta({ description: 'Only runs into this space.' }),
      changeRequest: id.optional().meta({ description: 'Only runs into the change request with this id.' }),
      site: id.optional().meta({ description: 'Only runs into spaces of this site, or started for it.' }),
      status: z
        .enum(['active', ...importStates])
        .optional()
        .meta({ description: '`active`: `pending` or `in-progress`.' }),
    }),
    status: 200,
    response: listOf(importRunSchema),
  }),
  getImportRun: operation({
    method: 'GET',
    path: run,
    summary: 'Get an import run',
    tag,
    access: onRun('view'),
    status: 200,
    response: importRunSchema,
  }),
  cancelImportRun: operation({
    method: 'POST',
    path: `${run}/cancel`,
    summary: 'Cancel an import run',
    description: 'It leaves nothing behind. One that has ended already is 409.',
    tag,
    access: onRun('cancel'),
    status: 200,
    response: importRunSchema,
  }),
};
