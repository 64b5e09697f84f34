import { StoreDuplicate, write } from '../port.js';
import { accounts, keep, keysMatching, notes, refused, type Subject, someone } from './fixture.js';

export function batchTests(subject: Subject): void {
  describe('batches', () => {
    test('apply every write, in order, each seeing those before it', async () => {
      const { store } = subject;
      const owner = someone();
      const email = `${owner}@example.com`;
      await keep(store, owner, { a: { rank: 1 }, b: { rank: 1 }, c: { rank: 1 } });
      await store.batch([
        write.insert(notes, { _id: `${owner}/d`, owner, rank: 1, tags: ['t'] }),
        write.check(notes, { owner, rank: 1 }, 4),
        write.update(notes, { owner, rank: 1 }, { $inc: { rank: 1 } }, { expect: 4 }),
        write.check(notes, { owner, rank: 1 }, 0),
        write.upsert(accounts, { _id: email, email }, { $inc: { logins: 1 } }),
        write.upsert(accounts, { _id: email, email }, { $inc: { logins: 1 } }),
        write.delete(notes, { _id: `${owner}/a` }, { expect: 1 }),
        write.all([
          write.delete(notes, { _id: `${owner}/none` }),
          write.all([write.update(notes, { _id: `${owner}/b` }, { $set: { kind: 'x' } })]),
        ]),
      ]);
      expect(await keysMatching(store, owner, { rank: 2 })).toEqual(['b', 'c', 'd']);
      expect(await keysMatching(store, owner, { kind: 'x' })).toEqual(['b']);
      expect(await store.get(accounts, email)).toEqual({ _id: email, email, logins: 2 });
      await store.batch([]);
    });

    test('leave nothing behind when one write fails', async () => {
      const { store } = subject;
      const owner = someone();
      await keep(store, owner, { a: { rank: 1, slug: 's', title: 'old', tags: ['old'] }, b: { rank: 2 } });
      const before = await store.page(notes, { filter: { owner }, sort: {}, limit: 10 });
      const good = () => [
        write.insert(notes, { _id: `${owner}/new`, owner, title: 'new' }),
        write.update(notes, { _id: `${owner}/a` }, { $set: { title: 'new', tags: ['new'] } }),
        write.delete(notes, { _id: `${owner}/b` }),
        write.upsert(notes, { _id: `${owner}/up`, owner }, { $set: { rank: 1 } }),
      ];
      const conflict = { name: 'StoreConflict', collection: notes.name };
      const failures = [
        [write.update(notes, { owner, rank: 99 }, { $set: { rank: 1 } }, { expect: 1 }), conflict],
        [write.update(notes, { owner }, { $set: { kind: 'x' } }, { expect: 1 }), conflict],
        [write.delete(notes, { owner, rank: 99 }, { expect: 1 }), conflict],
        [write.check(notes, { owner }, 1), conflict],
        [write.insert(notes, { _id: `${owner}/a`, owner }), { name: 'StoreDuplicate', fields: ['_id'] }],
        [
          write.insert(notes, { _id: `${owner}/z`, owner, slug: 's' }),
          { name: 'StoreDuplicate', collection: notes.name, fields: ['owner', 'slug'] },
        ],
        [write.update(notes, { owner }, { $where: {} } as never), refused],
      ] as const;
      for (const [failing, error] of failures) {
        await expect(store.batch([...good(), failing])).rejects.toMatchObject(error);
        await expect(store.batch([failing, ...good()])).rejects.toMatchObject(error);
        expect(await store.page(notes, { filter: { owner }, sort: {}, limit: 10 })).toEqual(before);
      }
      expect(await keysMatching(store, owner, { tags: 'new' })).toEqual([]);
      expect(await keysMatching(store, owner, { $contains: { index: 'text', text: 'new' } })).toEqual([]);
      expect(await keysMatching(store, owner, { $contains: { index: 'text', text: 'old' } })).toEqual(['a']);
    });

    test('call those who listen to a collection once, after documents were or may have been added', async () => {
      const { store } = subject;
      const owner = someone();
      const [ofNotes, ofAccounts] = [jest.fn(), jest.fn()];
      const [forgetNotes, forgetAccounts] = [store.listen(notes, ofNotes), store.listen(accounts, ofAccounts)];
      const insert = (key: string) => write.insert(notes, { _id: `${owner}/${key}`, owner });
      await store.batch([insert('a'), write.all([insert('b')])]);
      expect(ofNotes).toHaveBeenCalledTimes(1);
      await store.batch([write.upsert(notes, { _id: `${owner}/a` }, { $set: { owner } })]);
      expect(ofNotes).toHaveBeenCalledTimes(2);
      await store.batch([
        write.check(notes, { _id: `${owner}/a` }, 1),
        write.update(notes, { _id: `${owner}/a` }, { $set: { rank: 1 } }),
        write.delete(notes, { _id: `${owner}/b` }),
        write.insertMany(notes, []),
      ]);
      await expect(store.batch([insert('c'), insert('a')])).rejects.toThrow(StoreDuplicate);
      forgetNotes();
      await store.batch([insert('c')]);
      expect(ofNotes).toHaveBeenCalledTimes(2);
      expect(ofAccounts).not.toHaveBeenCalled();
      forgetAccounts();
    });

    test('call listeners when their documents can be read', async () => {
      const { store } = subject;
      const owner = someone();
      const found = new Promise((resolve) => {
        const forget = store.listen(notes, () => {
          forget();
          resolve(store.get(notes, `${owner}/a`));
        });
      });
      await store.batch([write.insert(notes, { _id: `${owner}/a`, owner })]);
      expect(await found).toEqual({ _id: `${owner}/a`, owner });
    });

    test('that fail do not affect concurrent ones', async () => {
      const { store } = subject;
      const owner = someone();
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, (_, n) =>
          store.batch([
            write.insert(notes, { _id: `${owner}/${n}`, owner, rank: n }),
            write.check(notes, { _id: `${owner}/${n}`, rank: { $in: [0, 2, 4, 6, 8] } }, 1),
          ]),
        ),
      );
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(5);
      expect(await keysMatching(store, owner, {}, { rank: 1 })).toEqual(['0', '2', '4', '6', '8']);
    });

    test('racing for one version have one winner', async () => {
      const { store } = subject;
      const owner = someone();
      await keep(store, owner, { a: { rank: 1 } });
      const results = await Promise.allSettled(
        Array.from({ length: 12 }, (_, n) =>
          store.batch([
            write.update(notes, { _id: `${owner}/a`, rank: 1 }, { $inc: { rank: 1 } }, { expect: 1 }),
            write.insert(notes, { _id: `${owner}/by${n}`, owner }),
          ]),
        ),
      );
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ name: 'StoreConflict' });
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      expect(await store.count(notes, { owner })).toBe(2);
    });

    test('that fail among others that come at the same time undo only themselves', async () => {
      const { store } = subject;
      const owner = someone();
      await keep(store, owner, { taken: {}, count: { rank: 0 } });
      const fails = (n: number) => n % 9 === 4;
      const results = await Promise.allSettled(
        Array.from({ length: 45 }, async (_, n) => {
          await store.batch([
            write.insert(notes, { _id: `${owner}/own${n}`, owner, kind: 'own' }),
            write.insert(notes, { _id: fails(n) ? `${owner}/taken` : `${owner}/more${n}`, owner, kind: 'more' }),
          ]);
          await store.update(notes, { _id: `${owner}/count` }, { $inc: { rank: 1 } });
        }),
      );
      expect(results.map(({ status }) => status === 'rejected')).toEqual(results.map((_, n) => fails(n)));
      expect(await store.count(notes, { owner, kind: 'own' })).toBe(40);
      expect(await store.count(notes, { owner, kind: 'more' })).toBe(40);
      expect(await store.get(notes, `${owner}/count`)).toMatchObject({ rank: 40 });
    });

    test('delete many documents, of which nothing else is made, and no others', async () => {
      const { store } = subject;
      const [owner, other] = [someone(), someone()];
      const made = (state: string) =>
        Array.from({ length: 250 }, (_, n) => ({ _id: `${state}/${n}`, email: `${n}@${state}.example`, state }));
      await store.insertMany(accounts, [...made(owner), ...made(other)]);
      const partly = write.delete(accounts, { state: owner }, { expect: 249 });
      await expect(store.batch([partly])).rejects.toMatchObject({ name: 'StoreConflict' });
      expect(await store.count(accounts, { state: owner })).toBe(250);
      await store.batch([write.delete(accounts, { state: owner }, { expect: 250 })]);
      expect([await store.count(accounts, { state: owner }), await store.count(accounts, { state: other })]).toEqual([
        0, 250,
      ]);
      expect(await store.deleteMany(accounts, { state: other })).toBe(250);
      expect(await store.count(accounts, { state: other })).toBe(0);
    });

    test('keep a rule across documents: the last of a kind remains', async () => {
      const { store } = subject;
      const owner = someone();
      const admins = Array.from({ length: 8 }, (_, n) => [`admin${n}`, { kind: 'admin' }] as const);
      await keep(store, owner, { counter: { rank: 8 }, ...Object.fromEntries(admins) });
      const leave = (n: number) =>
        store.batch([
          write.update(notes, { _id: `${owner}/counter`, rank: { $gt: 1 } }, { $inc: { rank: -1 } }, { expect: 1 }),
          write.delete(notes, { _id: `${owner}/admin${n}` }, { expect: 1 }),
        ]);
      const results = await Promise.allSettled(admins.map((_, n) => leave(n)));
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(7);
      expect(await store.count(notes, { owner, kind: 'admin' })).toBe(1);
    });
  });
}
