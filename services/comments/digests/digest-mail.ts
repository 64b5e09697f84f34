import type { Message } from '../../../shared/outbound/mail.js';
import { linkParagraph, mailPage, paragraph, safeLine } from '../../../shared/outbound/mail-text.js';

/** A comment or a reply that a mail reports. */
export interface DigestEntry {
  reason: 'mention' | 'reply';
  /** The display name. */
  author: string;
  /** The title. */
  space: string;
  /** The title. */
  page?: string;
  /** Plain text. */
  excerpt: string;
  url: string;
}

interface DigestOptions {
  unsubscribeURL: string;
  /** Number of further comments that are not among the entries. */
  more: number;
}

const maxOfExcerpt = 300;

const why = 'You get this mail because somebody mentioned you in a comment or replied to you on Bindery.';

/** Words the mail that notifies a user of comments. */
export function digestMail(
  entries: readonly DigestEntry[],
  { unsubscribeURL, more }: DigestOptions,
): Pick<Message, 'subject' | 'text' | 'html' | 'unsubscribeURL'> {
  const subject = mailSubject(entries, more);
  const rest = more > 0 ? [more === 1 ? '1 more comment is not shown.' : `${more} more comments are not shown.`] : [];
  return {
    subject,
    text: `${[...entries.map(entryAsText), ...rest, why].join('\n\n')}\nTo stop these mails: ${unsubscribeURL}\n`,
    html: mailPage(subject, [
      ...entries.map(entryAsHtml),
      ...rest.map(paragraph),
      paragraph(why),
      linkParagraph(unsubscribeURL, 'Stop these mails'),
    ]),
    unsubscribeURL,
  };
}

function mailSubject(entries: readonly DigestEntry[], more: number): string {
  const [first] = entries;
  if (first && entries.length + more === 1) return reasonSentence(first);
  const comments = `${entries.length + more} comments`;
  // Comments that are not shown may be in any space.
  if (more > 0) return `${comments} for you`;
  const spaces = [...new Set(entries.map(({ space }) => safeLine(space)))];
  return spaces.length === 1 ? `${comments} in ${spaces[0]}` : `${comments} in ${spaces.length} spaces`;
}

const reasonSentence = ({ author, reason, space }: DigestEntry): string =>
  `${safeLine(author) || 'Somebody'} ${reason === 'mention' ? 'mentioned' : 'replied to'} you in ${safeLine(space)}`;

const entryHeading = (entry: DigestEntry): string =>
  entry.page === undefined
    ? `${reasonSentence(entry)}:`
    : `${reasonSentence(entry)}, on the page "${safeLine(entry.page)}":`;

const entryAsText = (entry: DigestEntry): string => {
  const excerpt = safeLine(entry.excerpt, maxOfExcerpt);
  return [entryHeading(entry), ...(excerpt ? [`> ${excerpt}`] : []), entry.url].join('\n\n');
};

const entryAsHtml = (entry: DigestEntry): string => {
  const excerpt = safeLine(entry.excerpt, maxOfExcerpt);
  const quote = excerpt ? [`<blockquote>${paragraph(excerpt)}</blockquote>`] : [];
  return [paragraph(entryHeading(entry)), ...quote, linkParagraph(entry.url)].join('\n');
};
