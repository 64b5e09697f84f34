import { z } from 'zod';

export const visitorSegmentSchema = z
  .object({
    title: z.string().meta({ description: 'The claims in words.' }),
    claims: z.record(z.string(), z.unknown()).meta({ description: 'Empty for visitors without claims.' }),
    events: z.number().int(),
    visitors: z.number().int(),
    sessions: z.number().int(),
  })
  .meta({ id: 'InsightsVisitorSegment', description: 'The visitors of a site that have the same claims.' });
export type VisitorSegment = z.output<typeof visitorSegmentSchema>;
