import { MAX_FREQUENCIES } from '../score.js';
import type { SearchIndex } from '../search-port.js';
import { type Connection, quoteName } from './connection.js';
import { addColumn, prepareScopes, scopePrefix, TOKENIZER } from './scopes.js';
import { checkName } from './table.js';

// A token is written once for each field, into the column of its count: `b3` means three times in the body. FTS5 then
// keeps no positions, and one row of its vocabulary is one count.
export const COLUMNS = ['t', 'h', 'b'].flatMap((field, at) =>
  Array.from({ length: MAX_FREQUENCIES[at as 0 | 1 | 2] }, (_, n) => `${field}${n + 1}`),
);

/** Characters of the prefixes that are counted when indexing: tokens that start with just one or two are too many to count later. */
export const COUNTED_STARTS = 2;
/** Bounds of the characters of a token: none is below the first or above the last. */
export const FIRST_CHARACTER = '0';
export const LAST_CHARACTER = '\u{10ffff}';

export const entriesTable = (index: SearchIndex) => quoteName(`${checkName(index.name)}~entries`);
export const wordsTable = (index: SearchIndex) => quoteName(`${checkName(index.name)}~words`);
export const termsTable = (index: SearchIndex) => quoteName(`${checkName(index.name)}~terms`);

/** Owners of rows of "~scopes": of the scopes of an index, and of the bins that its groups consist of. */
export const scopesOwner = (index: SearchIndex) => `${index.name}~search`;
export const binsOwner = (index: SearchIndex) => `${index.name}~bins`;

/** Prefixes of the words of a scope or a bin, and of the starts of words that are counted there. */
export const wordPrefix = scopePrefix;
export const startPrefix = (scope: number) => `${scope}\u00b8`;

/** The bin of an entry is null in what an earlier release wrote, and in an index without groups. */
export function prepareSearch(connection: Connection, index: SearchIndex): void {
  prepareScopes(connection);
  connection.exec(`CREATE TABLE IF NOT EXISTS ${entriesTable(index)} (n INTEGER PRIMARY KEY, scope INTEGER NOT NULL, id TEXT NOT NULL,
    title TEXT NOT NULL, titles INTEGER NOT NULL, headings INTEGER NOT NULL, bodies INTEGER NOT NULL, bin INTEGER, UNIQUE (scope, id))`);
  addColumn(connection, `${index.name}~entries`, 'bin INTEGER');
  connection.exec(
    `CREATE INDEX IF NOT EXISTS ${quoteName(`${index.name}~entries~bins`)} ON ${entriesTable(index)} (bin, scope)`,
  );
  connection.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${wordsTable(index)} USING fts5(${COLUMNS.join(', ')},
    content = '', contentless_delete = 1, detail = column, ${TOKENIZER})`);
  connection.exec(
    `CREATE VIRTUAL TABLE IF NOT EXISTS ${termsTable(index)} USING fts5vocab(${wordsTable(index)}, instance)`,
  );
}
