import { z } from 'zod';
import { exampleId } from '../../../../shared/contract/examples.js';
import { urlSchema } from '../../../../shared/contract/fields.js';
import { operation } from '../../../../shared/contract/operation.js';
import {
  gitHosts,
  gitInstallationKind,
  gitInstallationSchema,
  installationTargetSchema,
  syncDirections,
  syncPriorities,
} from '../resources.js';

const tag = 'Git sync';

const onInstallation = (need: keyof typeof gitInstallationKind.rights) =>
  ({ caller: ['user'], on: gitInstallationKind, id: 'installationId', need }) as const;

const secret = (max: number) => z.string().min(1).max(max);

const hostId = z.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional();

const providerConfiguration = z
  .strictObject({
    repositoryUrl: z
      .string()
      .min(1)
      .max(2048)
      .optional()
      .meta({ description: 'http(s)://, or ssh:// with a deploy key. Without credentials.' }),
    repositoryId: hostId.meta({ description: 'Of GitHub or Gitea, in place of `repositoryUrl`.' }),
    projectId: hostId.meta({ description: 'Of GitLab, in place of `repositoryUrl`.' }),
    customInstanceURL: urlSchema
      .nullable()
      .optional()
      .meta({ description: 'Address of a GitLab of your own, for `projectId`; gitlab.com by default.' }),
    branch: z
      .string()
      .regex(/^refs\/heads\/.+$/, 'must be refs/heads/<branch>')
      .max(512)
      .optional(),
    username: z.string().min(1).max(256).nullable().optional().meta({ description: 'Of the `accessToken`.' }),
    accessToken: secret(4096).nullable().optional(),
    deployKey: z
      .literal('generate')
      .nullable()
      .optional()
      .meta({ description: 'Makes a key pair for ssh; `publicKey` of the answer is what the repository needs.' }),
  })
  .meta({ description: 'Absent fields stay as they are; null clears.' });

/** The fields of a connection that its people set. */
export const installationSetup = {
  providerConfiguration: providerConfiguration.optional(),
  projectDirectory: z.string().max(1024).optional().meta({ description: 'The folder that holds `.gitbook.yaml`.' }),
  commitMessageTemplate: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: 'May name `{change_request_number}` and `{change_request_subject}`.' }),
  previewExternalBranches: z.boolean().optional().meta({ description: 'Pull requests get previews.' }),
  priority: z
    .enum(syncPriorities)
    .optional()
    .meta({ description: 'The side whose content the next sync takes, where both have content and share none.' }),
  direction: z.enum(syncDirections).optional(),
  agentInstructions: z
    .array(z.unknown())
    .max(0, 'not supported; commit AGENTS.md or CLAUDE.md to the repository, syncs leave them as they are')
    .optional()
    .meta({ description: 'Files for agents are not written by syncs.' }),
  paused: z.boolean().optional(),
};

export const installationOperations = {
  installGitSyncProviderOnTarget: operation({
    method: 'POST',
    path: '/git/installations',
    summary: 'Connect a space with a Git repository',
    description: 'A space has one connection at most. It begins to sync when it has a repository and a branch.',
    tag,
    access: { caller: ['user'] },
    body: z
      .object({ provider: z.enum(gitHosts), target: installationTargetSchema, ...installationSetup })
      .meta({ examples: [{ provider: 'github', target: { type: 'space', spaceId: exampleId('space') } }] }),
    status: 201,
    response: gitInstallationSchema,
  }),
  getGitSyncInstallationById: operation({
    method: 'GET',
    path: '/git/installations/{installationId}',
    summary: 'Get the connection of a space with a Git repository',
    tag,
    access: onInstallation('view'),
    status: 200,
    response: gitInstallationSchema,
  }),
  updateGitSyncInstallationById: operation({
    method: 'PATCH',
    path: '/git/installations/{installationId}',
    summary: 'Configure the connection of a space with a Git repository',
    description: 'Then both sides are synced.',
    tag,
    access: onInstallation('admin'),
    body: z
      .object({
        provider: z.enum(gitHosts).optional(),
        ...installationSetup,
        rotateWebhookSecret: z.literal(true).optional().meta({ description: 'Makes a new secret; the answer has it.' }),
      })
      .meta({
        examples: [
          {
            provider: 'github',
            providerConfiguration: { repositoryUrl: 'https://github.com/acme/docs.git', branch: 'refs/heads/main' },
          },
        ],
      }),
    status: 200,
    response: gitInstallationSchema,
  }),
  syncGitInstallation: operation({
    method: 'POST',
    path: '/git/installations/{installationId}/sync',
    summary: 'Sync a space with its Git repository now',
    description: 'With `priority`, one side becomes as the other is, whatever waits to be settled.',
    tag,
    access: onInstallation('admin'),
    body: z
      .object({ priority: z.enum(syncPriorities).optional() })
      .default({})
      .meta({ examples: [{}] }),
    status: 204,
  }),
  uninstallGitSyncInstallation: operation({
    method: 'DELETE',
    path: '/git/installations/{installationId}',
    summary: 'End the connection of a space with a Git repository',
    description: 'Both sides stay as they are.',
    tag,
    access: onInstallation('admin'),
    status: 205,
  }),
};
