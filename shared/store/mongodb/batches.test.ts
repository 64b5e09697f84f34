import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { collection, type Document, type Store, StoreConflict, write } from '../port.js';
import { openMongoStore } from './store.js';

const url = process.env.MONGODB_URL;

interface Room extends Document {
  name: string;
  title: string;
  open: boolean;
}

interface Guest extends Document {
  room: string;
}

const rooms = collection<Room>('batches_rooms', [
  { on: { name: 1 }, unique: true },
  { kind: 'contains', name: 'text', fields: ['title'], within: ['name'] },
]);
const guests = collection<Guest>('batches_guests', [{ on: { room: 1 } }]);

if (url)
  describe('batches in MongoDB', () => {
    const database = `bindery_test_${randomUUID().slice(0, 8)}`;
    let store: Store;
    beforeAll(async () => {
      store = await openMongoStore({ url, database });
      await store.prepare([rooms as never, guests as never]);
    });
    afterAll(async () => {
      await store.close();
      const client = new MongoClient(url);
      await client.db(database).dropDatabase();
      await client.close();
    });

    const enter = (name: string, id: string) =>
      store.batch([write.check(rooms, { name, open: true }, 1), write.insert(guests, { _id: id, room: name })]);

    test('that only check a document conflict with its change', async () => {
      for (let round = 0; round < 15; round++) {
        const name = randomUUID();
        await store.insert(rooms, { _id: name, name, title: 'room', open: true });
        const close = store.batch([
          write.update(rooms, { name, open: true }, { $set: { open: false } }, { expect: 1 }),
          write.check(guests, { room: name }, 0),
        ]);
        const [entered, closed] = await Promise.allSettled([enter(name, `${name}/1`), close]);
        const room = await store.get(rooms, name);
        const inside = await store.count(guests, { room: name });
        expect([entered, closed].filter((each) => each.status === 'fulfilled')).toHaveLength(1);
        expect(inside).toBe(room?.open ? 1 : 0);
        for (const each of [entered, closed])
          if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(StoreConflict);
      }
    });

    test('that check one document at once all succeed, and leave no trace on it', async () => {
      const name = randomUUID();
      const room = { _id: name, name, title: 'A Room', open: true };
      await store.insert(rooms, room);
      await Promise.all(Array.from({ length: 24 }, (_, n) => enter(name, `${name}/${n}`)));
      expect(await store.count(guests, { room: name })).toBe(24);
      const page = { filter: { name, $contains: { index: 'text', text: 'a room' } }, sort: {}, limit: 5 };
      expect(await store.get(rooms, name)).toEqual(room);
      expect(await store.getMany(rooms, [name])).toEqual([room]);
      expect(await store.findOne(rooms, { name })).toEqual(room);
      expect((await store.page(rooms, page)).items).toEqual([room]);
      expect(await store.update(rooms, { name }, {})).toEqual(room);
      expect(await store.upsert(rooms, { _id: name }, { $set: { open: true } })).toEqual(room);
      expect(await store.delete(rooms, { name })).toEqual(room);
    });
  });
else test.skip('batches in MongoDB (MONGODB_URL is not set)', () => {});
