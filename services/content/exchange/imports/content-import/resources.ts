import { z } from 'zod';
import type { ResourceKind } from '../../../../../shared/contract/access.js';
import { timestampSchema, urlSchema } from '../../../../../shared/contract/fields.js';
import { rolesFrom } from '../../../../identity/resources.js';

/** An import is there for those who may edit its space. */
export const importKind = {
  service: 'content',
  name: 'import',
  label: 'Import',
  rights: { view: rolesFrom('edit'), cancel: rolesFrom('edit') },
} satisfies ResourceKind;

export const importSources = [
  'website',
  'docx',
  'markdown',
  'html',
  'zip',
  'confluence',
  'github-wiki',
  'notion',
  'google-docs',
] as const;
export type ImportSource = (typeof importSources)[number];

export const importStates = ['pending', 'in-progress', 'completed', 'failed', 'cancelled'] as const;

const counts = {
  importedResources: z.number().int().meta({ description: 'Pages and files that were brought in.' }),
  totalResources: z.number().int().meta({ description: 'Pages and files that were found.' }),
};

const problems = z
  .array(
    z.object({ path: z.string().meta({ description: 'Of the page, its address or its title.' }), message: z.string() }),
  )
  .optional()
  .meta({ description: 'The pages that were left out, and why; at most the first 100.' });

/** The result of a completed import. */
export const importResultSchema = z
  .object({
    revision: z.string(),
    ...counts,
    problems,
    urls: z.object({ location: urlSchema.meta({ description: 'Of the revision.' }) }),
  })
  .meta({ id: 'ImportContentResult' });

export const contentImportSchema = z
  .object({
    object: z.literal('import'),
    id: z.string(),
    space: z.string(),
    changeRequest: z.string().optional(),
    page: z.string().optional().meta({ description: 'The page that the imported ones are below.' }),
    source: z.enum(importSources),
    url: z.string().meta({ description: 'Without credentials and query. The name of a file that was sent.' }),
    state: z.enum(importStates),
    ...counts,
    problems,
    revision: z.string().optional().meta({ description: 'The revision that it made, once it is `completed`.' }),
    error: z
      .object({ code: z.number().int().meta({ description: 'As an HTTP status.' }), message: z.string() })
      .optional()
      .meta({ description: 'Why it `failed`.' }),
    createdBy: z.string().meta({ description: 'The id of a user.' }),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    completedAt: timestampSchema.optional(),
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'ContentImport' });
export type ContentImport = z.output<typeof contentImportSchema>;

export const importRunSchema = z
  .object({
    object: z.literal('import-run'),
    id: z.string(),
    status: z.enum(importStates),
    reason: z.string().optional().meta({ description: 'Why it `failed`.' }),
    source: z.union([
      z.object({ type: z.literal('website'), url: z.string().meta({ description: 'Without credentials and query.' }) }),
      z.object({
        type: z.literal('file'),
        files: z.array(z.string()).meta({ description: 'The key of the file; the name of one that was sent without.' }),
      }),
    ]),
    target: z.object({ space: z.string(), changeRequest: z.string().optional(), page: z.string().optional() }),
    site: z.string().optional().meta({ description: 'The site that it was started for.' }),
    createdBy: z.string().meta({ description: 'The id of a user.' }),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    completedAt: timestampSchema.optional(),
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'ContentImportRun' });
export type ContentImportRun = z.output<typeof importRunSchema>;
