import { anyMark } from '../../html/marks.js';

const unspaced =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Bopomofo}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';
/** White space, a mark, a character of a script without spaces, a word, signs that are joined to one, or any other character. */
const word = new RegExp(
  [
    '\\s+',
    anyMark.source,
    `[${unspaced}]\\p{M}*`,
    `(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}_])+`,
    '\\p{ExtPict}(?:[\\p{ExtPict}\\p{EMod}\\p{M}\\u200d])*',
    '[^]',
  ].join('|'),
  'gu',
);

/** The words of a text with everything between them: together they are the text. */
export const splitWords = (text: string): string[] => text.match(word) ?? [];

/** Words, each with its number. */
export interface Bag {
  counts: ReadonlyMap<string, number>;
  total: number;
}

export function bagOfWords(text: string): Bag {
  const counts = new Map<string, number>();
  let total = 0;
  for (const each of splitWords(text)) {
    if (!/[\p{L}\p{N}]/u.test(each)) continue;
    counts.set(each, (counts.get(each) ?? 0) + 1);
    total++;
  }
  return { counts, total };
}

/** The part of their words that two bags have in common: from 0 to 1, and 0 where there are none. */
export function commonPart(one: Bag, other: Bag): number {
  if (one.total === 0 || other.total === 0) return 0;
  const [small, large] = one.counts.size <= other.counts.size ? [one, other] : [other, one];
  let common = 0;
  for (const [each, count] of small.counts) common += Math.min(count, large.counts.get(each) ?? 0);
  return (2 * common) / (one.total + other.total);
}
