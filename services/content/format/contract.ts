import { question } from '../../../shared/contract/verb.js';
import type { PageBody } from '../core/revisions/resources.js';

/** A text of another service: in GitHub-flavored Markdown, or as a document. */
export type Text = { markdown: string } | { document: PageBody };

export interface ReadTexts {
  organization: string;
  texts: Text[];
}

/** A text in both forms. Neither runs a script, whoever shows it. */
export interface ReadText {
  /** As it was given, where that is safe. */
  markdown: string;
  document: PageBody;
  /** The ids of the users whom it mentions, each once; they may not exist. */
  mentions: string[];
}

/** Texts in both forms, in the order of the question; `refused` says why a text is not taken. */
export const readTexts = question<ReadTexts, (ReadText | { refused: string })[]>('content', 'readTexts');
