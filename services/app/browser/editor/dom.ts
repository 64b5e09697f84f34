import type { EditorSetup, EditorWord } from '../../sources/editor-setup.js';

type Attributes = Record<string, string | boolean | undefined>;

/** Makes an element; texts stay texts. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
  made.append(...content);
  return made;
}

/** The texts of the editor, filled in. */
export type Say = (word: EditorWord, ...about: (string | number)[]) => string;

export const sayFrom =
  ({ words }: Pick<EditorSetup, 'words'>): Say =>
  (word, ...about) =>
    words[word].replace(/\{(\d)\}/g, (place, at: string) => String(about[Number(at)] ?? place));

/** A time of the day, as people of the language of the page write it. */
export const timeText = (iso: string): string =>
  new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: 'short' }).format(new Date(iso));
