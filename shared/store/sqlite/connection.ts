import Database from 'libsql';
import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import { metricsRegistry } from '../../monitoring/metrics.js';

/** A value that a statement takes. */
export type Bound = string | number | bigint | Uint8Array | null;

export type Row = (string | number | Uint8Array | null)[];

/** A piece of SQL with the values of its placeholders, in order. */
export interface Fragment {
  sql: string;
  params: Bound[];
}

const MAX_STATEMENTS = 500;

let ran = 0;

new Counter({
  name: 'bindery_store_statements_total',
  help: 'Statements that the embedded store ran.',
  registers: [metricsRegistry],
  collect() {
    this.reset();
    this.inc(ran);
  },
});

/** One connection to the database file, with its prepared statements. */
export class Connection {
  readonly #database: Database.Database;
  readonly #statements = new LRUCache<string, Database.Statement>({ max: MAX_STATEMENTS });

  constructor(path: string) {
    this.#database = new Database(path);
    for (const setting of [
      'busy_timeout=5000',
      'journal_mode=WAL',
      // The writer syncs what it commits itself.
      'synchronous=NORMAL',
      'cache_size=-65536',
      'mmap_size=268435456',
      'temp_store=MEMORY',
    ])
      this.#database.pragma(setting);
  }

  all(sql: string, params: Bound[] = []): Row[] {
    return this.#statement(sql).all(checkParams(params)) as Row[];
  }

  get(sql: string, params: Bound[] = []): Row | undefined {
    return this.#statement(sql).get(checkParams(params)) as Row | undefined;
  }

  /** The rowid of the last insert. */
  run(sql: string, params: Bound[] = []): { changes: number; rowid: number } {
    const { changes, lastInsertRowid } = this.#statement(sql).run(checkParams(params));
    return { changes, rowid: Number(lastInsertRowid) };
  }

  /** SQLite's plan for a SELECT, one line for each step. */
  explain({ sql, params }: Fragment): string[] {
    const statement = this.#database.prepare(`EXPLAIN QUERY PLAN ${sql}`).raw();
    const rows = statement.all(checkParams(params)) as Row[];
    // `all` leaves an EXPLAIN open, and later reads would see its snapshot; `get` ends it.
    statement.get(params);
    return rows.map((row) => String(row[3]));
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #statement(sql: string): Database.Statement {
    ran += 1;
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      if (statement.reader) statement.raw();
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** Throws for a boolean: libsql would abort the whole process. */
function checkParams(params: Bound[]): Bound[] {
  for (const value of params)
    if (typeof value === 'boolean' || value === undefined) throw new TypeError(`cannot bind ${value}`);
  return params;
}

/**
 * Reads the documents of a SELECT of one column `doc`, in its order. They leave SQLite as one text: one row each would cost
 * twice as much.
 */
export function readDocuments<D>(connection: Connection, select: Fragment): D[] {
  const row = connection.get(`SELECT group_concat(doc, ',') FROM (${select.sql})`, select.params);
  return typeof row?.[0] === 'string' ? (JSON.parse(`[${row[0]}]`) as D[]) : [];
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
