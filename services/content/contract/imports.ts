import { z } from 'zod';
import { timestampSchema, webUrlSchema } from '../../../shared/contract/fields.js';
import { operation } from '../../../shared/contract/operation.js';
import { gitInfoSchema, gitProviders } from '../resources.js';
import { onSpace } from './access-rules.js';

export const importOperations = {
  importGitRepository: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/git/import',
    summary: 'Import a Git repository into a space',
    description: 'Starts the import; `git/info` shows its progress.',
    tag: 'Git sync',
    access: onSpace('triggerGitSync'),
    body: z
      .object({
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
        repoTreeURL: webUrlSchema
          .optional()
          .meta({ description: 'Prefix of links to files outside the synced folder.' }),
        repoCommitURL: webUrlSchema.optional().meta({ description: 'Prefix of links to commits.' }),
        repoProjectDirectory: z
          .string()
          .max(1024)
          .optional()
          .meta({ description: 'The folder that contains `.gitbook.yaml`.' }),
        timestamp: timestampSchema
          .optional()
          .meta({ description: 'An operation older than the last applied one is skipped.' }),
        force: z
          .boolean()
          .default(false)
          .meta({ description: 'Import even when the operation is older, or when nothing changed.' }),
        standalone: z
          .boolean()
          .default(false)
          .meta({ description: 'Make a revision without changing the primary content.' }),
        gitInfo: z.object({ provider: z.enum(gitProviders), url: webUrlSchema }).optional(),
      })
      .meta({ examples: [{ url: 'https://github.com/octocat/Spoon-Knife.git', ref: 'refs/heads/main' }] }),
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
};
