import { setTimeout as delay } from 'node:timers/promises';
import { StoreConflict, StoreDuplicate } from './port.js';

const attempts = 20;

interface AgainOptions {
  /** A duplicate too is a race: what was there when it was looked for is there now. */
  duplicates?: boolean;
}

/** Reads, decides and writes anew while others win the race; the last defeat is the caller's to know. */
export async function again<T>(act: () => Promise<T>, { duplicates = false }: AgainOptions = {}): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      const lost = error instanceof StoreConflict || (duplicates && error instanceof StoreDuplicate);
      if (!lost || attempt === attempts) throw error;
      await delay(Math.random() * Math.min(200, 4 * 1.5 ** attempt));
    }
  }
}
