import type { SearchIndex } from '../search-port.js';
import type { Connection } from './connection.js';
import { addToTotals, type ColumnTokens, columnTexts, groupOfScope, openBin, putWords } from './search-entries.js';
import {
  binsOwner,
  COLUMNS,
  entriesTable,
  LAST_CHARACTER,
  startPrefix,
  termsTable,
  wordPrefix,
  wordsTable,
} from './search-tables.js';

/** Entries that are grouped in one transaction: enough that reading the words of their scope costs little for each. */
const atOnce = 1_000;

interface Loose {
  n: number;
  lengths: number[];
}

/** Puts entries of an earlier release into bins; returns how many, 0 when all are. */
export function* groupSome(connection: Connection, index: SearchIndex): Generator<void, number> {
  if (!index.groups) return 0;
  const first = connection.get(`SELECT scope FROM ${entriesTable(index)} WHERE bin IS NULL LIMIT 1`);
  if (!first) return 0;
  const scope = Number(first[0]);
  const sql = `SELECT n, titles, headings, bodies FROM ${entriesTable(index)} WHERE bin IS NULL AND scope = ? ORDER BY n LIMIT ?`;
  const loose = connection.all(sql, [scope, atOnce]).map((row): Loose => {
    const [n = 0, ...lengths] = row.map(Number);
    return { n, lengths };
  });
  const [row] = connection.all('SELECT key FROM "~scopes" WHERE n = ?', [scope]);
  const group = groupOfScope(connection, index, { n: scope, key: String(row?.[0]) }) ?? '';
  const tokens = yield* readTokens(connection, index, scope, loose);
  for (const { n, lengths } of loose) {
    const bin = openBin(connection, index, group);
    connection.run(`DELETE FROM ${wordsTable(index)} WHERE rowid = ?`, [n]);
    putWords(connection, index, n, columnTexts(tokens.get(n) ?? { words: [], starts: [] }, [scope, bin]));
    connection.run(`UPDATE ${entriesTable(index)} SET bin = ? WHERE n = ?`, [bin, n]);
    addToTotals(connection, bin, 1, lengths);
    yield;
  }
  return loose.length;
}

/** Counts the entries of bins anew: an earlier release removes entries without taking them off their bins. */
export function countBins(connection: Connection, index: SearchIndex): void {
  connection.run(
    `UPDATE "~scopes" SET (entries, titles, headings, bodies) =
      (SELECT count(*), total(titles), total(headings), total(bodies) FROM ${entriesTable(index)} WHERE bin = "~scopes".n)
    WHERE owner = ?`,
    [binsOwner(index)],
  );
}

/** The tokens of entries of a scope, read from the vocabulary: the texts themselves are not stored. */
function* readTokens(
  connection: Connection,
  index: SearchIndex,
  scope: number,
  loose: Loose[],
): Generator<void, Map<number, ColumnTokens>> {
  const tokens = new Map<number, ColumnTokens>();
  const columns = new Map(COLUMNS.map((column, at) => [column, at]));
  const sql = `SELECT doc, col, group_concat(substr(term, ?), ' ') FROM ${termsTable(index)}
    WHERE term >= ? AND term < ? AND doc >= ? AND doc <= ? GROUP BY doc, col`;
  const [from, to] = [loose[0]?.n ?? 0, loose.at(-1)?.n ?? 0];
  for (const [kind, prefix] of [
    ['words', wordPrefix(scope)],
    ['starts', startPrefix(scope)],
  ] as const) {
    for (const [n, column, text] of connection.all(sql, [
      prefix.length + 1,
      prefix,
      prefix + LAST_CHARACTER,
      from,
      to,
    ])) {
      const of = tokens.get(Number(n)) ?? { words: [], starts: [] };
      of[kind][columns.get(String(column)) ?? 0] = String(text).split(' ');
      tokens.set(Number(n), of);
    }
    yield;
  }
  return tokens;
}
