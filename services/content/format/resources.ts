import { z } from 'zod';

export const contentRefSchema = z.looseObject({ kind: z.string() }).meta({ id: 'ContentRef' });
export type ContentRef = z.output<typeof contentRefSchema>;

/** A node of the document model; the handbook lists its kinds. */
export const documentSchema = z
  .looseObject({ object: z.literal('document'), nodes: z.array(z.looseObject({ object: z.string() })) })
  .meta({ id: 'JSONDocument' });
export type PageBody = z.output<typeof documentSchema>;

/** A text of another service: in GitHub-flavored Markdown, or as a document. */
export type Text = { markdown: string } | { document: PageBody };

/** A text in both forms. Neither runs a script, whoever shows it. */
export interface ReadText {
  /** As it was given, where that is safe. */
  markdown: string;
  document: PageBody;
  /** The ids of the users whom it mentions, each once; they may not exist. */
  mentions: string[];
}
