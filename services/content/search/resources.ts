import { z } from 'zod';
import { urlSchema } from '../../../shared/contract/fields.js';

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
