import { z } from 'zod';
import { timestampSchema, webUrlSchema } from '../../../../shared/contract/fields.js';
import { gitProviders } from '../../core/resources.js';

/** Fields of the body of each operation with a Git repository. */
export const gitFields = {
  url: z
    .string()
    .min(1)
    .max(2048)
    .meta({ description: 'May contain basic auth credentials; they are never returned.' }),
  ref: z.string().min(1).max(512).meta({ description: '`refs/heads/<branch>`' }),
  repoCacheID: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .meta({ description: 'Operations with the same id share a clone.' }),
  repoTreeURL: webUrlSchema.optional().meta({ description: 'Prefix of links to files outside the synced folder.' }),
  repoCommitURL: webUrlSchema.optional().meta({ description: 'Prefix of links to commits.' }),
  repoProjectDirectory: z
    .string()
    .max(1024)
    .optional()
    .meta({ description: 'The folder that contains `.gitbook.yaml`.' }),
  timestamp: timestampSchema
    .optional()
    .meta({ description: 'An operation older than the last applied one is skipped.' }),
  gitInfo: z.object({ provider: z.enum(gitProviders), url: webUrlSchema }).optional(),
};

/** The body of any operation with a Git repository, as far as all have it. */
export type GitFields = z.output<z.ZodObject<typeof gitFields>> & { force: boolean };
