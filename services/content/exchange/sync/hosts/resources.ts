import { z } from 'zod';

export const hostRepositorySchema = z.object({
  id: z.number().meta({ description: '`repositoryId`, or `projectId`, of the configuration of a connection.' }),
  accountName: z.string(),
  repositoryName: z.string(),
  fullName: z.string(),
  defaultBranch: z.string().nullable(),
});
export type HostRepository = z.output<typeof hostRepositorySchema>;

export const hostBranchSchema = z.object({
  name: z.string(),
  ref: z.string().meta({ description: '`branch` of the configuration of a connection.' }),
});
export type HostBranch = z.output<typeof hostBranchSchema>;

export const hostFileSchema = z.object({ name: z.string(), path: z.string(), sha: z.string(), size: z.number() });
export type HostFile = z.output<typeof hostFileSchema>;
