import { type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import { isDiskFull } from '../../../disk/full.js';
import type { Log } from '../../../monitoring/log.js';
import { scaleMs } from '../../../settings/time-scale.js';
import { type Kind, noAnswerError, translateError } from './outages.js';
import { Reach } from './reach.js';

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
  reach: Reach;
  /** Whether a write found the disk of the server full, and none has found room since. */
  full: boolean;
}

const PROBE_BYTES = 64 * 1024;
/** Milliseconds that a call may take. */
const usualCallMs = scaleMs(10_000);

/** The server ends an operation a little before the caller gives up on it. */
export const serverTime = (connection: Connection) => ({ maxTimeMS: Math.ceil(connection.callTimeout * 0.95) });

/** Milliseconds that a call waits for its turn: its caller, who waits as long as a call may take, still hears that nothing was done. */
export const turnMs = ({ callTimeout }: Connection): number => callTimeout * 0.8;

/** Milliseconds that a call waits for a writable server: longer than a planned election takes. */
const selectionTimeout = ({ callTimeout = usualCallMs }: MongoOptions) => Math.min(scaleMs(3_000), callTimeout);

function clientOptions(options: MongoOptions): MongoClientOptions {
  const { callTimeout = usualCallMs } = options;
  const connectTimeout = Math.min(scaleMs(5_000), callTimeout);
  return {
    appName: 'bindery',
    writeConcern: { w: 'majority', wtimeoutMS: callTimeout },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    retryWrites: true,
    retryReads: true,
    ignoreUndefined: true,
    serverSelectionTimeoutMS: selectionTimeout(options),
    connectTimeoutMS: connectTimeout,
    waitQueueTimeoutMS: connectTimeout,
    heartbeatFrequencyMS: 1_000,
    socketTimeoutMS: callTimeout * 3,
  };
}

/** Connects. Throws when no server answers, or when the server does not support transactions. */
export async function connect(options: MongoOptions): Promise<Connection> {
  const client = new MongoClient(options.url, clientOptions(options));
  const { connectTimeoutMS = 0, heartbeatFrequencyMS = 0 } = client.options;
  // A check of the monitor connects, then asks.
  const silenceMs = 2 * connectTimeoutMS + heartbeatFrequencyMS;
  const reach = new Reach(client, { graceMs: selectionTimeout(options), silenceMs, log: options.log });
  try {
    await client.connect();
    const hello = await client.db('admin').command({ hello: 1 });
    if (!hello.setName && hello.msg !== 'isdbgrid')
      throw new Error('MONGODB_URL: must be a replica set or sharded cluster; this is a single server');
  } catch (error) {
    await reach.close();
    throw error;
  }
  const db = client.db(options.database ?? databaseNameIn(options.url));
  return { client, db, options, callTimeout: options.callTimeout ?? usualCallMs, reach, full: false };
}

/** Runs work on a separate connection without time limits: an index build may take minutes. */
export async function withoutTimeLimits(connection: Connection, work: (db: Db) => Promise<void>): Promise<void> {
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

function databaseNameIn(url: string): string {
  const path = url.replace(/^mongodb(\+srv)?:\/\//, '').split('?', 1)[0] ?? '';
  const slash = path.indexOf('/');
  return (slash >= 0 && decodeURIComponent(path.slice(slash + 1))) || 'bindery';
}

/** Rejects with `late` when `work` takes longer than `ms`; the work itself continues until its own timeout. */
export async function rejectAfter<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
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

/**
 * Runs a call of the store: fails at once while MongoDB is known to be down, and at the latest after `callTimeout`. Network
 * errors become UNAVAILABLE or OUTCOME_UNKNOWN.
 */
export async function callMongo<T>(
  connection: Connection,
  kind: Kind | (() => Kind),
  work: () => Promise<T>,
): Promise<T> {
  const { reach, callTimeout } = connection;
  reach.throwIfDown();
  const kindNow = typeof kind === 'function' ? kind : () => kind;
  const isUnsent = reach.watchSending();
  try {
    return await rejectAfter(callTimeout, work(), () => noAnswerError(kindNow()));
  } catch (error) {
    connection.full ||= isDiskFull(error);
    throw translateError(isUnsent() ? 'read' : kindNow(), error);
  }
}

/** Looks whether a disk that was full has room again; throws while it has not. */
export async function checkRoom(connection: Connection): Promise<void> {
  if (!connection.full) return;
  const probes = connection.db.collection<{ _id: string; probe: Buffer }>('store_probes');
  const probe = Buffer.alloc(PROBE_BYTES);
  await callMongo(connection, 'write', () => probes.updateOne({ _id: 'disk' }, { $set: { probe } }, { upsert: true }));
  await callMongo(connection, 'write', () => probes.deleteOne({ _id: 'disk' }));
  connection.full = false;
}
