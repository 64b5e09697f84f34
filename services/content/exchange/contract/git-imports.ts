import { z } from 'zod';
import { operation } from '../../../../shared/contract/operation.js';
import { onSpace } from '../../core/contract/access-rules.js';
import { gitInfoSchema } from '../../core/resources.js';
import { gitFields } from './fields.js';

export const importOperations = {
  importGitRepository: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/git/import',
    summary: 'Import a Git repository into a space',
    description: 'Starts the import; `git/info` shows its progress.',
    tag: 'Git sync',
    access: onSpace('triggerGitSync', 'space:git:sync'),
    body: z
      .object({
        ...gitFields,
        force: z
          .boolean()
          .default(false)
          .meta({ description: 'Import even when the operation is older, or when nothing changed.' }),
        standalone: z
          .boolean()
          .default(false)
          .meta({ description: 'Make a revision without changing the primary content.' }),
      })
      .meta({ examples: [{ url: 'https://github.com/octocat/Spoon-Knife.git', ref: 'refs/heads/main' }] }),
    status: 204,
  }),
  deleteLegacyGitInstallation: operation({
    method: 'DELETE',
    path: '/spaces/{spaceId}/git/legacy-installation',
    summary: 'Remove the Git installation of earlier versions of the public API',
    description: 'No space has one: what imports and exports noted stays.',
    tag: 'Git sync',
    access: onSpace('admin'),
    status: 204,
  }),
  getSpaceGitInfo: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/git/info',
    summary: 'Get the Git sync state of a space',
    tag: 'Git sync',
    access: onSpace('view', 'space:git:sync'),
    status: 200,
    response: gitInfoSchema,
  }),
};
