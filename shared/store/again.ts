import { setTimeout as delay } from 'node:timers/promises';
import { StoreConflict, StoreDuplicate } from './port.js';

const attempts = 20;

interface AgainOptions {
  /** Also retry on a duplicate: another request may have inserted what was missing when this one looked. */
  duplicates?: boolean;
}

/** Repeats `act` (read, decide, write) while it loses a race, up to 20 times; then throws the last conflict. */
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
