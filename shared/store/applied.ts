import type { Write } from './port.js';

const applied = new WeakSet<Write>();

/** Notes that the batch with these writes was applied; called by the stores. */
export function noteApplied(writes: Write[]): void {
  for (const each of writes) {
    applied.add(each);
    if (each.op === 'all') noteApplied(each.writes);
  }
}

/** Whether a batch with this write is known to have been applied. */
export const isApplied = (write: Write): boolean => applied.has(write);
