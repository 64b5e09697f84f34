import type { ClientSession } from 'mongodb';
import { StoreConflict } from '../port.js';
import { type Connection, call, unanswered, within } from './connection.js';
import { isDuplicate, isTransient, MAX_ATTEMPTS, MAX_RACES } from './retries.js';

/** May run several times, each time from the start. */
type Work = (session: ClientSession, progress: Progress) => Promise<void>;

/** Kept up to date by the work: where it is, for the error, and for what a duplicate means. */
interface Progress {
  collection: string;
  upserting: boolean;
}

const options = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority' },
  readPreference: 'primary',
} as const;

/** All of the work or nothing. Conflicts are retried with growing, random pauses; too many are a StoreConflict. */
export async function inTransaction(connection: Connection, collection: string, work: Work): Promise<void> {
  const progress: Progress = { collection, upserting: false };
  const until = Date.now() + connection.callTimeout;
  let attempts = 0;
  const attempt = async (session: ClientSession) => {
    attempts += 1;
    if (attempts > MAX_ATTEMPTS || Date.now() > until) throw new StoreConflict(progress.collection);
    await work(session, progress);
  };
  const races = async (session: ClientSession) => {
    for (let race = 1; ; race++) {
      try {
        return await session.withTransaction(attempt, options);
      } catch (error) {
        if (!progress.upserting || !isDuplicate(error) || race >= MAX_RACES) throw error;
      }
    }
  };
  try {
    await call(connection, 'write', () => connection.client.withSession(races));
  } catch (error) {
    throw isTransient(error) ? new StoreConflict(progress.collection) : error;
  }
}

const turns = new Map<string, Promise<unknown>>();

/**
 * Runs the work when all earlier work of this process on one of the keys has ended: the server would have them collide
 * and retry. Gives up after `ms` of waiting, with nothing done.
 */
export async function inTurn<T>(keys: Iterable<string>, ms: number, work: () => Promise<T>): Promise<T> {
  const own = new Set(keys);
  const earlier = Promise.all([...own].map((key) => turns.get(key)));
  let end = () => {};
  const turn = new Promise<void>((done) => {
    end = done;
  }).then(() => earlier);
  for (const key of own) turns.set(key, turn);
  try {
    await within(ms, earlier, () => unanswered('read'));
    return await work();
  } finally {
    end();
    void turn.then(() => {
      for (const key of own) if (turns.get(key) === turn) turns.delete(key);
    });
  }
}
