import { english } from './english/english.js';
import type { Translation, Words } from './words.js';

interface LanguageOfApp {
  /** In itself. */
  name: string;
  /** Loaded when the first person asks for it. */
  load: () => Promise<Translation>;
}

const known = {
  en: { name: 'English', load: async () => english },
  de: { name: 'Deutsch', load: async () => (await import('./german/german.js')).german },
  es: { name: 'Español', load: async () => (await import('./spanish/spanish.js')).spanish },
  fr: { name: 'Français', load: async () => (await import('./french/french.js')).french },
  ja: { name: '日本語', load: async () => (await import('./japanese/japanese.js')).japanese },
  nb: { name: 'Norsk bokmål', load: async () => (await import('./norwegian/norwegian.js')).norwegian },
  nl: { name: 'Nederlands', load: async () => (await import('./dutch/dutch.js')).dutch },
  'pt-br': {
    name: 'Português (Brasil)',
    load: async () => (await import('./brazilian-portuguese/brazilian-portuguese.js')).brazilianPortuguese,
  },
  ru: { name: 'Русский', load: async () => (await import('./russian/russian.js')).russian },
  zh: {
    name: '简体中文',
    load: async () => (await import('./simplified-chinese/simplified-chinese.js')).simplifiedChinese,
  },
} satisfies Record<string, LanguageOfApp>;
export type Language = keyof typeof known;

/** The languages of the app. */
export const languages: Record<Language, LanguageOfApp> = known;

const complete = new Map<Language, Words>();

/** The texts in a language. */
export async function wordsIn(language: Language): Promise<Words> {
  const made = complete.get(language) ?? completed(await languages[language].load());
  complete.set(language, made);
  return made;
}

function completed(translation: Translation): Words {
  const topics = Object.keys(english) as (keyof Words)[];
  return Object.fromEntries(topics.map((topic) => [topic, { ...english[topic], ...translation[topic] }])) as Words;
}

const isLanguage = (name: string): name is Language => Object.hasOwn(languages, name);

/** The language of a browser: the one that its user chose, else the first that it asks for and we have. */
export function languageOf(chosen: string, accepted: string | undefined): Language {
  if (isLanguage(chosen)) return chosen;
  for (const tag of (accepted ?? '').slice(0, 500).toLowerCase().split(',')) {
    const name = tag.split(';', 1)[0]?.trim() ?? '';
    if (isLanguage(name)) return name;
    const [base = ''] = name.split('-', 1);
    const near = { pt: 'pt-br', no: 'nb', nn: 'nb' }[base] ?? base;
    if (isLanguage(near)) return near;
  }
  return 'en';
}

/** Puts what a text is about in place of its `{0}` and `{1}`. */
export const fill = (text: string, ...about: (string | number)[]): string =>
  text.replace(/\{(\d)\}/g, (place, at: string) => String(about[Number(at)] ?? place));
