/** Pairs of things that are compared for one hunk, and for a whole page. */
const maxPairsAtOnce = 10_000;
const maxPairs = 200_000;
/** Characters of texts that are compared word by word: of one text, and of a whole page. */
const maxTextAtOnce = 50_000;
const maxText = 500_000;

/** Bounds the work on one difference: what it has no room for is shown whole, as it was and as it is. */
export class Budget {
  pairs = 0;
  text = 0;

  spendPairs(count: number): boolean {
    if (count > maxPairsAtOnce || this.pairs + count > maxPairs) return false;
    this.pairs += count;
    return true;
  }

  spendText(characters: number): boolean {
    if (characters > maxTextAtOnce || this.text + characters > maxText) return false;
    this.text += characters;
    return true;
  }
}
