import { english } from './english/english.js';
import type { Words } from './words.js';

/** The languages of the app, each with its own name and whether it is written from the right. */
export const languages = {
  en: { name: 'English', load: async (): Promise<Words> => english },
} as const;
export type Language = keyof typeof languages;

const isLanguage = (name: string): name is Language => Object.hasOwn(languages, name);

/** The language of a browser: the one that its user chose, else the first that it asks for and we have. */
export function languageOf(chosen: string, accepted: string | undefined): Language {
  if (isLanguage(chosen)) return chosen;
  for (const tag of (accepted ?? '').slice(0, 500).toLowerCase().split(',')) {
    const name = tag.split(';', 1)[0]?.trim() ?? '';
    if (isLanguage(name)) return name;
    const [base = ''] = name.split('-', 1);
    if (isLanguage(base)) return base;
  }
  return 'en';
}

/** Puts what a text is about in place of its `{0}` and `{1}`. */
export const fill = (text: string, ...about: (string | number)[]): string =>
  text.replace(/\{(\d)\}/g, (place, at: string) => String(about[Number(at)] ?? place));
