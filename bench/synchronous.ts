import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';

/** What each synchronous mode of SQLite costs a write, alone and in a group commit of 32: the figure behind decision 1. */
const writes = 6400;
const document = JSON.stringify({ text: 'x'.repeat(600) });

function microseconds(path: string, mode: string, group: number): number {
  const database = new Database(path);
  database.exec(
    `PRAGMA journal_mode=WAL; PRAGMA synchronous=${mode}; CREATE TABLE documents (_id TEXT PRIMARY KEY, doc TEXT)`,
  );
  const insert = database.prepare('INSERT INTO documents VALUES (?, ?)');
  const began = performance.now();
  for (let done = 0; done < writes; done += group) {
    database.exec('BEGIN IMMEDIATE');
    for (let i = 0; i < group; i++) insert.run([`${done + i}`, document]);
    database.exec('COMMIT');
  }
  const spent = performance.now() - began;
  database.close();
  return (spent * 1000) / writes;
}

const folder = await mkdtemp(join(tmpdir(), 'bindery-synchronous-'));
for (const group of [1, 32])
  for (const mode of ['OFF', 'NORMAL', 'FULL']) {
    const rounds = [1, 2, 3].map((round) => microseconds(join(folder, `${mode}-${group}-${round}`), mode, group));
    const median = rounds.sort((a, b) => a - b)[1] as number;
    process.stdout.write(
      `${String(group).padStart(2)} a commit, synchronous=${mode.padEnd(6)} ${median.toFixed(0)} µs a write\n`,
    );
  }
await rm(folder, { recursive: true });
