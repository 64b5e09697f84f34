import { writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Collection, collection, type Document, write } from '../port.js';
import { openSqliteStore } from '../sqlite/store.js';

export interface Entry extends Document {
  group: string;
  tags: string[];
  title: string;
  total?: number;
}

export const entries = collection<Entry>('test_entries', [
  { on: { group: 1, total: 1 } },
  { kind: 'multikey', array: 'tags', within: ['group'] },
  { kind: 'contains', name: 'text', fields: ['title'], within: ['group'] },
]);

export const words = { name: 'test_words' };

export const COUNTER = 'counter';

/** Writes until it is killed; prints the id of each acknowledged write on a line. */
async function writeForever(path: string, round: string): Promise<void> {
  const store = await openSqliteStore({ path });
  await store.prepare([entries as Collection<never>], [words]);
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; ; n += 1) {
      const _id = `${round}-${writer}-${n}`;
      await store.batch([
        write.insert(entries, { _id, group: 'written', tags: [`writer${writer}`], title: `entry ${_id}` }),
        write.upsert(entries, { _id: COUNTER }, { $inc: { total: 1 }, $setOnInsert: { group: 'counters' } }),
      ]);
      if (n % 8 === 0)
        await store.indexEntries(words, 'all', [{ id: _id, title: ['entry'], headings: [], body: [`w${writer}`] }]);
      writeSync(1, `${_id}\n`);
    }
  });
  await Promise.all(writers);
}

const [script, path, round] = process.argv.slice(1);
if (script === fileURLToPath(import.meta.url) && path && round) await writeForever(path, round);
