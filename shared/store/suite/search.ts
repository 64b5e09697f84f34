import { expectTurns } from '../../testing/processor-time.js';
import type { ScopeHits, SearchEntry, SearchTerm } from '../search-port.js';
import { keep, pages, type Subject, shelves, someone } from './fixture.js';

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
    const search = async (scope: string, text: string, each = 50) => {
      const [found] = await subject.store.search(pages, { scopes: [scope], terms: terms(text), each });
      return { hits: found?.hits ?? [], total: found?.total ?? 0 };
    };
    const find = async (scope: string, text: string, each?: number) => {
      const { hits, total } = await search(scope, text, each);
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
      expect(await subject.store.search(pages, { scopes: [scope], terms: [], each: 10 })).toEqual([]);
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
      const [first, second] = await Promise.all([one, two].map((scope) => search(scope, 'docker comp*')));
      expect(first?.hits).toHaveLength(2);
      expect(second).toEqual(first);
    });

    test('shares nothing between scopes', async () => {
      const [one, two] = [someone(), someone()];
      await index(one, [entry('same', 'docker', 'only one')]);
      const before = await search(one, 'docker');
      await index(two, [entry('same', 'docker', 'only two'), entry('more', 'docker', 'docker')]);
      expect(await search(one, 'docker')).toEqual(before);
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

  describe('searching scopes together', () => {
    const put = (scope: string, entries: SearchEntry[], removed?: string[]) =>
      subject.store.indexEntries(shelves, scope, entries, removed);
    const look = (scopes: string[], text: string, each = 50) =>
      subject.store.search(shelves, { scopes, terms: terms(text), each });
    const flat = (found: ScopeHits[]) =>
      found.flatMap(({ hits }) => hits).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));

    /** Stores notes of one owner, whose ids are scopes of one group. */
    async function newScopes(count: number): Promise<string[]> {
      const owner = someone();
      const keys = Array.from({ length: count }, (_, n) => String(n).padStart(3, '0'));
      await keep(subject.store, owner, Object.fromEntries(keys.map((key) => [key, {}])));
      return keys.map((key) => `${owner}/${key}`);
    }

    test('ranks as if the entries were in one scope, whatever others of the group hold', async () => {
      const scopes = await newScopes(40);
      const together = someone();
      const some = scopes.filter((_, n) => n % 3 > 0);
      for (const [n, scope] of scopes.entries()) {
        const entries = [
          entry(`${n}a`, n % 7 === 0 ? 'kafka guide' : 'some page', `kafka kafkas ${'word '.repeat(n % 5)}`),
          entry(`${n}b`, `page ${n}`, n % 4 === 0 ? 'only kafkaesque words' : 'nothing of it'),
          entry(`gone${n}`, 'kafka'),
        ];
        await put(scope, entries);
        await put(scope, [entry(`${n}b`, `page ${n}`, entries[1]?.body.join(' '))], [`gone${n}`]);
        if (some.includes(scope)) await put(together, entries.slice(0, 2));
      }
      for (const text of [
        'kafka',
        'kafka*',
        'k*',
        'kafk*',
        'page kaf*',
        'kafka word',
        'page 9*',
        'kafka absent',
        'some',
      ]) {
        const [one] = await look([together], text, 1000);
        const found = await look(some, text, 1000);
        expect(flat(found)).toEqual(one?.hits ?? []);
        expect(found.reduce((sum, { total }) => sum + total, 0)).toBe(one?.total ?? 0);
        expect(await look([...some, ...some, 'nobody'], text, 1000)).toEqual(found);
        expect(new Set(found.map(({ scope }) => scope)).size).toBe(found.length);
        expect(found.every(({ scope }) => some.includes(scope))).toBe(true);
      }
    });

    test('puts the scope with the best entry first, then goes by name, and cuts each', async () => {
      const scopes = await newScopes(20);
      const [first = '', second = '', third = ''] = scopes;
      await put(third, [entry('titled', 'kafka'), entry('a', 'x', 'kafka'), entry('b', 'x', 'kafka')]);
      for (const scope of [second, first]) await put(scope, [entry('same', 'x', 'kafka')]);
      const found = await look(scopes, 'kafka', 2);
      expect(found.map(({ scope, hits, total }) => [scope, hits.map(({ id }) => id), total])).toEqual([
        [third, ['titled', 'a'], 3],
        [first, ['same'], 1],
        [second, ['same'], 1],
      ]);
      expect(await look(scopes, 'kafka', 0)).toMatchObject([{ total: 3, hits: [] }, { hits: [] }, { hits: [] }]);
    });

    test('finds nothing of a dropped scope, and all of one that is filled again', async () => {
      const scopes = await newScopes(30);
      for (const scope of scopes) await put(scope, [entry('a', 'kafka')]);
      const [first = ''] = scopes;
      await subject.store.dropScope(shelves, first);
      expect(await look(scopes, 'kafka')).toHaveLength(29);
      await put(first, [entry('b', 'kafka'), entry('c', 'kafka', 'more')]);
      expect((await look(scopes, 'kaf*')).find(({ scope }) => scope === first)?.total).toBe(2);
      expect(await look(scopes.slice(0, 25), 'kafka more')).toMatchObject([{ scope: first, total: 1 }]);
    });

    test('searches many scopes of several groups, and of none', async () => {
      const [one, two] = [await newScopes(20), await newScopes(20)];
      for (const [n, scope] of [...one, ...two].entries()) await put(scope, [entry(`e${n}`, 'kafka')]);
      await put('no document', [entry('lost', 'kafka')]);
      const all = [...one, ...two, 'no document'];
      expect((await look(all, 'kafka')).map(({ scope }) => scope).sort()).toEqual([...all].sort());
      expect(await look([], 'kafka')).toEqual([]);
      const scopes = Array.from({ length: 40 }, () => someone());
      for (const scope of scopes) await subject.store.indexEntries(pages, scope, [entry('a', 'kafka')]);
      expect(await subject.store.search(pages, { scopes, terms: terms('kafka'), each: 1 })).toHaveLength(40);
    });

    test('holds the event loop for moments only, whatever matches', async () => {
      const scopes = await newScopes(20);
      const words = Array.from({ length: 40 }, (_, n) => `common${n}`).join(' ');
      const entries = Array.from({ length: 40 }, (_, n) => entry(`e${n}`, 'common page', words));
      for (const scope of scopes) await put(scope, entries);
      const searches = async () => {
        for (const text of ['common1', 'com*', 'c*', words]) expect(await look(scopes, text, 10)).toHaveLength(20);
      };
      await expectTurns(searches);
    });
  });
}
