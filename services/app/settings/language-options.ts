import { languages } from '../../content/resources.js';

/** The languages that content may be in, by their names in a language, in its order. */
export function languageOptions(locale: string): { value: string; text: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'language' });
  return languages
    .map((value) => ({ value, text: names.of(value) ?? value }))
    .sort((a, b) => a.text.localeCompare(b.text, locale));
}
