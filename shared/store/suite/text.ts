import type { Filter, Sort } from '../port.js';
import { keep, keysMatching, type Note, notes, refused, type Subject, someone } from './fixture.js';

const shelf: Record<string, Omit<Note, '_id' | 'owner'>> = {
  ada: { title: 'Ada Lovelace', email: 'ada@example.com', rank: 3, kind: 'a' },
  adam: { title: 'Adam ÄRGER', email: 'adam_b@example.com', rank: 1, kind: 'b' },
  percent: { title: '100% sure \\ "quoted" (a OR b) NEAR*', email: null, rank: 2, kind: 'a' },
  cjk: { title: '日本語のドキュメント', rank: 4 },
  smile: { title: 'so \u{1F600}\u{1F601} happy', rank: 5 },
  short: { title: 'ab', email: 'z', rank: 6 },
  blank: { title: '', email: 'only@mail.example' },
  bare: {},
};

const cases: [string, string[]][] = [
  ['ada', ['ada', 'adam']],
  ['ADA', ['ada', 'adam']],
  ['Ada L', ['ada']],
  ['lace', ['ada']],
  ['ace ada', []],
  ['example.com', ['ada', 'adam']],
  ['adam_b@example.com', ['adam']],
  ['adam_b@exempla.com', []],
  ['lovelaceada', []],
  ['ärger', ['adam']],
  ['ärg', ['adam']],
  ['rge', ['adam']],
  ['%', ['percent']],
  ['0% s', ['percent']],
  ['_', ['adam']],
  ['m_b', ['adam']],
  ['a_a', []],
  ['\\', ['percent']],
  ['\\ "', ['percent']],
  ['"quoted"', ['percent']],
  ['(a OR b)', ['percent']],
  ['ada OR adam', []],
  ['near*', ['percent']],
  ['ne*', []],
  ['a', ['ada', 'adam', 'percent', 'smile', 'short', 'blank']],
  ['z', ['short']],
  ['ab', ['short']],
  ['b', ['adam', 'percent', 'short']],
  ['日', ['cjk']],
  ['本語', ['cjk']],
  ['ドキュ', ['cjk']],
  ['\u{1F600}', ['smile']],
  ['\u{1F600}\u{1F601} h', ['smile']],
  ['abz', []],
  ['nothing at all', []],
  ['', Object.keys(shelf)],
];

export function textTests(subject: Subject): void {
  describe('contains', () => {
    const owner = someone();
    const other = someone();
    const text = (text: string): Filter<Note> => ({ $contains: { index: 'text', text } });
    beforeAll(async () => {
      await keep(subject.store, owner, shelf);
      await keep(subject.store, other, { ada: { title: 'Ada Elsewhere' } });
    });

    test.each(cases)('finds %j in any of its fields', async (term, keys) => {
      const { store } = subject;
      expect((await keysMatching(store, owner, text(term))).sort()).toEqual([...keys].sort());
      expect(await store.count(notes, { owner, ...text(term) })).toBe(keys.length);
    });

    test('works with other conditions, a sort and pages', async () => {
      const { store } = subject;
      expect(await keysMatching(store, owner, { kind: 'a', ...text('a') }, { rank: 1 })).toEqual(['percent', 'ada']);
      expect(await keysMatching(store, owner, { $and: [{ rank: { $lt: 3 } }], ...text('a') })).toEqual([
        'adam',
        'percent',
      ]);
      const sort: Sort<Note> = { rank: -1 };
      const first = await store.page(notes, { filter: { owner, ...text('a') }, sort, limit: 4 });
      expect(first.items.map((note) => note.rank)).toEqual([6, 5, 3, 2]);
      const second = await store.page(notes, { filter: { owner, ...text('a') }, sort, limit: 4, after: first.next });
      expect(second.items.map((note) => note.rank)).toEqual([1, undefined]);
      expect(second.next).toBeUndefined();
      expect(await store.countBy(notes, 'kind', { owner, ...text('ada') })).toEqual(
        new Map([
          ['a', 1],
          ['b', 1],
        ]),
      );
    });

    test('counts what it finds under every other condition', async () => {
      const { store } = subject;
      const count = (filter: Filter<Note>) => store.count(notes, filter);
      expect(await count({ owner, $and: [{ owner }], ...text('ada') })).toBe(2);
      expect(await count({ owner, $and: [text('ada'), text('lace')] })).toBe(1);
      expect(await count({ owner, $or: [text('lace'), text('ドキュ')] })).toBe(2);
      expect(await count({ owner, email: { $ne: null }, ...text('a') })).toBe(4);
      expect(await count({ $and: [{ owner }, { owner: other }], ...text('ada') })).toBe(0);
      expect(await count({ owner: someone(), ...text('ada') })).toBe(0);
    });

    test('needs its `within` fields', async () => {
      const { store } = subject;
      await expect(store.count(notes, text('ada'))).rejects.toMatchObject(refused);
      await expect(store.count(notes, { owner: { $ne: other }, ...text('ada') })).rejects.toMatchObject(refused);
      const odd = { owner, $contains: { index: 'text', text: { $ne: '' } } } as never;
      await expect(store.count(notes, odd)).rejects.toMatchObject(refused);
    });

    test('follows documents that change', async () => {
      const { store } = subject;
      const who = someone();
      await keep(store, who, { a: { title: 'red apple' }, b: { title: 'red brick' } });
      await store.update(notes, { _id: `${who}/a` }, { $set: { title: 'green apple' } });
      expect(await keysMatching(store, who, text('red'))).toEqual(['b']);
      expect(await keysMatching(store, who, text('green'))).toEqual(['a']);
      await store.update(notes, { _id: `${who}/a` }, { $unset: { title: true } });
      expect(await keysMatching(store, who, text('apple'))).toEqual([]);
      await store.deleteMany(notes, { owner: who, ...text('brick') });
      expect(await store.count(notes, { owner: who, ...text('brick') })).toBe(0);
      expect(await keysMatching(store, who, {})).toEqual(['a']);
    });

    test('follows documents that move', async () => {
      const { store } = subject;
      const [from, to] = [someone(), someone()];
      await keep(store, from, { a: { title: 'silver' } });
      await store.updateMany(notes, { owner: from }, { $set: { owner: to } });
      expect(await store.count(notes, { owner: from, ...text('silver') })).toBe(0);
      expect(await store.count(notes, { owner: to, ...text('silver') })).toBe(1);
      await store.delete(notes, { _id: `${from}/a` });
      expect(await store.count(notes, { owner: to, ...text('silver') })).toBe(0);
    });
  });
}
