import { apiError, failureOf, invalid } from '../../../../shared/errors/errors.js';
import type { HasConversion } from './conversion-work.js';

/** Characters of HTML, and of the Markdown that it makes. */
const maxText = 2_000_000;

export async function convertPastedHtml(
  { conversion }: HasConversion,
  { organization, html }: { organization: string; html: string },
): Promise<{ markdown: string }> {
  if (html.length > maxText) throw invalid(`html: at most ${maxText.toLocaleString('en')} characters`);
  const markdown = await conversion.pasted(html, organization).catch((error) => {
    const { type, message } = failureOf(error);
    // What reads pages speaks of their addresses.
    throw message.startsWith('url: ') ? apiError(type, message.replace(/^url: the page/, 'html: it')) : error;
  });
  if (markdown.length > maxText) throw invalid(`html: makes more than ${maxText.toLocaleString('en')} characters`);
  return { markdown };
}
