import type { Connection } from './connection.js';

/**
 * Scopes share full-text tables but nothing in them: each token starts with the number of its scope, so that postings,
 * prefixes and statistics belong to one scope. Scopes of one group (`grp`) may also be searched together.
 */
export function prepareScopes(connection: Connection): void {
  connection.exec(`CREATE TABLE IF NOT EXISTS "~scopes" (
    n INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL, key TEXT NOT NULL,
    entries INTEGER NOT NULL DEFAULT 0, titles INTEGER NOT NULL DEFAULT 0, headings INTEGER NOT NULL DEFAULT 0,
    bodies INTEGER NOT NULL DEFAULT 0, grp TEXT, UNIQUE (owner, key))`);
  addColumn(connection, '~scopes', 'grp TEXT');
  connection.exec(`CREATE INDEX IF NOT EXISTS "~scopes~groups" ON "~scopes" (owner, grp)`);
}

/** Adds a column that the tables of earlier releases lack. */
export function addColumn(connection: Connection, table: string, column: string): void {
  const [name = ''] = column.split(' ');
  if (!connection.get('SELECT 1 FROM pragma_table_info(?) WHERE name = ?', [table, name]))
    connection.exec(`ALTER TABLE "${table}" ADD COLUMN ${column}`);
}

export function findScope(connection: Connection, owner: string, key: string): number | undefined {
  const row = connection.get('SELECT n FROM "~scopes" WHERE owner = ? AND key = ?', [owner, key]);
  return row && Number(row[0]);
}

export function makeScope(connection: Connection, owner: string, key: string): number {
  return (
    findScope(connection, owner, key) ??
    connection.run('INSERT INTO "~scopes" (owner, key) VALUES (?, ?)', [owner, key]).rowid
  );
}

// Not ASCII, so the tokenizer does not split there, and not part of a number.
export const scopePrefix = (scope: number) => `${scope}\u00b7`;

/** FTS5's tokenizer of ASCII letters, ASCII digits and all other characters beyond ASCII. */
export const TOKENIZER = `tokenize = 'ascii'`;
