import { z } from 'zod';
import { timestampSchema, urlSchema, webUrlSchema } from '../../../shared/contract/fields.js';

export const shareLinkSchema = z
  .object({
    object: z.literal('share-link'),
    id: z.string(),
    createdAt: timestampSchema,
    name: z.string().max(50).optional(),
    active: z.boolean().optional(),
    urls: z.object({
      published: urlSchema
        .optional()
        .meta({ description: 'Contains the key of the link; present while the site is published.' }),
    }),
  })
  .meta({ id: 'ShareLink' });
export type ShareLink = z.output<typeof shareLinkSchema>;

export const publishingAuthSchema = z
  .object({
    object: z.literal('publishing-auth'),
    backend: z.enum(['custom', 'integration']),
    integration: z.string().optional(),
    privateKey: z.string().meta({ description: 'Signs the JWT of a visitor (HS256).' }),
    fallbackURL: webUrlSchema.optional().meta({ description: 'Where visitors without a valid JWT are redirected.' }),
  })
  .meta({ id: 'SitePublishingAuth' });
export type PublishingAuth = z.output<typeof publishingAuthSchema>;

const description = z.string().max(1000);
const primitiveClaim = [
  z.strictObject({ type: z.literal('boolean'), description }),
  z.strictObject({ type: z.literal('string'), enum: z.array(z.string().max(256)).max(200).optional(), description }),
  z.strictObject({ type: z.literal('number'), description }),
] as const;
const arrayClaim = z.strictObject({ type: z.literal('array'), description, items: z.union(primitiveClaim) });

/** Objects may be nested four levels deep. */
function claimsSchema(deeper: number): z.ZodType<ClaimSchema> {
  const plain = [...primitiveClaim, arrayClaim] as const;
  if (deeper === 0) return z.union(plain);
  return z.union([
    ...plain,
    z.strictObject({
      type: z.literal('object'),
      description,
      properties: z.record(z.string().min(1).max(100), claimsSchema(deeper - 1)),
      additionalProperties: z.literal(false),
    }),
  ]);
}

export type ClaimSchema =
  | { type: 'boolean' | 'number'; description: string }
  | { type: 'string'; description: string; enum?: string[] | undefined }
  | { type: 'array'; description: string; items: ClaimSchema }
  | ObjectClaim;
export interface ObjectClaim {
  type: 'object';
  description?: string | undefined;
  properties: Record<string, ClaimSchema>;
  additionalProperties: false;
}

export const adaptiveSchemaSchema = z
  .strictObject({
    $schema: z.literal('http://json-schema.org/draft-07/schema#').optional(),
    type: z.literal('object'),
    properties: z.record(z.string().min(1).max(100), claimsSchema(4)),
    additionalProperties: z.literal(false),
  })
  .refine(({ properties }) => !Object.hasOwn(properties, 'unsigned') || properties.unsigned?.type === 'object', {
    path: ['properties', 'unsigned'],
    message: 'must be an object: it holds the unsigned claims',
  });
export type AdaptiveSchema = z.output<typeof adaptiveSchemaSchema>;

export const siteAdaptiveSchemaSchema = z
  .object({ object: z.literal('site-adaptive-schema'), jsonSchema: adaptiveSchemaSchema, updatedAt: timestampSchema })
  .meta({ id: 'SiteAdaptiveSchema' });
export type SiteAdaptiveSchema = z.output<typeof siteAdaptiveSchemaSchema>;

export const templateConditionSchema = z
  .object({
    description: z.string(),
    condition: z.string().meta({ description: 'As parts of the site and blocks of pages take it.' }),
  })
  .meta({ id: 'SiteAdaptiveTemplateCondition' });
export type TemplateCondition = z.output<typeof templateConditionSchema>;
