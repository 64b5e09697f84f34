import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Derivation, write } from '../port.js';
import { keep, type Note, notes, type Subject, someone } from './fixture.js';

const titles: Derivation<Note, { title: string }> = {
  kind: 'title',
  make: ({ title }) => ({ title: String(title) }),
  sizeOf: ({ title }) => 2 * title.length,
};
const ranks: Derivation<Note, number> = { kind: 'rank', make: ({ rank }) => Number(rank), sizeOf: () => 8 };

export function deriveTests(subject: Subject): void {
  describe('what is made of documents', () => {
    /** The titles of some notes of an owner, by their keys. */
    const titlesOf = async (owner: string, ...keys: string[]) => {
      const ids = keys.map((key) => `${owner}/${key}`);
      return (await subject.store.derive(notes, ids, titles)).map((made) => made?.title ?? null);
    };

    test('comes in the order of the ids, null where there is none, each kind by itself', async () => {
      const { store } = subject;
      const owner = someone();
      await keep(store, owner, { a: { title: 'A', rank: 1 }, b: { title: 'B', rank: 2 } });
      expect(await titlesOf(owner, 'b')).toEqual(['B']);
      expect(await titlesOf(owner, 'b', 'x', 'a', 'b')).toEqual(['B', null, 'A', 'B']);
      expect(await store.derive(notes, [`${owner}/a`, `${owner}/b`], ranks)).toEqual([1, 2]);
      expect(await titlesOf(owner)).toEqual([]);
    });

    test('follows each way to write', async () => {
      const { store } = subject;
      const owner = someone();
      const _id = `${owner}/a`;
      const title = () => titlesOf(owner, 'a');
      expect(await title()).toEqual([null]);
      await store.insert(notes, { _id, owner, title: 'inserted' });
      expect(await title()).toEqual(['inserted']);
      await store.update(notes, { _id }, { $set: { title: 'updated' } });
      expect(await title()).toEqual(['updated']);
      await store.updateMany(notes, { owner }, { $set: { title: 'all updated' } });
      expect(await title()).toEqual(['all updated']);
      await store.upsert(notes, { _id, owner }, { $set: { title: 'upserted' } });
      expect(await title()).toEqual(['upserted']);
      await store.batch([write.update(notes, { _id }, { $set: { title: 'in a batch' } })]);
      expect(await title()).toEqual(['in a batch']);
      await store.delete(notes, { _id });
      expect(await title()).toEqual([null]);
      await store.insertMany(notes, [{ _id, owner, title: 'again' }]);
      expect(await title()).toEqual(['again']);
      await store.deleteMany(notes, { owner });
      expect(await title()).toEqual([null]);
      await store.batch([write.insert(notes, { _id, owner, title: 'once more' })]);
      expect(await title()).toEqual(['once more']);
      await store.batch([write.delete(notes, { owner })]);
      expect(await title()).toEqual([null]);
    });

    test('is as it was after a batch that failed', async () => {
      const { store } = subject;
      const owner = someone();
      await keep(store, owner, { a: { title: 'A' } });
      expect(await titlesOf(owner, 'a')).toEqual(['A']);
      const failing = [
        write.update(notes, { _id: `${owner}/a` }, { $set: { title: 'B' } }),
        write.check(notes, { owner }, 5),
      ];
      await expect(store.batch(failing)).rejects.toMatchObject({ name: 'StoreConflict' });
      expect(await titlesOf(owner, 'a')).toEqual(['A']);
    });

    test('is never older than a write that was acknowledged, while many write and read', async () => {
      const { store } = subject;
      const owner = someone();
      await keep(store, owner, { a: { title: '0' }, b: { title: '0' } });
      let written = 0;
      const writing = (async () => {
        for (let n = 1; n <= 40; n++) {
          const update = { $set: { title: `${n}` } };
          await store.batch(['a', 'b'].map((key) => write.update(notes, { _id: `${owner}/${key}` }, update)));
          written = n;
        }
      })();
      while (written < 40) {
        const before = written;
        for (const title of await titlesOf(owner, 'a', 'b')) expect(Number(title)).toBeGreaterThanOrEqual(before);
        await nextTurn();
      }
      await writing;
      expect(await titlesOf(owner, 'a', 'b')).toEqual(['40', '40']);
    });
  });
}
