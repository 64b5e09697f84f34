const CONTROL = /(?![\t\n\r])[\p{Cc}\p{Cs}\u202d\u202e]/u;
/** Signs of active Markdown and HTML: elements, links, and references, which may stand for any character. */
const ACTIVE = /[<[&]|ftp:|xmpp:/i;
const FIRST_LETTER = /(?:^|\n)(?!\p{Default_Ignorable_Code_Point})\p{L}/u;

/** Characters of an address. */
const maxAddressLength = 2048;
const HIDDEN = /[\p{Cc}\p{Cf}]/u;

/** Whether an address is short enough for a text to link to, and hides nothing; some emoji have hidden characters, too. */
export const isPlainAddress = (address: string): boolean => address.length <= maxAddressLength && !HIDDEN.test(address);

/** Signs of an address that programs turn into a link by themselves. */
const ADDRESS = /:\/\/|www\.|@/i;
const isOdd = (word: string) => ADDRESS.test(word) && !isPlainAddress(word);

/**
 * Whether a text in Markdown is certainly harmless, links to nothing by a name and shows something. Cheap; false says nothing.
 */
export const isPlainText = (text: string): boolean =>
  FIRST_LETTER.test(text) && !ACTIVE.test(text) && !CONTROL.test(text) && !text.split(/[ \t\r\n]/).some(isOdd);
