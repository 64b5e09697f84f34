import { english } from './english/english.js';
import { type Language, languageOf, languages, wordsIn } from './languages.js';

type Texts = Record<string, Record<string, string>>;

const placesIn = (text: string): string[] => [...new Set(text.match(/\{\d\}/g))].sort();

describe.each((Object.keys(languages) as Language[]).filter((language) => language !== 'en'))('%s', (language) => {
  it('has every text, about the same things', async () => {
    const own = (await languages[language].load()) as Texts;
    const differing = Object.entries(english as Texts).flatMap(([topic, texts]) =>
      Object.entries(texts).flatMap(([name, text]) => {
        const translated = own[topic]?.[name];
        const isSame = translated !== undefined && `${placesIn(translated)}` === `${placesIn(text)}`;
        return isSame ? [] : [`${topic}.${name}: ${translated}`];
      }),
    );
    expect(differing).toEqual([]);
  });

  it('has no text that is not asked for', async () => {
    const own = (await languages[language].load()) as Texts;
    const names = (texts: Texts) =>
      Object.entries(texts).flatMap(([topic, all]) => Object.keys(all).map((name) => `${topic}.${name}`));
    const known = new Set(names(english as Texts));
    expect(names(own).filter((name) => !known.has(name))).toEqual([]);
  });
});

it('a browser gets the language that it asks for first, of those that there are', async () => {
  expect(languageOf('', 'tlh, de-CH;q=0.9, en;q=0.8')).toBe('de');
  expect(languageOf('', 'pt-PT')).toBe('pt-br');
  expect(languageOf('', 'no')).toBe('nb');
  expect(languageOf('', undefined)).toBe('en');
  expect(languageOf('fr', 'de')).toBe('fr');
  expect(languageOf('__proto__', 'de')).toBe('de');
  expect((await wordsIn('de')).frame.cancel).toBe('Abbrechen');
});
