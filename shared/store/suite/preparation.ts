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

    test('answers a ping', () => subject.store.ping());
  });
}
