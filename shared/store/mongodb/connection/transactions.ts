import type { ClientSession } from 'mongodb';
import { StoreConflict } from '../../port.js';
import { type Connection, callMongo, rejectAfter } from './connection.js';
import { isOutage, noAnswerError } from './outages.js';
import { isDuplicate, isTransient, MAX_ATTEMPTS, MAX_RACES } from './retries.js';

/** The work of a transaction; may run several times, each time from the start. */
type Work = (session: ClientSession, progress: Progress) => Promise<void>;

/** Updated by the work: its collection, for the error, and whether it upserts, which gives a duplicate another meaning. */
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

/** Runs work in a transaction, all or nothing. Conflicts are retried with growing random pauses; too many throw StoreConflict. */
export async function inTransaction(connection: Connection, collection: string, work: Work): Promise<void> {
  const progress: Progress = { collection, upserting: false };
  const until = Date.now() + connection.callTimeout - commitMarginMs;
  let attempts = 0;
  let failure: unknown;
  let committing = false;
  const defeatError = () =>
    isOutage(failure) ? noAnswerError('read', failure) : new StoreConflict(progress.collection);
  const attemptWork = async (session: ClientSession) => {
    attempts += 1;
    committing = false;
    connection.reach.throwIfDown();
    if (attempts > MAX_ATTEMPTS || Date.now() > until) throw defeatError();
    try {
      await work(session, progress);
    } catch (error) {
      failure = error;
      throw error;
    }
    // Not committed after the deadline: the caller was answered that nothing changed.
    if (Date.now() > until) throw noAnswerError('read');
    committing = true;
  };
  const retryRaces = async (session: ClientSession) => {
    for (let race = 1; ; race++) {
      try {
        return await session.withTransaction(attemptWork, options);
      } catch (error) {
        if (!progress.upserting || !isDuplicate(error) || race >= MAX_RACES) throw error;
      }
    }
  };
  try {
    const callKind = () => (committing ? 'write' : 'read');
    await callMongo(connection, callKind, () => connection.client.withSession(retryRaces));
  } catch (error) {
    throw isTransient(error) ? new StoreConflict(progress.collection) : error;
  }
}

const turns = new Map<string, Promise<unknown>>();

/**
 * Runs the work when all earlier work of this process on any of the keys has ended: on the server they would conflict and
 * retry. Gives up after waiting for `ms`, with nothing done.
 */
export async function runInTurn<T>(keys: Iterable<string>, ms: number, work: () => Promise<T>): Promise<T> {
  const own = new Set(keys);
  const earlier = Promise.all([...own].map((key) => turns.get(key)));
  let end = () => {};
  const turn = new Promise<void>((done) => {
    end = done;
  }).then(() => earlier);
  for (const key of own) turns.set(key, turn);
  try {
    await rejectAfter(ms, earlier, () => noAnswerError('read'));
    return await work();
  } finally {
    end();
    void turn.then(() => {
      for (const key of own) if (turns.get(key) === turn) turns.delete(key);
    });
  }
}
