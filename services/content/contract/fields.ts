import { z } from 'zod';

export const title = z.string().max(50);
export const parent = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'The id of the parent collection. Default: the top level.' });

/** A text in Markdown. The other form of the public API, a JSON document, is refused with 422. */
export const markdownBody = (max: number) =>
  z.object({
    markdown: z
      .string()
      .max(max)
      .regex(/^[^\p{Cs}]*$/u, 'must be Unicode text')
      .optional(),
    document: z.unknown().optional().meta({ description: 'Not taken (422): send Markdown.' }),
  });
