import { accounts, keep, keysMatching, keysOf, notes, refused, type Subject, someone } from './fixture.js';

export function writeTests(subject: Subject): void {
  describe('documents', () => {
    test('are read as they were written', async () => {
      const { store } = subject;
      const owner = someone();
      const note = {
        _id: `${owner}/a "quoted" 'id' \\ %_ \u{1F600}`,
        owner,
        title: 'Zeile 1\nZeile 2 \u0000 \u2028 é ☃ \u{1F600}',
        done: false,
        rank: -1.5,
        size: 2 ** 53 - 1,
        due: null,
        labels: [],
        tags: ['x', 'y'],
        meta: { level: 0, flags: { hot: true }, counts: { 'a.b $c': 1e21 } },
      };
      await store.insert(notes, note);
      expect(await store.get(notes, note._id)).toEqual(note);
      expect(await store.findOne(notes, { owner, title: note.title })).toEqual(note);
    });

    test('are null when missing, and left out of getMany', async () => {
      const { store } = subject;
      const owner = someone();
      await keep(store, owner, { a: {}, b: {}, c: {} });
      expect(await store.get(notes, `${owner}/x`)).toBeNull();
      expect(await store.findOne(notes, { owner, title: 'x' })).toBeNull();
      const ids = ['c', 'x', 'a', 'b'].map((key) => `${owner}/${key}`);
      expect(keysOf(await store.getMany(notes, ids))).toEqual(['c', 'a', 'b']);
      expect(await store.getMany(notes, [])).toEqual([]);
    });

    test('are read with the requested fields', async () => {
      const { store } = subject;
      const owner = someone();
      await keep(store, owner, { a: { title: 't', rank: 3, meta: { level: 1 }, done: false } });
      const fields = ['rank', 'done', 'slug'] as const;
      const options = { fields: [...fields] };
      const short = { _id: `${owner}/a`, rank: 3, done: false };
      expect(await store.get(notes, `${owner}/a`, options)).toEqual(short);
      expect(await store.getMany(notes, [`${owner}/a`], options)).toEqual([short]);
      expect(await store.findOne(notes, { owner }, options)).toEqual(short);
      // The sort field is not among the requested fields but must be in the cursor.
      await keep(store, owner, { b: { rank: 4, title: 'u' } });
      const page = await store.page(notes, { filter: { owner }, sort: { rank: 1 }, limit: 1, fields: ['title'] });
      expect(page).toEqual({ items: [{ _id: `${owner}/a`, title: 't' }], next: [3, `${owner}/a`] });
    });

    test('are inserted once', async () => {
      const { store } = subject;
      const owner = someone();
      const note = { _id: `${owner}/a`, owner, title: 'first' };
      await store.insert(notes, note);
      const again = store.insert(notes, { ...note, title: 'second' });
      await expect(again).rejects.toMatchObject({ name: 'StoreDuplicate', collection: notes.name, fields: ['_id'] });
      expect(await store.get(notes, note._id)).toEqual(note);
    });

    test('respect a unique index, where it applies', async () => {
      const { store } = subject;
      const [owner, other] = [someone(), someone()];
      await keep(store, owner, { a: { slug: 'x' }, b: {}, c: { slug: null } });
      await keep(store, other, { a: { slug: 'x' }, b: {} });
      const duplicate = { name: 'StoreDuplicate', collection: notes.name, fields: ['owner', 'slug'] };
      await expect(store.insert(notes, { _id: `${owner}/d`, owner, slug: 'x' })).rejects.toMatchObject(duplicate);
      const update = store.update(notes, { _id: `${owner}/b` }, { $set: { slug: 'x' } });
      await expect(update).rejects.toMatchObject(duplicate);
      const upsert = store.upsert(notes, { _id: `${owner}/d`, owner }, { $set: { slug: 'x' } });
      await expect(upsert).rejects.toMatchObject(duplicate);
      await store.update(notes, { _id: `${owner}/a` }, { $unset: { slug: true } });
      await store.update(notes, { _id: `${owner}/b` }, { $set: { slug: 'x' } });
      expect(await keysMatching(store, owner, { slug: 'x' })).toEqual(['b']);
    });

    test('are inserted together or not at all', async () => {
      const { store } = subject;
      const owner = someone();
      const many = Array.from({ length: 1500 }, (_, n) => ({ _id: `${owner}/${n}`, owner, rank: n, tags: ['t'] }));
      const twice = [...many, { _id: `${owner}/7`, owner }];
      await expect(store.insertMany(notes, twice)).rejects.toMatchObject({ name: 'StoreDuplicate', fields: ['_id'] });
      expect(await store.count(notes, { owner })).toBe(0);
      await store.insertMany(notes, many);
      expect(await store.count(notes, { owner })).toBe(1500);
      expect(await store.count(notes, { owner, tags: 't' })).toBe(1500);
      await store.insertMany(notes, []);
    });

    test('may skip existing ones, but no other duplicate', async () => {
      const { store } = subject;
      const owner = someone();
      await keep(store, owner, { a: { title: 'old', slug: 's', tags: ['old'] } });
      const fresh = (key: string, title: string) => ({ _id: `${owner}/${key}`, owner, title, tags: ['new'] });
      const list = [fresh('a', 'new'), fresh('b', 'new'), fresh('b', 'again')];
      await store.insertMany(notes, list, { skipExisting: true });
      expect(await store.getMany(notes, [`${owner}/a`, `${owner}/b`], { fields: ['title'] })).toEqual([
        { _id: `${owner}/a`, title: 'old' },
        { _id: `${owner}/b`, title: 'new' },
      ]);
      expect(await keysMatching(store, owner, { tags: 'new' })).toEqual(['b']);
      const taken = [fresh('c', 'new'), { ...fresh('d', 'new'), slug: 's' }];
      await expect(store.insertMany(notes, taken, { skipExisting: true })).rejects.toMatchObject({
        name: 'StoreDuplicate',
        fields: ['owner', 'slug'],
      });
      expect(await store.get(notes, `${owner}/c`)).toBeNull();
    });

    test('are deleted one or many at a time', async () => {
      const { store } = subject;
      const owner = someone();
      await keep(store, owner, { a: { rank: 1, tags: ['t'] }, b: { rank: 1 }, c: { rank: 2 }, d: { rank: 1 } });
      expect(await store.delete(notes, { _id: `${owner}/a` })).toEqual({
        _id: `${owner}/a`,
        owner,
        rank: 1,
        tags: ['t'],
      });
      expect(await store.delete(notes, { _id: `${owner}/a` })).toBeNull();
      expect(await store.deleteMany(notes, { owner, rank: 1 })).toBe(2);
      expect(await store.deleteMany(notes, { owner, rank: 1 })).toBe(0);
      expect(await keysMatching(store, owner, {})).toEqual(['c']);
      expect(await keysMatching(store, owner, { tags: 't' })).toEqual([]);
    });

    test('succeed in one of many concurrent inserts', async () => {
      const { store } = subject;
      const email = `${someone()}@example.com`;
      const results = await Promise.allSettled(
        Array.from({ length: 16 }, (_, n) => store.insert(accounts, { _id: `${email}/${n}`, email })),
      );
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      for (const result of results)
        if (result.status === 'rejected')
          expect(result.reason).toMatchObject({ name: 'StoreDuplicate', fields: ['email'] });
      expect(await store.count(accounts, { email })).toBe(1);
    });

    test('need a string _id', async () => {
      const { store } = subject;
      const owner = someone();
      await expect(store.insert(notes, { _id: 5 as never, owner })).rejects.toMatchObject(refused);
      await expect(store.insert(notes, { owner } as never)).rejects.toMatchObject(refused);
      await expect(store.upsert(notes, { owner, title: 'x' }, {})).rejects.toMatchObject(refused);
      expect(await store.count(notes, { owner })).toBe(0);
    });
  });
}
