import { z } from 'zod';

export const title = z.string().max(50);
export const parent = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'The id of the parent collection. Default: the top level.' });
const noRefs = z
  .object({
    contentRefs: z
      .record(z.string(), z.unknown())
      .refine((refs) => Object.keys(refs).length === 0, {
        error: 'must be empty: the templates here take no references',
      })
      .optional(),
  })
  .optional();
/** A template, and what it is filled with. */
export const templateSchema = z.object({
  id: z.string().min(1).max(100).meta({ description: 'The id of the template; 404 for one that is not there.' }),
  params: noRefs,
});
