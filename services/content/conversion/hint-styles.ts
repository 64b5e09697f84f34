export type HintStyle = 'info' | 'success' | 'warning' | 'danger';

const styles: Record<HintStyle, string> = {
  info: 'note info information abstract summary important seealso question quote example todo secondary panel',
  success: 'tip hint success check done',
  warning: 'warning caution attention warn',
  danger: 'danger error bug failure',
};

const byName = new Map(
  Object.entries(styles).flatMap(([style, names]) => names.split(' ').map((name) => [name, style as HintStyle])),
);

/** The style of the hint that an admonition of another dialect becomes; undefined for a name that is none. */
export const hintStyleOf = (name: string): HintStyle | undefined => byName.get(name.toLowerCase());
