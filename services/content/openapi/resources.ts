import { z } from 'zod';
import type { ResourceKind } from '../../../shared/contract/access.js';
import { permissionsSchema, timestampSchema, urlSchema } from '../../../shared/contract/fields.js';
import { organizationKind } from '../../identity/resources.js';

export const visibilities = ['private', 'public'] as const;
export const processingStates = ['pending', 'progress', 'complete'] as const;
export const processErrorCodes = ['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR'] as const;

/** The rights on the specifications of an organization, by the role in it; `visitor` is one of its sites. */
export const specKind = {
  service: 'content',
  name: 'openapi',
  label: 'Organization',
  rights: {
    view: [...organizationKind.rights.view, 'visitor'],
    edit: organizationKind.rights.createOpenAPISpec,
  },
} satisfies ResourceKind;

export const specSlugSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters and digits, with single hyphens inside');

export const specSchema = z
  .object({
    object: z.literal('openapi-spec'),
    id: z.string(),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    slug: specSlugSchema,
    sourceURL: urlSchema.optional().meta({
      description: 'The address that the specification is read from, without credentials; absent for a text.',
    }),
    processingState: z.enum(processingStates).meta({
      description:
        '`complete` also when processing failed: `lastProcessErrorCode` tells, and an earlier version stays the latest.',
    }),
    visibility: z.enum(visibilities),
    lastVersion: z.string().optional().meta({ description: 'The id of the latest version.' }),
    lastProcessedAt: timestampSchema.optional(),
    lastProcessErrorCode: z
      .enum(processErrorCodes)
      .optional()
      .meta({ description: 'Why the last processing failed; absent when it succeeded.' }),
    lastProcessErrorMessage: z.string().optional().meta({ description: 'The same, for people.' }),
    lastProcessedErrorCount: z
      .number()
      .int()
      .meta({ description: 'Of the last processing, which ends at the first one.' }),
    permissions: permissionsSchema(specKind),
    urls: z.object({
      location: urlSchema,
      app: urlSchema,
      published: urlSchema
        .optional()
        .meta({ description: 'Where anyone can read the latest version; for public specifications.' }),
    }),
  })
  .meta({ id: 'OpenAPISpec' });
export type OpenAPISpec = z.output<typeof specSchema>;

export const specVersionSchema = z
  .object({
    object: z.literal('openapi-spec-version'),
    id: z.string(),
    createdAt: timestampSchema,
    url: urlSchema.meta({
      description: 'Where the specification can be read: one file of OpenAPI 3.1 or 3.2, as JSON.',
    }),
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'OpenAPISpecVersion' });
export type OpenAPISpecVersion = z.output<typeof specVersionSchema>;

const specFileSchema = z.object({
  filename: z.string(),
  dir: z.string(),
  isEntrypoint: z.boolean(),
  references: z.array(z.string()),
  specification: z.record(z.string(), z.unknown()),
});

export const specRawContentSchema = z
  .object({
    text: z.string().meta({ description: 'The file as it was given; of several, the first one.' }),
    format: z.enum(['json', 'yaml']),
  })
  .meta({ id: 'OpenAPISpecRawContent' });
export type OpenAPISpecRawContent = z.output<typeof specRawContentSchema>;

export const specContentSchema = z
  .object({
    filesystem: z.union([z.record(z.string(), specFileSchema), z.array(specFileSchema)]).meta({
      description:
        'One file, which holds all others: OpenAPI 3.1 or 3.2 as JSON. By its name for API tokens, a list for visitors of a site.',
    }),
    url: urlSchema.meta({ description: 'Where the file can be read.' }),
    urls: z.object({
      source: urlSchema.meta({ description: 'The same as `url`.' }),
      public: urlSchema
        .nullable()
        .meta({ description: 'Where anyone can read the latest version; null for private specifications.' }),
    }),
  })
  .meta({ id: 'OpenAPISpecContent' });
export type OpenAPISpecContent = z.output<typeof specContentSchema>;
