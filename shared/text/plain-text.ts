const CONTROL = /(?![\t\n\r])[\p{Cc}\p{Cs}\u202d\u202e]/u;
/** Of Markdown and HTML: elements and links, and references, which may name any character. */
const ACTIVE = /[<[&]|ftp:|xmpp:/i;
const FIRST_LETTER = /(?:^|\n)(?!\p{Default_Ignorable_Code_Point})\p{L}/u;

/** Characters of an address that a text may link to. */
export const longestAddress = 2048;
/** What programs link to by themselves. */
const ADDRESS = /:\/\/|www\.|@/i;
const HIDDEN = /\p{Cf}/u;

/** An address that a text may not link to; some emoji have hidden characters, too. */
const isOdd = (word: string) => ADDRESS.test(word) && (word.length > longestAddress || HIDDEN.test(word));

/**
 * Whether a text in Markdown is certainly harmless, links to nothing by a name and shows something. Cheap; false says nothing.
 */
export const isPlainText = (text: string): boolean =>
  FIRST_LETTER.test(text) && !ACTIVE.test(text) && !CONTROL.test(text) && !text.split(/[ \t\r\n]/).some(isOdd);
