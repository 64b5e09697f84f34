/** Words of a query that are marked. */
const maxWords = 10;

/** Search finds words and their beginnings, but parts of words where a script has no spaces. */
const beginsWord = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u;

/** Splits a text at the words of a query: every second part is what one of them matched. The page of results does it on the server, too. */
export function splitAtWords(text: string, query: string): string[] {
  const words = query.split(/\s+/).filter(Boolean).slice(0, maxWords);
  if (words.length === 0) return [text];
  const pattern = words
    .map((word) => (beginsWord.test(word) ? '(?<![\\p{L}\\p{N}])' : '') + word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('|');
  return text.split(new RegExp(`(${pattern})`, 'giu'));
}
