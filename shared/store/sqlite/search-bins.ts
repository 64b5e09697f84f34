import { randomUUID } from 'node:crypto';
import type { SearchIndex } from '../port.js';
import type { Connection } from './connection.js';
import { binsOwner, entriesOf, scopesOwner } from './search-tables.js';
import { tableOf } from './table.js';

/**
 * Entries of all scopes of a group are in bins, too: each token is written once more, under the number of a bin. A search of many scopes reads
 * few bins instead of each scope. Bins are bounded, so that no statement that reads one takes long.
 */
const full = { entries: 2_000, tokens: 1_000_000 };

interface Scope {
  n: number;
  key: string;
}

/** The group of a scope, kept with its row; undefined in an index without groups. A scope without a document is a group of its own. */
export function groupOf(connection: Connection, index: SearchIndex, { n, key }: Scope): string | undefined {
  if (!index.groups) return undefined;
  const known = connection.get('SELECT grp FROM "~scopes" WHERE n = ?', [n])?.[0];
  if (typeof known === 'string') return known;
  const { collection, field } = index.groups;
  const sql = `SELECT json_extract(doc, ?) FROM ${tableOf(collection).sql} WHERE _id = ?`;
  const group = String(connection.get(sql, [`$.${field}`, key])?.[0] ?? key);
  connection.run('UPDATE "~scopes" SET grp = ? WHERE n = ?', [group, n]);
  return group;
}

/** A bin of a group that has room for an entry. */
export function openBin(connection: Connection, index: SearchIndex, group: string): number {
  const open = connection.get(
    `SELECT n FROM "~scopes" WHERE owner = ? AND grp = ? AND entries < ? AND bodies < ? ORDER BY n DESC LIMIT 1`,
    [binsOwner(index), group, full.entries, full.tokens],
  );
  if (open) return Number(open[0]);
  const insert = 'INSERT INTO "~scopes" (owner, key, grp) VALUES (?, ?, ?)';
  return connection.run(insert, [binsOwner(index), randomUUID(), group]).rowid;
}

/** The bins of a group that hold entries, each with the number of its tokens. */
export const binsOf = (connection: Connection, index: SearchIndex, group: string): [n: number, tokens: number][] =>
  connection
    .all('SELECT n, titles + headings + bodies FROM "~scopes" WHERE owner = ? AND grp = ? AND entries > 0', [
      binsOwner(index),
      group,
    ])
    .map(([n, tokens]) => [Number(n), Number(tokens)]);

/** The number of scopes of a group that hold entries. */
export const scopesIn = (connection: Connection, index: SearchIndex, group: string): number =>
  Number(
    connection.get('SELECT count(*) FROM "~scopes" WHERE owner = ? AND grp = ? AND entries > 0', [
      scopesOwner(index),
      group,
    ])?.[0],
  );

/** The entries of a bin that are in one of the scopes, which are a list as JSON. */
export function entriesWithin(connection: Connection, index: SearchIndex, bin: number, scopes: string): Set<number> {
  const sql = `SELECT group_concat(n, ' ') FROM ${entriesOf(index)} WHERE bin = ? AND scope IN (SELECT value FROM json_each(?))`;
  const row = connection.get(sql, [bin, scopes]);
  return new Set(typeof row?.[0] === 'string' ? row[0].split(' ').map(Number) : []);
}
