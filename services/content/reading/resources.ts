import { z } from 'zod';
import { urlSchema } from '../../../shared/contract/fields.js';

/** `document`: the JSON form. `markdown`: for readers. `source`: the file as stored. */
export const bodyFormats = ['document', 'markdown', 'source'] as const;

/** A link with the title of its target. */
export const embedSchema = z
  .object({ type: z.literal('link'), title: z.string(), site: z.string(), url: urlSchema })
  .meta({ id: 'Embed' });
export type Embed = z.output<typeof embedSchema>;
