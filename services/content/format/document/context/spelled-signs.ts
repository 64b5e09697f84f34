/** Signs that stand for words. */
const words: Record<string, string> = {
  '&': 'and',
  '|': 'or',
  '<': 'less than',
  '>': 'greater than',
  '∆': 'delta',
  '∑': 'sum',
  '∞': 'infinity',
  '♥': 'love',
  '¤': 'currency',
  '©': 'c',
  '®': 'r',
  '™': 'tm',
  '℠': 'sm',
};

/** Currencies have their code, and some letters more than one sound; both join the letters beside them. */
const letters = `
  $ usd  ¢ cent ¥ cny ฿ thb ៛ khr ₠ ewe ₡ crc ₢ brn ₣ frf ₤ itl ₦ ngn ₧ esp ₨ inr ₩ krw ₪ ils ₫ vnd ₭ lak ₮ mnt ₯ grd
  ₱ ars ₲ pyg ₳ ara ₴ uah ₵ ghs ₸ kzt ₹ inr ₺ try ₼ azn ₽ rub ₾ gel ؋ afn ﷼ irr
  ä ae ö oe ü ue ˚ o ξ ks χ x
  й i ё yo ц c щ sh є ye ї yi ќ kj џ dz
`;

const silent = 'ьъЬЪ';

const spellings = new Map(Object.entries(words).map(([sign, word]) => [sign, ` ${word} `]));
for (const [, letter = '', spelling = ''] of letters.matchAll(/(\S+) +(\S+)/g))
  for (const each of [letter, letter.toUpperCase()]) spellings.set(each, spelling);
for (const letter of silent) spellings.set(letter, '');

const spelt = new RegExp(`[${[...spellings.keys()].join('')}]`, 'gu');

/** The text with signs and letters spelled as the anchors of the public product spell them; any other script stays. */
export const spelledSigns = (text: string): string =>
  text.normalize('NFC').replace(spelt, (sign) => spellings.get(sign) ?? sign);
