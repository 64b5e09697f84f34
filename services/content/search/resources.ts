import { z } from 'zod';
import { urlSchema } from '../../../shared/contract/fields.js';

export const searchQuerySchema = z.string().max(512);

const sectionHitSchema = z.object({
  id: z.string(),
  title: z.string(),
  path: z.string(),
  body: z.string(),
  urls: z.object({ app: urlSchema }),
});

export const searchItemSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    path: z.string(),
    sections: z.array(sectionHitSchema).optional(),
    urls: z.object({ app: urlSchema }),
  })
  .meta({ id: 'SearchPageResult' });
export type SearchItem = z.output<typeof searchItemSchema>;

export const searchSpaceResultSchema = z
  .object({ id: z.string(), title: z.string(), pages: z.array(searchItemSchema) })
  .meta({ id: 'SearchSpaceResult' });
export type SearchSpaceResult = z.output<typeof searchSpaceResultSchema>;
