import { type BatchListener, type Document, singleWrites, type Write } from './port.js';

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

/** Keeps the listeners of one store, by their collection. */
export class BatchListeners {
  private readonly byCollection = new Map<string, Set<BatchListener>>();

  /** Returns the function that removes the listener. It must not throw, and leaves what takes long for later. */
  add({ name }: { name: string }, listener: BatchListener): () => void {
    const listeners = this.byCollection.get(name) ?? new Set();
    this.byCollection.set(name, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Calls each listener once for a batch; called by the stores, after the commit. */
  notify(writes: Write[]): void {
    const added = new Map<string, Document[] | undefined>();
    for (const each of singleWrites(writes)) {
      const { name } = each.collection;
      if (!this.byCollection.has(name)) continue;
      if (each.op === 'upsert') added.set(name, undefined);
      else if (each.op === 'insert' && each.documents.length > 0)
        added.set(name, added.has(name) ? added.get(name)?.concat(each.documents) : each.documents);
    }
    for (const [name, documents] of added)
      for (const listener of this.byCollection.get(name) ?? []) listener(documents);
  }
}
