import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { transformFileSync } from '@swc/core';
import { type Collection, collection, type Document, type Store } from './port.js';
import type { SearchIndex } from './search-port.js';
import { Connection, quoteName } from './sqlite/connection.js';
import { openSqliteStore } from './sqlite/store.js';
import { WriteAheadLog } from './sqlite/wal.js';
import { Writer } from './sqlite/writer.js';
import { COUNTER, entries, words } from './testing/writer.js';

const here = dirname(fileURLToPath(import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bindery-durability-')));

afterAll(() => rmSync(folder, { recursive: true }));

/** Compiles the adapter and the script that writes; returns the path of the script. */
function compiledWriter(): string {
  const adapter = readdirSync(join(here, 'sqlite')).map((file) => join('sqlite', file));
  for (const file of [
    'port.ts',
    'score.ts',
    'applied.ts',
    join('testing', 'writer.ts'),
    '../disk/full.ts',
    '../errors/errors.ts',
    '../monitoring/metrics.ts',
    '../work/slices.ts',
    ...adapter,
  ]) {
    const { code } = transformFileSync(join(here, file), {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      module: { type: 'es6' },
    });
    const target = join(folder, 'code', file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(here, '..', '..', 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'code', 'testing', 'writer.js');
}

/** The writes a process acknowledged before it was killed. */
async function killedAfter(count: number, script: string, path: string, round: number): Promise<string[]> {
  const child = spawn(process.execPath, [script, path, String(round)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const acknowledged: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(line);
    if (acknowledged.length === count) child.kill('SIGKILL');
  }
  expect((await exited)[1]).toBe('SIGKILL');
  return acknowledged;
}

function faults(path: string): unknown[] {
  const connection = new Connection(path);
  const tables = connection.all(`SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%fts5(%'`);
  expect(tables).toHaveLength(1);
  // Throws when a full-text index is inconsistent.
  for (const [name] of tables)
    connection.run(`INSERT INTO ${quoteName(String(name))} (${quoteName(String(name))}) VALUES ('integrity-check')`);
  const found = connection.all('PRAGMA integrity_check').flat();
  connection.close();
  return found;
}

test('what was acknowledged survives kill -9, whole and in every index', async () => {
  const script = compiledWriter();
  const path = join(folder, 'killed.sqlite');
  const acknowledged: string[] = [];
  for (const [round, count] of [40, 333, 150, 700].entries()) {
    acknowledged.push(...(await killedAfter(count, script, path, round)));
    expect(faults(path)).toEqual(['ok']);
    const store = await openSqliteStore({ path });
    await store.prepare([entries as Collection<never>], [words]);
    expect(await store.getMany(entries, acknowledged)).toHaveLength(acknowledged.length);
    // An entry and the count of entries are one batch.
    const written = await store.count(entries, { group: 'written' });
    expect((await store.get(entries, COUNTER))?.total).toBe(written);
    const tags = Array.from({ length: 8 }, (_, writer) => `writer${writer}`);
    expect(await store.count(entries, { group: 'written', tags: { $in: tags } })).toBe(written);
    expect(await store.count(entries, { group: 'written', $contains: { index: 'text', text: 'entry ' } })).toBe(
      written,
    );
    const indexed = acknowledged.filter((id) => Number(id.split('-')[2]) % 8 === 0).length;
    const [found] = await store.search(words, { scopes: ['all'], terms: [{ token: 'entry' }], each: 1 });
    expect(found?.total).toBeGreaterThanOrEqual(indexed);
    await store.close();
  }
});

interface Item extends Document {
  group: string;
  name?: string;
  rank?: number;
  tags?: string[];
}

const plain = collection<Item>('test_items', [{ on: { group: 1, rank: 1 } }]);

async function opened(name: string, of: Collection<Item> = plain) {
  const store = await openSqliteStore({ path: join(folder, `${name}.sqlite`) });
  await store.prepare([of as Collection<never>]);
  return store;
}

describe('a database file', () => {
  test('is read as of the last commit while a long write goes on', async () => {
    const store = await opened('long');
    const items = Array.from({ length: 8000 }, (_, n) => ({ _id: `${n}`, group: 'g', rank: n, name: 'x'.repeat(200) }));
    let writing = true;
    const write = store.insertMany(plain, items).then(() => {
      writing = false;
    });
    const counts = new Set<number>();
    let reads = 0;
    while (writing) {
      counts.add(await store.count(plain, { group: 'g' }));
      reads += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await write;
    expect(await store.count(plain, { group: 'g' })).toBe(8000);
    expect([...counts].filter((count) => count !== 0 && count !== 8000)).toEqual([]);
    expect(reads).toBeGreaterThan(3);
    await store.close();
  });

  test('acknowledges no write that the disk has not taken', async () => {
    const connection = new Connection(join(folder, 'unsynced.sqlite'));
    connection.exec('CREATE TABLE entries (id)');
    const writer = new Writer(connection, new WriteAheadLog(join(folder, 'a file that is not there')), {
      committed: () => {},
    });
    const written = writer.write(() => connection.run('INSERT INTO entries VALUES (1)'));
    await expect(written).rejects.toMatchObject({ code: 'ENOENT' });
    await writer.close();
    connection.close();
  });

  test('accepts writes until it is closed, and none after', async () => {
    const store = await opened('closing');
    const writes = Array.from({ length: 50 }, (_, n) => store.insert(plain, { _id: `${n}`, group: 'g' }));
    await store.close();
    await Promise.all(writes);
    await expect(store.insert(plain, { _id: 'late', group: 'g' })).rejects.toThrow('closed');
    await store.close();
    const again = await opened('closing');
    expect(await again.count(plain, { group: 'g' })).toBe(50);
    await again.close();
  });

  test('follows the declared indexes when they change, and back', async () => {
    const rich = collection<Item>('test_items', [
      { on: { name: 1 }, unique: true, where: 'name' },
      { kind: 'multikey', array: 'tags', within: ['group'] },
      { kind: 'contains', name: 'text', fields: ['name'], within: ['group'] },
    ]);
    const found = async (store: Awaited<ReturnType<typeof opened>>) => [
      await store.count(rich, { group: 'g', tags: 't' }),
      await store.count(rich, { group: 'g', $contains: { index: 'text', text: 'nam' } }),
    ];
    let store = await opened('indexes', rich);
    await store.insert(rich, { _id: 'a', group: 'g', name: 'name', tags: ['t'] });
    expect(await found(store)).toEqual([1, 1]);
    await store.close();
    store = await opened('indexes', plain);
    await store.insert(plain, { _id: 'b', group: 'g', name: 'name', tags: ['t'] });
    await expect(store.prepare([rich as Collection<never>])).rejects.toMatchObject({
      name: 'StoreDuplicate',
      fields: ['name'],
    });
    await store.update(plain, { _id: 'b' }, { $set: { name: 'names' } });
    await store.prepare([rich as Collection<never>]);
    expect(await found(store)).toEqual([2, 2]);
    await store.close();
  });

  test('takes no list under a key index', async () => {
    const store = await opened('lists');
    const odd = { _id: 'a', group: 'g', rank: [1] as never };
    await expect(store.insert(plain, odd)).rejects.toMatchObject({ name: 'TypeError' });
    await expect(store.batch([])).resolves.toBeUndefined();
    await store.close();
  });

  test('removes search entries completely', async () => {
    const store = await openSqliteStore({ path: join(folder, 'search.sqlite') });
    await store.prepare([], [words]);
    const alphabet = ['alpha', 'alps', 'beta', 'bet', 'gamma', 'ga'];
    const held = new Map<string, string[]>();
    // A fixed pseudo-random sequence.
    let state = 7;
    const some = (below: number) => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return Math.floor((state / 2147483648) * below);
    };
    for (let round = 0; round < 120; round += 1) {
      const fresh = new Map<string, string[]>(
        Array.from({ length: 1 + some(3) }, () => [`e${some(25)}`, alphabet.filter(() => some(2) === 0)]),
      );
      const gone = [`e${some(25)}`].filter((id) => !fresh.has(id));
      const list = [...fresh].map(([id, body]) => ({ id, title: ['t'], headings: [], body }));
      await store.indexEntries(words, 's', list, gone);
      for (const [id, body] of fresh) held.set(id, body);
      for (const id of gone) held.delete(id);
      const token = alphabet[some(alphabet.length)] ?? '';
      const prefix = some(2) === 0;
      const [found] = await store.search(words, { scopes: ['s'], terms: [{ token, prefix }], each: 100 });
      const wanted = [...held].filter(([, body]) =>
        body.some((word) => (prefix ? word.startsWith(token) : word === token)),
      );
      expect((found?.hits ?? []).map(({ id }) => id).sort()).toEqual(wanted.map(([id]) => id).sort());
      expect(found?.total ?? 0).toBe(wanted.length);
    }
    await store.close();
  });

  test('groups the search entries of an earlier release, also after the way back', async () => {
    const path = join(folder, 'grouped.sqlite');
    const shelf = collection<Item>('test_shelves');
    // As an earlier release declared it.
    const earlier: SearchIndex = { name: 'test_shelf_words' };
    const grouped: SearchIndex = { ...earlier, groups: { collection: shelf as Collection<never>, field: 'group' } };
    const scopes = Array.from({ length: 40 }, (_, n) => `s${n}`).sort();
    /** What a process with this index finds after its work, and how many entries are in no group then. */
    const run = async (
      index: SearchIndex,
      work: (store: Store, put: (scope: string, ...body: string[]) => Promise<void>) => Promise<void>,
    ) => {
      const store = await openSqliteStore({ path });
      await store.prepare([shelf as Collection<never>], [index]);
      await work(store, (scope, ...body) =>
        store.indexEntries(index, scope, [{ id: 'a', title: ['kafka'], headings: [], body }]),
      );
      const found: string[][] = [];
      for (const term of [
        { token: 'ka', prefix: true },
        { token: 'kaf', prefix: true },
        { token: 'kafka' },
        { token: 'other' },
        { token: 'gone' },
      ])
        found.push((await store.search(index, { scopes, terms: [term], each: 9 })).map(({ scope }) => scope).sort());
      await store.close();
      const connection = new Connection(path);
      const [loose] = connection.get('SELECT count(*) FROM "test_shelf_words~entries" WHERE bin IS NULL') ?? [];
      connection.close();
      return { found, loose };
    };
    const first = await run(earlier, async (store, put) => {
      await store.insertMany(
        shelf,
        scopes.map((_id) => ({ _id, group: 'g' })),
      );
      for (const scope of scopes) await put(scope, scope === 's7' ? 'gone' : 'words');
    });
    expect(first).toEqual({ found: [scopes, scopes, scopes, [], ['s7']], loose: 40 });
    const second = await run(grouped, (_, put) => put('s8', 'other'));
    expect(second).toEqual({ found: [scopes, scopes, scopes, ['s8'], ['s7']], loose: 0 });
    const third = await run(earlier, async (store, put) => {
      await store.dropScope(earlier, 's9');
      await store.indexEntries(earlier, 's7', [], ['a']);
      await put('s7', 'other');
    });
    expect(third.loose).toBe(1);
    const left = scopes.filter((scope) => scope !== 's9');
    const last = await run(grouped, async () => {});
    expect(last).toEqual({ found: [left, left, left, ['s7', 's8'], []], loose: 0 });
    expect(faults(path)).toEqual(['ok']);
  });
});
