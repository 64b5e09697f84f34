import { z } from 'zod';

export const title = z.string().max(50);
export const parent = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'The id of the parent collection. Default: the top level.' });
