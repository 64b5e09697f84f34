import { english } from './english.js';
import { type Locale, localeOf } from './locales.js';
import type { Words } from './words.js';

/** Each language is a module of its own, loaded when the first site asks for it. */
const loaders: Record<Exclude<Locale, 'en'>, () => Promise<Words>> = {
  ar: async () => (await import('./languages/asian/arabic.js')).arabic,
  bg: async () => (await import('./languages/slavic/bulgarian.js')).bulgarian,
  cs: async () => (await import('./languages/slavic/czech.js')).czech,
  da: async () => (await import('./languages/germanic/danish.js')).danish,
  de: async () => (await import('./languages/germanic/german.js')).german,
  el: async () => (await import('./languages/european/greek.js')).greek,
  es: async () => (await import('./languages/romance/spanish.js')).spanish,
  et: async () => (await import('./languages/european/estonian.js')).estonian,
  fi: async () => (await import('./languages/european/finnish.js')).finnish,
  fr: async () => (await import('./languages/romance/french.js')).french,
  he: async () => (await import('./languages/asian/hebrew.js')).hebrew,
  hi: async () => (await import('./languages/asian/hindi.js')).hindi,
  hr: async () => (await import('./languages/slavic/croatian.js')).croatian,
  hu: async () => (await import('./languages/european/hungarian.js')).hungarian,
  id: async () => (await import('./languages/asian/indonesian.js')).indonesian,
  it: async () => (await import('./languages/romance/italian.js')).italian,
  ja: async () => (await import('./languages/asian/japanese.js')).japanese,
  ko: async () => (await import('./languages/asian/korean.js')).korean,
  lt: async () => (await import('./languages/european/lithuanian.js')).lithuanian,
  lv: async () => (await import('./languages/european/latvian.js')).latvian,
  ms: async () => (await import('./languages/asian/malay.js')).malay,
  nb: async () => (await import('./languages/germanic/norwegian.js')).norwegian,
  nl: async () => (await import('./languages/germanic/dutch.js')).dutch,
  pl: async () => (await import('./languages/slavic/polish.js')).polish,
  pt: async () => (await import('./languages/romance/portuguese.js')).portuguese,
  'pt-br': async () => (await import('./languages/romance/brazilian-portuguese.js')).brazilianPortuguese,
  ro: async () => (await import('./languages/romance/romanian.js')).romanian,
  ru: async () => (await import('./languages/slavic/russian.js')).russian,
  sk: async () => (await import('./languages/slavic/slovak.js')).slovak,
  sl: async () => (await import('./languages/slavic/slovenian.js')).slovenian,
  sr: async () => (await import('./languages/slavic/serbian.js')).serbian,
  sv: async () => (await import('./languages/germanic/swedish.js')).swedish,
  th: async () => (await import('./languages/asian/thai.js')).thai,
  tr: async () => (await import('./languages/asian/turkish.js')).turkish,
  uk: async () => (await import('./languages/slavic/ukrainian.js')).ukrainian,
  vi: async () => (await import('./languages/asian/vietnamese.js')).vietnamese,
  zh: async () => (await import('./languages/asian/simplified-chinese.js')).simplifiedChinese,
  'zh-tw': async () => (await import('./languages/asian/traditional-chinese.js')).traditionalChinese,
};

/** The interface in a language; in English when we do not have it. */
export async function wordsOf(name: string): Promise<Words> {
  const locale = localeOf(name);
  return locale === 'en' ? english : loaders[locale]();
}

/** Puts what a text is about in place of its `{0}` and `{1}`. */
export const fillIn = (text: string, ...about: (string | number)[]): string =>
  text.replace(/\{(\d)\}/g, (place, at: string) => String(about[Number(at)] ?? place));
