import anyAscii from 'any-ascii';

const HAN = /\p{Script=Han}+/gu;
const EMOJI = /(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200D|\u20E3|\uFE0F)+/gu;

/** Transliterates text of any script to ASCII. Chinese is read one character at a time, as links in existing repositories expect. */
export const inLatin = (text: string): string => anyAscii(text.replace(HAN, (run) => ` ${[...run].join(' ')} `));

export const withoutEmoji = (text: string): string => text.replace(EMOJI, ' ');
