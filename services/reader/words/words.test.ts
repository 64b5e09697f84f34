import { readFileSync } from 'node:fs';
import { packageFile } from '../../../shared/process/package-root.js';
import { english } from './english.js';
import { fillIn, wordsOf } from './languages.js';
import { bcp47, formatDate, formatNumber, languageTags, localeOf, textDirection } from './locales.js';
import { wordKeys } from './words.js';

const locales = Object.keys(languageTags);
const placesIn = (text: string) => [...text.matchAll(/\{\d\}/g)].map(([place]) => place).sort();

it('knows the 39 languages of the public renderer', () => {
  expect(locales).toHaveLength(39);
});

// A service imports no room of another one, so the lists of content are read as text.
it('has every word that bodies of pages leave to the language', () => {
  const marks = readFileSync(packageFile('services/content/format/html/marks.ts'), 'utf8');
  const lists = [...marks.matchAll(/^export const \w+Words = \[([^\]]*)\]/gm)].map(([, list = '']) => list);
  const names = lists.flatMap((list) => [...list.matchAll(/^ *'(\w+)'/gm)].map(([, name = '']) => name));
  expect([lists.length, names.length > 50]).toEqual([2, true]);
  expect(names.filter((name) => !(wordKeys as readonly string[]).includes(name))).toEqual([]);
});

it.each(locales)('has all words in %s, with the places of the English ones', async (locale) => {
  const words = await wordsOf(locale);
  expect(Object.keys(words).sort()).toEqual([...wordKeys].sort());
  for (const key of wordKeys) {
    expect(words[key].trim()).toBe(words[key]);
    expect(words[key]).not.toBe('');
    expect([key, placesIn(words[key])]).toEqual([key, placesIn(english[key])]);
  }
});

it('has no text of English in another language', async () => {
  const sentences = wordKeys.filter((key) => english[key].split(' ').length > 3);
  for (const locale of locales.filter((each) => each !== 'en')) {
    const words = await wordsOf(locale);
    expect(sentences.filter((key) => words[key] === english[key])).toEqual([]);
  }
});

it.each([
  ['no', 'nb'],
  ['pt-BR', 'pt-br'],
  ['pt-PT', 'pt'],
  ['de-AT', 'de'],
  ['zh-Hant-HK', 'zh-tw'],
  ['zh_TW', 'zh-tw'],
  ['zh-CN', 'zh'],
  ['xx', 'en'],
  ['', 'en'],
  ['__proto__', 'en'],
  ['constructor', 'en'],
])('takes %j for %s', async (name, locale) => {
  expect(localeOf(name)).toBe(locale);
  expect(await wordsOf(name)).toBe(await wordsOf(locale));
});

it('loads a language once', async () => {
  expect(await wordsOf('fr')).toBe(await wordsOf('fr'));
});

it('tags pages with languages that every program knows', () => {
  for (const locale of locales) expect(Intl.getCanonicalLocales(bcp47(locale))).toEqual([bcp47(locale)]);
  expect(['pt-br', 'zh', 'zh-tw', 'no', 'xx'].map(bcp47)).toEqual(['pt-BR', 'zh-Hans', 'zh-Hant-TW', 'nb', 'en']);
});

it('writes Arabic and Hebrew from right to left', () => {
  expect(locales.filter((locale) => textDirection(locale) === 'rtl')).toEqual(['ar', 'he']);
});

it('writes days in UTC, as each language does', () => {
  expect(formatDate('en', '2026-03-01T23:59:59.000Z')).toBe('March 1, 2026');
  expect(formatDate('de', '2026-03-01')).toBe('1. März 2026');
  expect(formatDate('ja', '2026-03-01')).toBe('2026年3月1日');
});

it('shows a date that is none as it is written', () => {
  expect(formatDate('en', 'soon')).toBe('soon');
});

it('writes numbers as each language does', () => {
  expect([formatNumber('en', 12345.5), formatNumber('de', 12345.5)]).toEqual(['12,345.5', '12.345,5']);
});

it('puts what a text is about in its places', () => {
  expect(fillIn('{0} out of {1}', 3, 5)).toBe('3 out of 5');
  expect(fillIn('No results for {0}', '$& {1} {0}')).toBe('No results for $& {1} {0}');
  expect(fillIn('{0} {1}', 'a')).toBe('a {1}');
});
