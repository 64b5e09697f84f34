import { z } from 'zod';
import { organizationSchema, userSchema } from '../../../identity/resources.js';
import { changeRequestSchema } from '../../core/change-requests/resources.js';
import { collectionSchema, spaceSchema } from '../../core/nodes/resources.js';
import { fileSchema, pageSchema, reusableContentSchema } from '../../core/revisions/resources.js';
import { specSchema } from '../../openapi/resources.js';
import { revisionSchema } from '../pages/resources.js';

export const referenceStatuses = ['ok', 'broken', 'in-app'] as const;
export const referenceRelations = ['reference', 'dependsOn'] as const;
export const brokenContexts = ['change-request', 'space'] as const;

const versionContextSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('revision'), revision: revisionSchema }),
    z.object({ type: z.literal('changeRequest'), changeRequest: changeRequestSchema }),
  ])
  .meta({
    description: 'The content that was read. A revision is named without its pages, files and reusable content.',
  });

const inSpace = {
  organization: organizationSchema,
  space: spaceSchema,
  versionContext: versionContextSchema.optional(),
};
const internalLocation = z
  .object({ type: z.literal('anchor'), anchor: z.string() })
  .optional()
  .meta({ description: 'The section; absent for a place before the first heading, or for the whole page.' });
const lightPage = pageSchema.meta({ description: 'Without its body and the pages below it.' });

/** The target of a link, or the place where it stands. */
export const contentLocationSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('page'), ...inSpace, page: lightPage, internalLocation }),
    z.object({
      kind: z.literal('file'),
      ...inSpace,
      file: fileSchema,
      page: lightPage.optional().meta({ description: 'In backlinks of a file: the page that uses it.' }),
      reusableContent: reusableContentSchema
        .optional()
        .meta({ description: 'In backlinks of a file: the reusable content that uses it.' }),
      internalLocation,
    }),
    z.object({ kind: z.literal('reusable-content'), ...inSpace, reusableContent: reusableContentSchema }),
    z.object({ kind: z.literal('space'), organization: organizationSchema, space: spaceSchema }),
    z.object({ kind: z.literal('collection'), organization: organizationSchema, collection: collectionSchema }),
    z.object({ kind: z.literal('openapi'), organization: organizationSchema, openAPISpec: specSchema }),
    z.object({ kind: z.literal('user'), user: userSchema }),
    z.object({ kind: z.literal('url'), url: z.string() }),
  ])
  .meta({ id: 'ContentLocation' });
export type ContentLocation = z.output<typeof contentLocationSchema>;

export const referenceUsageSchema = z
  .object({
    status: z.enum(referenceStatuses),
    relation: z
      .enum(referenceRelations)
      .meta({ description: '`dependsOn`: the target is part of the content, as reusable content is.' }),
    url: z.string().meta({ description: 'The address as its first place writes it.' }),
    targetReference: contentLocationSchema
      .optional()
      .meta({ description: 'Absent where the target does not exist, or the caller may not see it.' }),
    locations: z.number().int().meta({ description: 'Number of all places that use the target.' }),
    locationReferences: z
      .array(contentLocationSchema)
      .meta({ description: 'The first of these places: at most 100 of one target, and about 2,000 in an answer.' }),
  })
  .meta({ id: 'ContentReferenceUsage' });

export const referencesStatsSchema = z
  .object({
    total: z.number().int().meta({ description: 'Number of targets.' }),
    broken: z.object({
      total: z.number().int().meta({ description: 'Number of targets that do not exist.' }),
      changeRequest: z
        .number()
        .int()
        .optional()
        .meta({ description: 'Those of them that are not broken in the content that the change request is based on.' }),
    }),
  })
  .meta({ id: 'ContentReferencesStats', description: 'Counts all targets, whatever `status` the list is of.' });
export type ReferencesStats = z.output<typeof referencesStatsSchema>;
