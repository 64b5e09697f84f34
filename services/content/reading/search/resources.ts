import { z } from 'zod';
import { urlSchema } from '../../../../shared/contract/fields.js';

export const searchQuerySchema = z.string().max(512);

const score = z
  .number()
  .meta({ description: 'The higher, the better it matches; it compares with those of one answer.' });

const sectionHitSchema = z.object({
  id: z.string(),
  title: z.string(),
  path: z.string(),
  score,
  body: z.string(),
  urls: z.object({ app: urlSchema }),
});

export const searchItemSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    path: z.string(),
    score,
    rank: z.number().int().meta({ description: 'From 1, the best first; also across the spaces of one answer.' }),
    ancestors: z.array(z.object({ title: z.string() })).meta({ description: 'From the top to the parent.' }),
    sections: z.array(sectionHitSchema).optional(),
    urls: z.object({ app: urlSchema }),
  })
  .meta({ id: 'SearchPageResult' });
export type SearchItem = z.output<typeof searchItemSchema>;

/** Pages of one space in an answer about several. */
export const pagesOfSpace = 10;

export const searchSpaceResultSchema = z
  .object({ type: z.literal('space'), id: z.string(), title: z.string(), score, pages: z.array(searchItemSchema) })
  .meta({ id: 'SearchSpaceResult' });
export type SearchSpaceResult = z.output<typeof searchSpaceResultSchema>;
