import { z } from 'zod';

export const mergeSides = ['primary', 'change-request'] as const;
export const conflictKinds = ['page', 'file', 'reusable-content', 'variable', 'redirect'] as const;

const value = z.unknown().optional();

export const conflictSchema = z
  .object({
    object: z.literal('conflict'),
    kind: z.enum(conflictKinds),
    id: z
      .string()
      .meta({ description: 'Of the page, file or reusable content; the name of the variable or old path.' }),
    title: z.string(),
    path: z.string().optional().meta({ description: 'Of a page.' }),
    deletedIn: z
      .enum(mergeSides)
      .optional()
      .meta({ description: 'The side that deleted it, while the other changed it or what is below it.' }),
    attributes: z
      .array(z.object({ attribute: z.string(), base: value, primary: value, changeRequest: value }))
      .meta({ description: 'What both sides changed, each to something else; absent values were not there.' }),
    hunks: z
      .array(
        z.object({
          line: z.number().int().meta({ description: 'Where it was, counted from 1.' }),
          base: z.array(z.string()),
          primary: z.array(z.string()),
          changeRequest: z.array(z.string()),
        }),
      )
      .meta({ description: 'The lines of the source that both sides changed.' }),
  })
  .meta({ id: 'MergeConflict' });
export type Conflict = z.output<typeof conflictSchema>;
export type MergeSide = (typeof mergeSides)[number];
