export type HintStyle = 'info' | 'success' | 'warning' | 'danger';

const styles: Record<HintStyle, string> = {
  info: 'note info information abstract summary important seealso question quote example todo secondary panel',
  success: 'tip hint success check done',
  warning: 'warning caution attention warn',
  danger: 'danger error bug failure',
};

/** The style of each word in lists of words that stand for one. */
export const stylesByWord = (words: Record<HintStyle, string>): ReadonlyMap<string, HintStyle> =>
  new Map(Object.entries(words).flatMap(([style, list]) => list.split(' ').map((word) => [word, style as HintStyle])));

const byName = stylesByWord(styles);

/** The style of the hint that an admonition of another dialect becomes; undefined for a name that is none. */
export const hintStyleOf = (name: string): HintStyle | undefined => byName.get(name.toLowerCase());
