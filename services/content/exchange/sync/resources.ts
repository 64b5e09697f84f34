import { z } from 'zod';
import type { ResourceKind } from '../../../../shared/contract/access.js';
import { timestampSchema, urlSchema } from '../../../../shared/contract/fields.js';
import { rolesFrom } from '../../../identity/resources.js';
import { conflictKinds } from '../../writing/merging/resources.js';

/** The connection of a space with a repository is there for those who may trigger Git sync. */
export const gitInstallationKind = {
  service: 'content',
  name: 'gitInstallation',
  label: 'Git installation',
  rights: { view: rolesFrom('create'), admin: rolesFrom('create') },
} satisfies ResourceKind;

export const gitHosts = ['github', 'gitlab', 'gitea', 'bitbucket', 'git'] as const;
export type GitHost = (typeof gitHosts)[number];

export const syncDirections = ['both', 'import', 'export'] as const;
export const syncPriorities = ['git', 'gitbook'] as const;
export const syncStates = ['pending', 'syncing', 'connected', 'conflict', 'broken', 'paused'] as const;

const siteIsNoTarget = 'not supported; connect each space of the site, with a projectDirectory of its own';

export const installationTargetSchema = z.object({
  type: z.literal('space', { error: siteIsNoTarget }),
  spaceId: z.string().min(1).max(100),
  siteId: z.undefined({ error: siteIsNoTarget }).optional(),
});

export const heldItemSchema = z.object({
  kind: z.enum(conflictKinds),
  id: z.string(),
  title: z.string(),
  path: z.string().optional().meta({ description: 'Of a page.' }),
});

export const gitInstallationSchema = z
  .object({
    object: z.literal('git-sync-installation'),
    id: z.string(),
    provider: z.enum(gitHosts),
    providerConfiguration: z
      .object({
        repositoryUrl: z.string().optional().meta({ description: 'Without credentials.' }),
        repositoryId: z
          .number()
          .optional()
          .meta({ description: 'Where it was chosen by its number; of GitLab, `projectId`.' }),
        projectId: z.number().optional(),
        customInstanceURL: z.string().optional(),
        branch: z.string().optional(),
        username: z.string().optional(),
        publicKey: z
          .string()
          .optional()
          .meta({ description: 'Of the deploy key, to be added to the repository; it needs the right to push.' }),
      })
      .meta({ description: 'Tokens and private keys are never returned.' }),
    projectDirectory: z.string().optional(),
    commitMessageTemplate: z.string(),
    previewExternalBranches: z.boolean(),
    direction: z.enum(syncDirections),
    priority: z
      .enum(syncPriorities)
      .optional()
      .meta({ description: 'The side that the next sync takes as it is; absent when none is to be preferred.' }),
    target: installationTargetSchema,
    status: z.enum(['active', 'pending', 'unauthenticated']),
    state: z.enum(syncStates).meta({
      description:
        '`pending`: not configured, or it needs a `priority`. `conflict`: something waits to be settled. `broken`: the last sync failed; it is tried again.',
    }),
    error: z.string().optional().meta({ description: 'Why it is `broken`, `pending` or in conflict, for people.' }),
    conflicts: z.array(heldItemSchema).meta({ description: 'What both sides changed differently.' }),
    changeRequest: z
      .string()
      .optional()
      .meta({ description: 'Holds what the branch says in place of what is in conflict.' }),
    repositoryConnection: z
      .object({
        object: z.literal('git-repository-connection'),
        id: z.string(),
        provider: z.enum(gitHosts),
        repositoryId: z.string(),
        repositoryName: z.string(),
        repositoryUrl: urlSchema,
        authState: z.enum(['pending', 'active', 'unauthenticated']),
        capabilities: z.object({ pullRequests: z.boolean(), commitStatuses: z.boolean() }),
        createdAt: timestampSchema,
        updatedAt: timestampSchema,
      })
      .optional(),
    repositoryRef: z
      .object({
        object: z.literal('git-repository-ref'),
        id: z.string(),
        name: z.string(),
        type: z.literal('branch'),
        latestObservedCommitId: z.string().optional(),
        latestImportedCommitId: z.string().optional(),
        updatedAt: timestampSchema,
      })
      .optional(),
    webhook: z
      .object({
        url: urlSchema.meta({ description: 'The repository sends its pushes there.' }),
        secret: z.string().optional().meta({ description: 'Only when it was made; it signs what is sent.' }),
      })
      .meta({ description: 'Without a webhook, pushes are noticed by looking, after a minute up to half an hour.' }),
    lastSyncAt: timestampSchema.optional(),
    createdAt: timestampSchema,
    createdBy: z.string(),
    updatedAt: timestampSchema,
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'GitSyncInstallation' });
export type GitInstallation = z.output<typeof gitInstallationSchema>;
