import type { Message } from '../../../shared/outbound/mail.js';
import { linkParagraph, mailPage, paragraph, safeLine } from '../../../shared/outbound/mail-text.js';
import type { MailedReason } from './model.js';

/** A comment, a reply or a review that a mail reports. */
export interface DigestEntry {
  reason: MailedReason;
  /** The display name. */
  author: string;
  /** The title. */
  space: string;
  /** The title. */
  page?: string;
  /** The subject of the change request that a review is about. */
  changeRequest?: string;
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

const whyComments = 'You get this mail because somebody mentioned you in a comment or replied to you on Bindery.';
const whyReviews =
  'You get this mail because somebody asks for your review, reviewed your change request, mentioned you or replied to you on Bindery.';

const isOfComment = ({ reason }: DigestEntry): boolean => reason === 'mention' || reason === 'reply';

/** Words the mail that notifies a user of comments. */
export function digestMail(
  entries: readonly DigestEntry[],
  { unsubscribeURL, more }: DigestOptions,
): Pick<Message, 'subject' | 'text' | 'html' | 'unsubscribeURL'> {
  const subject = mailSubject(entries, more);
  const why = entries.every(isOfComment) ? whyComments : whyReviews;
  const rest = more > 0 ? [moreSentence(entries, more)] : [];
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
  const all = `${entries.length + more} ${entries.every(isOfComment) ? 'comments' : 'notifications'}`;
  // Comments that are not shown may be in any space.
  if (more > 0) return `${all} for you`;
  const spaces = [...new Set(entries.map(({ space }) => safeLine(space)))];
  return spaces.length === 1 ? `${all} in ${spaces[0]}` : `${all} in ${spaces.length} spaces`;
}

function moreSentence(entries: readonly DigestEntry[], more: number): string {
  const what = entries.every(isOfComment) ? 'comment' : 'notification';
  return more === 1 ? `1 more ${what} is not shown.` : `${more} more ${what}s are not shown.`;
}

function reasonSentence({ author, reason, space, changeRequest = '' }: DigestEntry): string {
  const subject = safeLine(changeRequest);
  const acts: Record<MailedReason, string> = {
    mention: 'mentioned you',
    reply: 'replied to you',
    'review-request': `asks you to review "${subject}"`,
    approved: `approved your change request "${subject}"`,
    'changes-requested': `asks for changes in your change request "${subject}"`,
  };
  return `${safeLine(author) || 'Somebody'} ${acts[reason]} in ${safeLine(space)}`;
}

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
