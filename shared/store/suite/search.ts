import type { SearchEntry, SearchStatistics, SearchTerm } from '../port.js';
import { sumOfStatistics } from '../score.js';
import { pages, type Subject, someone } from './fixture.js';

/** An entry from plain text, split at blanks. */
function entry(id: string, title: string, body = '', headings = ''): SearchEntry {
  const words = (text: string) => text.split(' ').filter(Boolean);
  return { id, title: words(title), headings: words(headings), body: words(body) };
}

/** Terms from text, split at blanks; one that ends with `*` is a prefix. */
function terms(text: string): SearchTerm[] {
  return text
    .split(' ')
    .map((word) => (word.endsWith('*') ? { token: word.slice(0, -1), prefix: true } : { token: word }));
}

export function searchTests(subject: Subject): void {
  describe('search', () => {
    const find = async (scope: string, text: string, limit = 50) => {
      const { hits, total } = await subject.store.search(pages, scope, terms(text), limit);
      return { ids: hits.map((hit) => hit.id), total };
    };
    const found = async (scope: string, text: string) => (await find(scope, text)).ids;
    const index = (scope: string, entries: SearchEntry[], removed?: string[]) =>
      subject.store.indexEntries(pages, scope, entries, removed);

    test('finds the entries that hold every term, best first', async () => {
      const scope = someone();
      await index(scope, [
        entry('body', 'some page', 'install docker here'),
        entry('headings', 'other page', 'install it', 'docker'),
        entry('title', 'docker notes', 'install it'),
        entry('none', 'last page', 'install it'),
      ]);
      expect(await found(scope, 'docker')).toEqual(['title', 'headings', 'body']);
      expect(await found(scope, 'install docker')).toEqual(['title', 'headings', 'body']);
      expect((await found(scope, 'install page')).sort()).toEqual(['body', 'headings', 'none']);
      expect(await find(scope, 'docker absent')).toEqual({ ids: [], total: 0 });
      expect(await find(scope, 'dock')).toEqual({ ids: [], total: 0 });
      expect(await subject.store.search(pages, scope, [], 10)).toEqual({ hits: [], total: 0 });
    });

    test('finds words by their start, whole words first', async () => {
      const scope = someone();
      await index(scope, [
        entry('file', 'a page', 'dockerfile'),
        entry('whole', 'a page', 'docker'),
        entry('both', 'a page', 'docker dockerfile'),
        entry('far', 'a page', 'dog'),
      ]);
      expect(await found(scope, 'docker*')).toEqual(['both', 'whole', 'file']);
      expect((await found(scope, 'do*')).sort()).toEqual(['both', 'far', 'file', 'whole']);
      expect((await found(scope, 'd*')).sort()).toEqual(['both', 'far', 'file', 'whole']);
      expect(await found(scope, 'docker* dog*')).toEqual([]);
      expect(await found(scope, 'dockerx*')).toEqual([]);
    });

    test('puts the entry whose title is the query first', async () => {
      const scope = someone();
      await index(scope, [
        entry('loud', 'more getting started', 'getting started '.repeat(9), 'getting started'),
        entry('exact', 'getting started', 'x '.repeat(400)),
      ]);
      expect(await found(scope, 'getting started')).toEqual(['exact', 'loud']);
      expect(await found(scope, 'getting started*')).toEqual(['exact', 'loud']);
    });

    test('finds tokens of every script', async () => {
      const scope = someone();
      await index(scope, [
        entry('ja', '日本 本語 語の', 'ドキ キュ ュメ'),
        entry('ko', '한국 국어', 'é ü ß'),
        entry('smile', '\u{1F600}', '\u{20000}\u{20001}'),
      ]);
      expect(await found(scope, '日本 本語')).toEqual(['ja']);
      expect(await found(scope, '日*')).toEqual(['ja']);
      expect(await found(scope, 'キュ')).toEqual(['ja']);
      expect(await found(scope, '한국')).toEqual(['ko']);
      expect(await found(scope, 'ü')).toEqual(['ko']);
      expect(await found(scope, '\u{1F600}')).toEqual(['smile']);
      expect(await found(scope, '\u{20000}*')).toEqual(['smile']);
    });

    test('takes keywords of query languages as words', async () => {
      const scope = someone();
      await index(scope, [entry('a', 'or and not near', 'null true'), entry('b', 'near', 'x')]);
      expect(await found(scope, 'or')).toEqual(['a']);
      expect(await found(scope, 'and not')).toEqual(['a']);
      expect(await found(scope, 'near')).toEqual(['b', 'a']);
    });

    test('replaces and removes entries', async () => {
      const scope = someone();
      await index(scope, [
        entry('a', 'old title', 'shared'),
        entry('b', 'other', 'shared'),
        entry('c', 'third', 'shared'),
      ]);
      await index(scope, [entry('a', 'new title', 'shared')], ['b', 'unknown']);
      expect(await found(scope, 'old')).toEqual([]);
      expect(await found(scope, 'o*')).toEqual([]);
      expect(await found(scope, 'new')).toEqual(['a']);
      expect((await find(scope, 'shared')).total).toBe(2);
      await index(scope, [], ['a']);
      expect(await found(scope, 'shared')).toEqual(['c']);
      await index(scope, []);
      expect(await found(scope, 'shared')).toEqual(['c']);
    });

    test('scores the same whatever was indexed and removed before', async () => {
      const [one, two] = [someone(), someone()];
      const kept = [entry('a', 'docker', 'compose file'), entry('b', 'compose', 'docker docker x')];
      await index(one, kept);
      await index(two, [entry('a', 'x y z', 'docker'), entry('gone', 'docker', 'compose '.repeat(50))]);
      await index(two, kept, ['gone']);
      const query = terms('docker comp*');
      const [first, second] = await Promise.all([one, two].map((each) => subject.store.search(pages, each, query, 10)));
      expect(first?.hits).toHaveLength(2);
      expect(second).toEqual(first);
    });

    test('shares nothing between scopes', async () => {
      const [one, two] = [someone(), someone()];
      await index(one, [entry('same', 'docker', 'only one')]);
      const before = await subject.store.search(pages, one, terms('docker'), 10);
      await index(two, [entry('same', 'docker', 'only two'), entry('more', 'docker', 'docker')]);
      expect(await subject.store.search(pages, one, terms('docker'), 10)).toEqual(before);
      expect(await found(one, 'two')).toEqual([]);
      expect(await found(two, 'on*')).toEqual(['same']);
      await subject.store.dropScope(pages, one);
      expect(await find(one, 'docker')).toEqual({ ids: [], total: 0 });
      expect((await find(two, 'docker')).total).toBe(2);
      await subject.store.dropScope(pages, one);
      await index(one, [entry('again', 'docker')]);
      expect(await found(one, 'd*')).toEqual(['again']);
      expect(await find('nobody', 'docker')).toEqual({ ids: [], total: 0 });
    });

    test('makes scores of several scopes comparable by the sum of their statistics', async () => {
      const [big, small] = [someone(), someone()];
      const many = Array.from({ length: 12 }, (_, n) =>
        entry(`m${n}`, 'some page', `kafka kafkas ${'word '.repeat(n)}`),
      );
      await index(big, [...many, entry('titled', 'kafka guide', 'about kafka')]);
      await index(small, [entry('mention', 'other page', 'kafka'), entry('none', 'last page', 'it')]);
      const best = async (scope: string, query: SearchTerm[], statistics?: SearchStatistics) =>
        (await subject.store.search(pages, scope, query, 1, statistics)).hits[0]?.score ?? 0;
      for (const query of [terms('kafka'), terms('kafka*'), terms('page k*')]) {
        const all = await Promise.all([big, small].map((scope) => subject.store.searchStatistics(pages, scope, query)));
        const together = someone();
        await index(together, [...many, entry('titled', 'kafka guide', 'about kafka')]);
        await index(together, [entry('mention', 'other page', 'kafka'), entry('none', 'last page', 'it')]);
        const sum = sumOfStatistics(all);
        expect(await subject.store.searchStatistics(pages, together, query)).toEqual(sum);
        const { hits } = await subject.store.search(pages, together, query, 50);
        const apart = await Promise.all([big, small].map((at) => subject.store.search(pages, at, query, 50, sum)));
        expect(
          apart.flatMap((found) => found.hits).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)),
        ).toEqual(hits);
      }
      const query = terms('kafka');
      const all = await Promise.all([big, small].map((scope) => subject.store.searchStatistics(pages, scope, query)));
      expect(await best(small, query)).toBeGreaterThan(await best(big, query));
      const sum = sumOfStatistics(all);
      expect(await best(big, query, sum)).toBeGreaterThan(await best(small, query, sum));
      expect(await subject.store.searchStatistics(pages, someone(), query)).toEqual({
        entries: 0,
        lengths: [0, 0, 0],
        matching: [0],
      });
    });

    test('counts all matches and returns as many as asked for', async () => {
      const scope = someone();
      const many = Array.from({ length: 120 }, (_, n) => entry(`e${String(n).padStart(3, '0')}`, 'same', 'words here'));
      await index(scope, many);
      const result = await find(scope, 'words', 5);
      expect(result).toEqual({ ids: ['e000', 'e001', 'e002', 'e003', 'e004'], total: 120 });
      expect((await find(scope, 'wor*', 5)).total).toBe(120);
      expect((await find(scope, 'words', 0)).total).toBe(120);
    });
  });
}
