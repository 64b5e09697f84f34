import { randomUUID } from 'node:crypto';

/** The part of chdb that is used. Not a literal in the import: the code must compile without this optional package. */
const embeddedEngine: string = 'chdb';
export interface Result {
  rowsRead: number;
  bytesRead: number;
  /** Seconds. */
  elapsed: number;
  bytes(): Uint8Array;
}
interface Session {
  queryAsync(sql: string, options?: { format?: string }): Promise<Result>;
  close(): void;
}

/** A statement with all that a request says about it. */
export interface Statement {
  sql: string;
  format: string;
  database: string;
  /** Settings of the engine, and parameters as `param_<name>`. */
  values: ReadonlyMap<string, string>;
  /** Aborted when nobody waits for the answer any more: a query is then cancelled. */
  signal: AbortSignal;
}

interface Kept {
  session: Session;
  /** The mark of its queries. */
  id: string;
  /** The database, and the names of the values that it holds. */
  shape: string;
  /** The last statement that set its values; none in a new session. */
  set?: string;
}

/** Each takes about 150 KB. */
const maxKept = 64;
/** Statements that leave nothing behind in their session. */
const leavesNothing = /^\s*(select|insert|with)\b/i;
const onlyReads = /^\s*(select|with)\b/i;

/**
 * The sessions of the engine. A statement runs in one that holds values of the same names, and sets all of them: nothing of another
 * request is left. They are kept, since chdb closes one only in a moment in which none works.
 */
export class EngineSessions {
  private readonly kept: Kept[] = [];

  private constructor(private readonly open: () => Session) {}

  /** Opens the files in `path`, which stay open. */
  static async openFiles(path: string): Promise<EngineSessions> {
    const { Session } = (await import(embeddedEngine)) as { Session: new (path: string) => Session };
    const newSession = () => new Session(path);
    await newSession().queryAsync('SELECT 1');
    return new EngineSessions(newSession);
  }

  async run({ sql, format, database, values, signal }: Statement): Promise<Result> {
    const used = this.takeSession(JSON.stringify([database, ...[...values.keys()].sort()]));
    let reusable = false;
    let cancelled: Promise<void> | undefined;
    const killQuery = () => {
      // Where it fails, the query ends by itself.
      cancelled = this.killQuery(used.id).catch(() => undefined);
    };
    try {
      await applySettings(used, database, values);
      signal.throwIfAborted();
      if (onlyReads.test(sql)) signal.addEventListener('abort', killQuery, { once: true });
      const result = await used.session.queryAsync(sql, { format });
      reusable = leavesNothing.test(sql);
      return result;
    } finally {
      signal.removeEventListener('abort', killQuery);
      // It must not reach the next query of the session.
      await cancelled;
      if (reusable) this.putBack(used);
      else used.session.close();
    }
  }

  private async killQuery(id: string): Promise<void> {
    const session = this.open();
    try {
      await session.queryAsync(`KILL QUERY WHERE Settings['log_comment'] = '${id}' ASYNC`);
    } finally {
      session.close();
    }
  }

  private takeSession(shape: string): Kept {
    const at = this.kept.findLastIndex((each) => each.shape === shape);
    const [found] = at < 0 ? [] : this.kept.splice(at, 1);
    return found ?? { session: this.open(), id: randomUUID(), shape };
  }

  private putBack(used: Kept): void {
    this.kept.push(used);
    if (this.kept.length > maxKept) this.kept.shift()?.session.close();
  }
}

/** The largest statement that the engine parses by default. */
const maxStatementBytes = 256 * 1024;

async function applySettings(used: Kept, database: string, values: Statement['values']): Promise<void> {
  const changes = [...values].map(([name, value]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new Error(`${name} is not the name of a setting`);
    return `${name} = '${value.replace(/[\\']/g, '\\$&')}'`;
  });
  const set = changes.length > 0 ? `SET ${changes.join(', ')}` : '';
  if (used.set === undefined) {
    await used.session.queryAsync(`SET log_comment = '${used.id}'`);
    await used.session.queryAsync(`USE \`${database.replace(/[\\`]/g, '\\$&')}\``);
  }
  if (set !== '' && set !== used.set) {
    const large = Buffer.byteLength(set) > maxStatementBytes;
    if (large) await used.session.queryAsync('SET max_query_size = 0');
    await used.session.queryAsync(set);
    if (large && !values.has('max_query_size')) await used.session.queryAsync('SET max_query_size = DEFAULT');
  }
  used.set = set;
}
