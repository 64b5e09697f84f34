import { type Db, MongoClient, type MongoClientOptions, MongoError } from 'mongodb';
import { apiError } from '../../errors.js';
import type { Log } from '../../log.js';

export interface MongoOptions {
  /** A replica set or sharded cluster: batches need transactions. */
  url: string;
  /** Default: the one the URL names, else `bindery`. */
  database?: string | undefined;
  log?: Log | undefined;
  /** Milliseconds a call may take; 10,000 by default. */
  callTimeout?: number | undefined;
}

export interface Connection {
  client: MongoClient;
  db: Db;
  options: MongoOptions;
  callTimeout: number;
}

/** The server ends what the caller gave up on a little earlier than the caller does. */
export const serverTime = (connection: Connection) => ({ maxTimeMS: Math.ceil(connection.callTimeout * 0.95) });

function clientOptions({ callTimeout = 10_000 }: MongoOptions): MongoClientOptions {
  const connectTimeout = Math.min(5_000, callTimeout);
  return {
    appName: 'bindery',
    writeConcern: { w: 'majority', wtimeoutMS: callTimeout },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    retryWrites: true,
    retryReads: true,
    ignoreUndefined: true,
    serverSelectionTimeoutMS: connectTimeout,
    connectTimeoutMS: connectTimeout,
    waitQueueTimeoutMS: connectTimeout,
    heartbeatFrequencyMS: 5_000,
    socketTimeoutMS: callTimeout * 3,
  };
}

/** Fails when nothing answers, or when what answers knows no transactions. */
export async function connect(options: MongoOptions): Promise<Connection> {
  const client = new MongoClient(options.url, clientOptions(options));
  client.on('serverHeartbeatFailed', ({ connectionId, failure }) =>
    options.log?.warn({ err: failure, server: connectionId }, 'MongoDB does not answer'),
  );
  try {
    await client.connect();
    const hello = await client.db('admin').command({ hello: 1 });
    if (!hello.setName && hello.msg !== 'isdbgrid')
      throw new Error('MONGODB_URL: a replica set or sharded cluster is needed, this is a single server');
  } catch (error) {
    await client.close();
    throw error;
  }
  const db = client.db(options.database ?? databaseOf(options.url));
  return { client, db, options, callTimeout: options.callTimeout ?? 10_000 };
}

/** A connection of its own that waits as long as it takes: an index build may run for minutes. */
export async function patiently(connection: Connection, work: (db: Db) => Promise<void>): Promise<void> {
  const client = new MongoClient(connection.options.url, {
    ...clientOptions(connection.options),
    socketTimeoutMS: 0,
    writeConcern: { w: 'majority' },
  });
  try {
    await work(client.db(connection.db.databaseName));
  } finally {
    await client.close();
  }
}

function databaseOf(url: string): string {
  const path = url.replace(/^mongodb(\+srv)?:\/\//, '').split('?', 1)[0] ?? '';
  const slash = path.indexOf('/');
  return (slash >= 0 && decodeURIComponent(path.slice(slash + 1))) || 'bindery';
}

/** Rejects with `late` when `work` takes longer than `ms`; the work itself goes on to its own timeout. */
export async function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

export type Kind = 'read' | 'write';

/** What a caller is told: a read may be asked again, of a write nobody knows whether it was done. */
export function unanswered(kind: Kind, cause?: unknown): Error {
  const error =
    kind === 'read'
      ? apiError('UNAVAILABLE', 'The document store does not answer, try again later')
      : apiError('OUTCOME_UNKNOWN', 'The document store did not answer in time, the outcome is unknown');
  return cause === undefined ? error : Object.assign(error, { cause });
}

const neverSent = new Set(['MongoServerSelectionError', 'MongoWaitQueueTimeoutError', 'MongoTopologyClosedError']);
/** MaxTimeMSExpired and the write concern's own timeout. */
const timedOut = new Set<unknown>([50, 64]);

/** Network trouble as the error every caller of a store understands; anything else as it is. */
function translated(kind: Kind, error: unknown): unknown {
  if (!(error instanceof MongoError)) return error;
  if (neverSent.has(error.name)) return unanswered('read', error);
  const lost = error.name.startsWith('MongoNetwork') || error.name === 'MongoPoolClearedError';
  return lost || timedOut.has(error.code) ? unanswered(kind, error) : error;
}

export async function call<T>(connection: Connection, kind: Kind, work: () => Promise<T>): Promise<T> {
  try {
    return await within(connection.callTimeout, work(), () => unanswered(kind));
  } catch (error) {
    throw translated(kind, error);
  }
}
