import { question } from '../../../../shared/contract/verb.js';

/**
 * For the editor: HTML that was copied out of a page or a document, as Markdown. The caller vouches for the organization, whose turn it is. Throws 400
 * for more than 2,000,000 characters, 422 for what cannot be read, 503 where it would take too long now.
 */
export const convertPastedHtml = question<{ organization: string; html: string }, { markdown: string }>(
  'content',
  'convertPastedHtml',
);
