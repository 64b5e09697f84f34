/** The languages of the interface, as customizations name them, each with its language tag. */
export const languageTags = {
  ar: 'ar',
  bg: 'bg',
  cs: 'cs',
  da: 'da',
  de: 'de',
  el: 'el',
  en: 'en',
  es: 'es',
  et: 'et',
  fi: 'fi',
  fr: 'fr',
  he: 'he',
  hi: 'hi',
  hr: 'hr',
  hu: 'hu',
  id: 'id',
  it: 'it',
  ja: 'ja',
  ko: 'ko',
  lt: 'lt',
  lv: 'lv',
  ms: 'ms',
  nb: 'nb',
  nl: 'nl',
  pl: 'pl',
  pt: 'pt-PT',
  'pt-br': 'pt-BR',
  ro: 'ro',
  ru: 'ru',
  sk: 'sk',
  sl: 'sl',
  sr: 'sr',
  sv: 'sv',
  th: 'th',
  tr: 'tr',
  uk: 'uk',
  vi: 'vi',
  zh: 'zh-Hans',
  'zh-tw': 'zh-Hant-TW',
} as const;
export type Locale = keyof typeof languageTags;

/** Other names of the same languages. */
const aliases: Record<string, Locale> = {
  no: 'nb',
  nn: 'nb',
  'pt-pt': 'pt',
  iw: 'he',
  in: 'id',
  'zh-cn': 'zh',
  'zh-sg': 'zh',
  'zh-hans': 'zh',
  'zh-hant': 'zh-tw',
  'zh-hk': 'zh-tw',
  'zh-mo': 'zh-tw',
};

const isLocale = (name: string): name is Locale => Object.hasOwn(languageTags, name);

/** The language of the interface for any name of a language, such as `de-AT`; English for one that we have no words in. */
export function localeOf(name: string): Locale {
  const full = name.slice(0, 40).toLowerCase().replaceAll('_', '-');
  const short = full.split('-', 1)[0] ?? '';
  for (const each of [full, full.split('-', 2).join('-'), short]) {
    if (isLocale(each)) return each;
    if (Object.hasOwn(aliases, each)) return aliases[each] ?? 'en';
  }
  return 'en';
}

/** The value of `lang`. */
export const bcp47 = (locale: string): string => languageTags[localeOf(locale)];

/** The value of `dir`. */
export const textDirection = (locale: string): 'ltr' | 'rtl' =>
  ['ar', 'he'].includes(localeOf(locale)) ? 'rtl' : 'ltr';

/** The attributes of an element whose texts are in a language. */
export const languageAttributes = (locale: string): LanguageAttributes => ({
  lang: bcp47(locale),
  dir: textDirection(locale),
});

export interface LanguageAttributes {
  lang: string;
  dir: 'ltr' | 'rtl';
}

// Formats are dear to make and few.
const dateFormats = new Map<string, Intl.DateTimeFormat>();
const numberFormats = new Map<string, Intl.NumberFormat>();

function formatFor<F>(kept: Map<string, F>, locale: string, make: (tag: string) => F): F {
  const tag = bcp47(locale);
  const format = kept.get(tag) ?? make(tag);
  kept.set(tag, format);
  return format;
}

/** A day as a language writes it, in UTC; the text itself when it is no date. */
export function formatDate(locale: string, iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const make = (tag: string) => new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' });
  return formatFor(dateFormats, locale, make).format(date);
}

export const formatNumber = (locale: string, value: number): string =>
  formatFor(numberFormats, locale, (tag) => new Intl.NumberFormat(tag)).format(value);
