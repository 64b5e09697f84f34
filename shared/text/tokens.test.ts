import fc from 'fast-check';
import { anyCharacter, runs } from '../testing/runs.js';
import { foldLatin, queryTerms, tokenize } from './tokens.js';

fc.configureGlobal({ numRuns: runs(100) });

/** Whether a text that was indexed answers a query, as the store decides it: every term by a token or its start. */
function finds(text: string, query: string): boolean {
  const tokens = tokenize(text);
  const terms = queryTerms(query);
  return (
    terms.length > 0 &&
    terms.every(({ token, prefix }) => tokens.some((held) => (prefix ? held.startsWith(token) : held === token)))
  );
}

describe('tokenize', () => {
  test.each([
    ['Install Docker, then run it.', ['install', 'docker', 'then', 'run', 'it']],
    ['foo_bar foo.bar foo-bar camelCase', ['foo', 'bar', 'foo', 'bar', 'foo', 'bar', 'camelcase']],
    ['HTTP/2 on port 8080', ['http', '2', 'on', 'port', '8080']],
    ['Crème brûlée, Straße, Ångström, Łódź', ['creme', 'brulee', 'strasse', 'angstrom', 'lodz']],
    ['cafe\u0301 İstanbul', ['cafe', 'istanbul']],
    ['ＡＢＣ ﬁle m² ½', ['abc', 'file', 'm2', '1', '2']],
    ['Йод ёлка', ['йод', 'ёлка']],
    ['ΟΔΟΣ οδος', ['οδοσ', 'οδοσ']],
    ['हिन्दी में', ['हिन्दी', 'में']],
    ['docu\u00admentation', ['documentation']],
    ['مُحَمَّد', ['محمد']],
    ['שָׁלוֹם', ['שלום']],
    ['🚀 launch 👩‍🚀', ['launch']],
    ['', []],
    [' \n\t…—', []],
  ])('reads the words of %j', (text, tokens) => {
    expect(tokenize(text)).toEqual(tokens);
  });

  test.each([
    ['資料庫', ['資料', '料庫', '庫']],
    ['使用 PostgreSQL資料庫', ['使用', '用', 'postgresql', '資料', '料庫', '庫']],
    ['第3章', ['第', '3', '章']],
    ['サーバー', ['サー', 'ーバ', 'バー', 'ー']],
    ['ｻｰﾊﾞｰ', ['サー', 'ーバ', 'バー', 'ー']],
    ['데이터', ['데이', '이터', '터']],
    ['𠮷野家', ['𠮷野', '野家', '家']],
    ['葛\u{e0100}城', ['葛城', '城']],
    ['ไทย', ['ไท', 'ทย', 'ย']],
  ])('reads %j as pairs of characters', (text, tokens) => {
    expect(tokenize(text)).toEqual(tokens);
  });

  test('cuts a long word without splitting a character', () => {
    expect(tokenize('x'.repeat(1000))).toEqual(['x'.repeat(64)]);
    expect(tokenize(`${'x'.repeat(63)}${'𐌰'.repeat(10)}`)).toEqual(['x'.repeat(63)]);
    expect(tokenize('ß'.repeat(100))).toEqual(['s'.repeat(64)]);
  });

  test('gives only tokens that the store accepts, for any text', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary-ascii' }),
    );
    fc.assert(
      fc.property(text, (any) => {
        expect(tokenize(any).filter((token) => !/^[a-z0-9\u0080-\uffff]{1,64}$/.test(token))).toEqual([]);
      }),
      { numRuns: runs(250) },
    );
  });
});

describe('queryTerms', () => {
  test('takes the last word as a prefix, however short', () => {
    expect(queryTerms('Git sy')).toEqual([{ token: 'git' }, { token: 'sy', prefix: true }]);
    expect(queryTerms('g')).toEqual([{ token: 'g', prefix: true }]);
    expect(queryTerms('ver 資料')).toEqual([{ token: 'ver' }, { token: '資料' }]);
  });

  test('takes a single character of a script without spaces as a prefix anywhere', () => {
    expect(queryTerms('庫 table')).toEqual([
      { token: '庫', prefix: true },
      { token: 'table', prefix: true },
    ]);
  });

  test('has no terms for a text without words', () => {
    expect(queryTerms('')).toEqual([]);
    expect(queryTerms(' -- ?! ')).toEqual([]);
  });

  test('leaves out repeats and stops at 32 terms', () => {
    expect(queryTerms('foo bar foo')).toEqual([{ token: 'foo' }, { token: 'bar' }]);
    const many = Array.from({ length: 100 }, (_, at) => `w${at}`).join(' ');
    expect(queryTerms(many)).toHaveLength(32);
  });

  test.each([
    ['在這個章節中介紹資料庫的使用', '資料'],
    ['在這個章節中介紹資料庫的使用', '料庫'],
    ['在這個章節中介紹資料庫的使用', '用'],
    ['在這個章節中介紹資料庫的使用', '資料庫'],
    ['データベースの使い方', 'ベース'],
    ['데이터베이스에서', '베이스'],
    ['Les cafés de Paris', 'cafe'],
    ['cafe', 'CAFÉ'],
    ['Straßenbahn', 'strass'],
    ['snake_case_name', 'case_na'],
  ])('%j is found by %j', (text, query) => {
    expect(finds(text, query)).toBe(true);
  });

  test('any part of a run of Chinese text finds it', () => {
    const character = fc.integer({ min: 0x4e00, max: 0x9fff }).map((code) => String.fromCharCode(code));
    const run = fc.array(character, { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(run, fc.nat(), fc.nat(), (characters, from, length) => {
        const start = from % characters.length;
        const part = characters.slice(start, start + 1 + (length % (characters.length - start)));
        return finds(`前言 ${characters.join('')}。`, part.join(''));
      }),
    );
  });

  test('a text of words is found by itself', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => tokenize(text).length === 0 || finds(text, text)));
  });
});

test('foldLatin decomposes Latin letters and no others', () => {
  expect(foldLatin('crème straße ǿ')).toBe('creme strasse o');
  expect(foldLatin('йод ά 資料 が')).toBe('йод ά 資料 が');
});
