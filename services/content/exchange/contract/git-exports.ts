import { z } from 'zod';
import { operation } from '../../../../shared/contract/operation.js';
import { onSpace } from '../../core/contract/access-rules.js';
import { gitFields } from './fields.js';

export const exportOperations = {
  exportToGitRepository: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/git/export',
    summary: 'Export a space to a Git repository',
    description:
      'Starts the export of what changed since the space and the branch were last the same; `git/info` shows its progress.',
    tag: 'Git sync',
    access: onSpace('triggerGitSync', 'space:git:sync'),
    body: z
      .object({
        ...gitFields,
        commitMessage: z
          .string()
          .min(1)
          .max(10_000)
          .refine((message) => message.trim() !== '', 'must not be empty')
          .meta({
            description:
              'May contain `{change_request_number}` and `{change_request_subject}`, of the change request whose merge is exported.',
          }),
        force: z.boolean().default(false).meta({
          description:
            'Export even when the operation is older, and write what both sides changed as the space has it.',
        }),
      })
      .meta({
        examples: [
          {
            url: 'https://github.com/octocat/Spoon-Knife.git',
            ref: 'refs/heads/main',
            commitMessage: 'GITBOOK-{change_request_number}: {change_request_subject}',
          },
        ],
      }),
    status: 204,
  }),
};
