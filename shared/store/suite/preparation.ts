import { randomUUID } from 'node:crypto';
import { collection, type Document } from '../port.js';
import { prepared, type Subject, someone, stored } from './fixture.js';

interface Ticket extends Document {
  board: string;
  number: number;
  title: string;
  watchers: string[];
}

export function preparationTests(subject: Subject): void {
  describe('preparing', () => {
    test('changes nothing when repeated, also all at once', async () => {
      const { collections, searchIndexes } = prepared;
      await Promise.all([1, 2, 3].map(() => subject.store.prepare(collections, searchIndexes)));
    });

    test('adds indexes to a collection that has documents', async () => {
      const { store } = subject;
      const name = `suite_tickets_${randomUUID().slice(0, 8)}`;
      const bare = collection<Ticket>(name);
      await store.prepare([stored(bare)]);
      const board = someone();
      const titles = ['Alpha one', 'beta two', 'ALPHA three'];
      await store.insertMany(
        bare,
        titles.map((title, n) => ({ _id: `${board}/${n}`, board, number: n, title, watchers: [`w${n % 2}`] })),
      );
      const indexed = collection<Ticket>(name, [
        { on: { board: 1, number: -1 }, unique: true },
        { kind: 'multikey', array: 'watchers', within: ['board'], sort: { number: 1 } },
        { kind: 'contains', name: 'text', fields: ['title'], within: ['board'] },
      ]);
      await store.prepare([stored(indexed)]);
      const numbers = async (filter: object) => {
        const { items } = await store.page(indexed, { filter: { board, ...filter }, sort: { number: 1 }, limit: 10 });
        return items.map((ticket) => ticket.number);
      };
      expect(await numbers({ $contains: { index: 'text', text: 'alpha' } })).toEqual([0, 2]);
      expect(await numbers({ watchers: 'w0' })).toEqual([0, 2]);
      const again = { _id: `${board}/x`, board, number: 2, title: 'x', watchers: [] };
      await expect(store.insert(indexed, again)).rejects.toMatchObject({
        name: 'StoreDuplicate',
        fields: ['board', 'number'],
      });
    });

    test('lets go of a retired unique index', async () => {
      const { store } = subject;
      const name = `suite_tickets_${randomUUID().slice(0, 8)}`;
      const unique = { on: { title: 1 }, unique: true, where: 'title' } as const;
      const before = collection<Ticket>(name, [unique]);
      await store.prepare([stored(before)]);
      const ticket = (_id: string, board: string) => ({ _id, board, number: 1, title: 'same', watchers: [] });
      await store.insert(before, ticket('1', 'a'));
      await expect(store.insert(before, ticket('2', 'b'))).rejects.toMatchObject({ name: 'StoreDuplicate' });
      const after = collection<Ticket>(name, [{ on: { title: 1, board: 1 }, unique: true, where: 'title' }], {
        retired: [unique],
      });
      await Promise.all([1, 2, 3].map(() => store.prepare([stored(after)])));
      await store.insert(after, ticket('2', 'b'));
      await expect(store.insert(after, ticket('3', 'b'))).rejects.toMatchObject({ name: 'StoreDuplicate' });
      expect(await store.count(after, { title: 'same' })).toBe(2);
    });

    test('answers a ping', () => subject.store.ping());
  });
}
