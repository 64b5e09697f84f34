import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collection, type Derivation, type Document, type Store, write } from '../port.js';
import { DerivedValues } from './derived.js';
import { openSqliteStore } from './store.js';

interface Item extends Document {
  text: string;
}

const items = collection<Item>('test_items');
let folder: string;
let store: Store;
const made: string[] = [];
const texts: Derivation<Item, { text: string }> = {
  kind: 'text',
  make: ({ text }) => {
    made.push(text);
    return { text };
  },
  sizeOf: ({ text }) => text.length,
};
const textsOf = async (...ids: string[]) =>
  (await store.derive(items, ids, texts)).map((each) => each?.text.slice(0, 9) ?? null);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-derived-'));
  store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
  await store.prepare([items as never]);
  await store.insertMany(
    items,
    ['a', 'b', 'c'].map((_id) => ({ _id, text: _id })),
  );
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => made.splice(0));

it('is made once, and again only of documents that have changed', async () => {
  expect(await textsOf('a', 'b', 'c')).toEqual(['a', 'b', 'c']);
  expect(await textsOf('c', 'a')).toEqual(['c', 'a']);
  expect(made).toEqual(['a', 'b', 'c']);
  await store.update(items, { _id: 'b' }, { $set: { text: 'B' } });
  await store.update(items, { _id: 'c' }, { $set: { text: 'c' } });
  expect(await textsOf('a', 'b', 'c')).toEqual(['a', 'B', 'c']);
  expect(made).toEqual(['a', 'b', 'c', 'B']);
  await store.batch([write.delete(items, { _id: 'a' })]);
  expect(await textsOf('a', 'b')).toEqual([null, 'B']);
  expect(made).toHaveLength(4);
});

it('makes room for what is used: no more than 64 MiB are kept', async () => {
  const big = Array.from({ length: 9 }, (_, n) => `big ${n}`);
  for (const _id of big) await store.insert(items, { _id, text: _id.padEnd(8 * 1024 * 1024, '.') });
  for (const _id of big) await store.derive(items, [_id], texts);
  expect(await textsOf(...big)).toEqual(big.map((id) => id.padEnd(9, '.')));
  expect(made.length).toBeGreaterThan(big.length);
  expect(made.length).toBeLessThan(2 * big.length);
});

it('is not kept where a reader was the first to make something of a table that a long transaction was changing', () => {
  const derived = new DerivedValues();
  const old = { value: 'old', bytes: 3 };
  derived.noteChange('items', 'a');
  derived.keep('items', 'a', 'text', old);
  expect(derived.find('items', 'a', 'text')).toBe('old');
  derived.dropChanged();
  expect(derived.find('items', 'a', 'text')).toBeUndefined();
  // From now on, the table is known: only what changes is dropped.
  derived.keep('items', 'b', 'text', old);
  derived.noteChange('items', 'a');
  derived.dropChanged();
  expect(derived.find('items', 'b', 'text')).toBe('old');
});
