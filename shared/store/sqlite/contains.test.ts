import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, collection, type Document } from '../port.js';
import { Connection } from './connection.js';
import { openSqliteStore } from './store.js';

const folder = mkdtempSync(join(tmpdir(), 'bindery-contains-'));

afterAll(() => rmSync(folder, { recursive: true }));

interface Person extends Document {
  group: string;
  name?: string | string[] | null;
  mail?: string;
  seen?: number;
}

const bare = collection<Person>('test_people');
const people = collection<Person>('test_people', [
  { kind: 'contains', name: 'text', fields: ['name', 'mail'], within: ['group'] },
]);

async function opened(path: string, of: Collection<Person>) {
  const store = await openSqliteStore({ path });
  await store.prepare([of as Collection<never>]);
  const count = (text: string) => store.count(people, { group: 'g', $contains: { index: 'text', text } });
  return { store, count };
}

function withFile<T>(path: string, work: (connection: Connection) => T): T {
  const connection = new Connection(path);
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

const textTables = (connection: Connection) =>
  connection.all(`SELECT name FROM sqlite_schema WHERE name LIKE 'test_people~text~%' AND type = 'table'`).flat();

test('texts of an older release are built again, and their trigrams dropped', async () => {
  const path = join(folder, 'older.sqlite');
  const { store } = await opened(path, bare);
  await store.insertMany(bare, [
    { _id: 'a', group: 'g', name: 'Ada', mail: 'ada@example.com' },
    { _id: 'b', group: 'h', name: 'Ada' },
  ]);
  await store.close();
  const held = { fields: ['name', 'mail'], within: ['group'] };
  const old = `test_people~text~${createHash('sha256').update(JSON.stringify(held)).digest('hex').slice(0, 8)}`;
  withFile(path, (connection) => {
    connection.exec(
      `CREATE VIRTUAL TABLE "${old}" USING fts5(t0, t1, content = '', contentless_delete = 1, tokenize = 'ascii')`,
    );
    connection.run(`INSERT INTO "~scopes" (owner, key) VALUES (?, '["g"]')`, [old]);
    connection.run(`INSERT INTO "${old}" (rowid, t0, t1) VALUES (1, '1·ada', '')`);
  });
  const { store: again, count } = await opened(path, people);
  expect(await count('ADA')).toBe(1);
  expect(await count('da@e')).toBe(1);
  await again.update(people, { _id: 'a' }, { $set: { name: 'Grace' } });
  expect(await count('grace')).toBe(1);
  await again.close();
  withFile(path, (connection) => {
    expect(textTables(connection)).toHaveLength(1);
    expect(textTables(connection)).not.toContain(old);
    expect(connection.all('SELECT 1 FROM "~scopes" WHERE owner = ?', [old])).toEqual([]);
  });
});

test('texts are not written when other fields change', async () => {
  const path = join(folder, 'kept.sqlite');
  const { store, count } = await opened(path, people);
  await store.insert(people, { _id: 'a', group: 'g', name: 'Ada' });
  withFile(path, (connection) =>
    connection.run(`UPDATE "${textTables(connection)[0]}" SET t = ?`, [Buffer.from('marked')]),
  );
  await store.update(people, { _id: 'a' }, { $set: { seen: 1, name: 'Ada' }, $unset: { mail: true } });
  expect(await count('marked')).toBe(1);
  await store.update(people, { _id: 'a' }, { $set: { mail: 'ada@example.com' } });
  expect([await count('marked'), await count('ada')]).toEqual([0, 1]);
  await store.close();
});

test('texts are found separately, whatever their characters', async () => {
  const { store, count } = await opened(join(folder, 'odd.sqlite'), people);
  await store.insertMany(people, [
    { _id: 'a', group: 'g', name: ['one', 'Two'], mail: 'three' },
    { _id: 'b', group: 'g', name: 'nul\0nul', mail: '\u{10ffff}\uffff' },
    { _id: 'c', group: 'g', name: null, mail: '' },
  ]);
  for (const text of ['one', 'two', 'three', 'l\0n', '\0', '\uffff'])
    expect([text, await count(text)]).toEqual([text, 1]);
  for (const text of ['onetwo', 'twothree', 'nulnul', 'ÿ', '\u{10fffe}', ' '])
    expect([text, await count(text)]).toEqual([text, 0]);
  await store.close();
});
