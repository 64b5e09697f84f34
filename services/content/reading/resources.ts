import { z } from 'zod';
import { urlSchema } from '../../../shared/contract/fields.js';

/** `document`: the JSON form. `markdown`: for readers. `source`: as it is stored. */
export const bodyFormats = ['document', 'markdown', 'source'] as const;

/** What an address leads to. */
export const embedSchema = z
  .object({ type: z.literal('link'), title: z.string(), site: z.string(), url: urlSchema })
  .meta({ id: 'Embed' });
export type Embed = z.output<typeof embedSchema>;
