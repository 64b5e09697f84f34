/** The languages of the interface; `no` is another name of `nb`. */
export const locales = [
  ...([
    'en',
    'fr',
    'es',
    'zh',
    'ja',
    'de',
    'nl',
    'no',
    'pt-br',
    'ru',
    'ar',
    'bg',
    'cs',
    'da',
    'el',
    'et',
    'fi',
  ] as const),
  ...(['he', 'hi', 'hr', 'hu', 'id', 'it', 'ko', 'lt', 'lv', 'ms', 'nb', 'pl', 'pt', 'ro', 'sk', 'sl', 'sr'] as const),
  ...(['sv', 'th', 'tr', 'uk', 'vi', 'zh-tw'] as const),
] as const;
