import { z } from 'zod';

export const commentFormats = ['markdown', 'document'] as const;
export type CommentFormat = (typeof commentFormats)[number];

/** Characters of a body in Markdown. */
const maxMarkdown = 20_000;

/** A document as comments hold it: `readTexts` checks its nodes. */
const bodyDocumentSchema = z.looseObject({
  object: z.literal('document'),
  nodes: z.array(z.looseObject({ object: z.string() })),
});

/** A body as clients send it. */
export const sentBodySchema = z
  .object({
    markdown: z
      .string()
      .max(maxMarkdown)
      .optional()
      .meta({ description: 'GitHub-flavored Markdown. HTML is shown as text. `[name](/users/<id>)` mentions a user.' }),
    document: bodyDocumentSchema.optional(),
  })
  .refine(({ markdown, document }) => (markdown === undefined) !== (document === undefined), {
    error: 'must be either markdown or a document',
  });
export type SentBody = z.output<typeof sentBodySchema>;

export const commentBodySchema = z
  .union([z.object({ markdown: z.string() }), z.object({ document: bodyDocumentSchema })])
  .meta({ id: 'CommentBody', description: 'In the format that was asked for.' });
