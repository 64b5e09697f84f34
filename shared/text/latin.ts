import anyAscii from 'any-ascii';

const HAN = /\p{Script=Han}+/gu;
const EMOJI = /(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200D|\u20E3|\uFE0F)+/gu;

/** Text of any script in ASCII. Chinese is read a character at a time, as the links of existing repositories expect. */
export const inLatin = (text: string): string => anyAscii(text.replace(HAN, (run) => ` ${[...run].join(' ')} `));

export const withoutEmoji = (text: string): string => text.replace(EMOJI, ' ');
