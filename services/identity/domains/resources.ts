import { z } from 'zod';
import { timestampSchema, urlSchema } from '../../../shared/contract/fields.js';

/** A domain name as it is looked up: lower case. */
export const domainSchema = z
  .string()
  .max(243)
  .regex(
    /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)+$/,
    'must be a domain such as docs.example.com',
  );

export const domainStatuses = ['pending', 'proven', 'trusted'] as const;

export const domainResourceSchema = z
  .object({
    object: z.literal('domain'),
    domain: z.string(),
    status: z.enum(domainStatuses).meta({
      description:
        '`pending`: without effect for this organization until proven; `proven`: by the record; `trusted`: counts without proof, as long as no other organization proves it.',
    }),
    record: z
      .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
      .meta({ description: 'The DNS record that proves the domain. It has to stay.' }),
    provenAt: timestampSchema.optional(),
    missingSince: timestampSchema
      .optional()
      .meta({ description: 'Since when the record of a proven domain is not found.' }),
    checkedAt: timestampSchema.optional().meta({ description: 'When the last lookup of the record began.' }),
    nextCheckAt: timestampSchema
      .optional()
      .meta({ description: 'When the record is looked up next; absent: on demand only.' }),
    problem: z.string().optional().meta({ description: 'What the last lookup found instead of the record.' }),
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'Domain' });
export type Domain = z.output<typeof domainResourceSchema>;
