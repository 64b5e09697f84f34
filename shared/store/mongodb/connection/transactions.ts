import type { ClientSession } from 'mongodb';
import { StoreConflict } from '../../port.js';
import { type Connection, call, within } from './connection.js';
import { isOutage, unanswered } from './outages.js';
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

/** A timer may fire a little early. */
const commitMarginMs = 10;

/** All of the work or nothing. Conflicts are retried with growing, random pauses; too many are a StoreConflict. */
export async function inTransaction(connection: Connection, collection: string, work: Work): Promise<void> {
  const progress: Progress = { collection, upserting: false };
  const until = Date.now() + connection.callTimeout - commitMarginMs;
  let attempts = 0;
  let failure: unknown;
  let committing = false;
  const defeat = () => (isOutage(failure) ? unanswered('read', failure) : new StoreConflict(progress.collection));
  const attempt = async (session: ClientSession) => {
    attempts += 1;
    committing = false;
    connection.reach.check();
    if (attempts > MAX_ATTEMPTS || Date.now() > until) throw defeat();
    try {
      await work(session, progress);
    } catch (error) {
      failure = error;
      throw error;
    }
    // What nobody waits for any more is not committed: a caller that was told so may rely on it.
    if (Date.now() > until) throw unanswered('read');
    committing = true;
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
    const kind = () => (committing ? 'write' : 'read');
    await call(connection, kind, () => connection.client.withSession(races));
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
