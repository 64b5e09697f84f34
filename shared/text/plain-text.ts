const CONTROL = /(?![\t\n\r])[\p{Cc}\p{Cs}\u202d\u202e]/u;
/** Of Markdown and HTML: elements and links, and references, which may name any character. */
const ACTIVE = /[<[&]|ftp:|xmpp:/i;
const FIRST_LETTER = /(?:^|\n)(?!\p{Default_Ignorable_Code_Point})\p{L}/u;

/**
 * Whether a text in Markdown is certainly harmless, links to nothing by a name and shows something. Cheap; false says nothing.
 */
export const isPlainText = (text: string): boolean =>
  FIRST_LETTER.test(text) && !ACTIVE.test(text) && !CONTROL.test(text);
