import { setTimeout as delay } from 'node:timers/promises';
import { MongoError } from 'mongodb';
import { StoreDuplicate } from '../../port.js';

const WRITE_CONFLICT = 112;
const DUPLICATE_KEY = 11000;

/** Whether an error changed nothing and may not occur again. */
export const isTransient = (error: unknown): boolean =>
  error instanceof MongoError && (error.code === WRITE_CONFLICT || error.hasErrorLabel('TransientTransactionError'));

export const isDuplicate = (error: unknown): boolean =>
  error instanceof StoreDuplicate || (error instanceof MongoError && error.code === DUPLICATE_KEY);

export const MAX_ATTEMPTS = 40;
/** A duplicate in an upsert may be the document that it should update: the next attempt does. */
export const MAX_RACES = 3;

/** Repeats work after transient errors. Outside a transaction MongoDB usually waits for a conflicting write itself. */
export async function repeatTransient<T>(work: () => Promise<T>, { upsert = false } = {}): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const again = isTransient(error) ? attempt < MAX_ATTEMPTS : upsert && isDuplicate(error) && attempt < MAX_RACES;
      if (!again) throw error;
      await delay(Math.random() * Math.min(500, 5 * 1.5 ** attempt));
    }
  }
}
