import type { Store } from '../../../../../shared/store/port.js';
import { timestamp } from '../../../../../shared/values/ids.js';
import { contentImports, hasEnded } from './model.js';

const tellMs = 500;
const watchMs = 500;

/** The import was cancelled, or its space deleted: nothing is left to do. */
export class Cancelled extends Error {}

/** Counts what an import finds, and shows it. */
export class Progress {
  private total = 0;
  private savedAt = 0;

  constructor(
    private readonly store: Store,
    private readonly id: string,
  ) {}

  get totalResources(): number {
    return this.total;
  }

  addToTotal(resources: number): void {
    this.total += resources;
  }

  /** Shows the counts, not too often. Throws `Cancelled`. */
  async saveCounts(): Promise<void> {
    if (Date.now() - this.savedAt < tellMs) return;
    this.savedAt = Date.now();
    const changed = await this.store.updateMany(
      contentImports,
      { _id: this.id, state: 'in-progress' },
      { $set: { totalResources: this.total, updatedAt: timestamp() } },
    );
    if (changed === 0) throw new Cancelled();
  }
}

/** Aborts `controller` with `Cancelled` when the import ends by somebody else's hand. Returns what ends the watch. */
export function watchCancelling(store: Store, id: string, controller: AbortController): () => void {
  const checkCancelled = async () => {
    const item = await store.get(contentImports, id, { fields: ['state'] });
    if (!item || hasEnded(item)) controller.abort(new Cancelled());
  };
  // A store that does not answer ends the import by itself.
  const watching = setInterval(() => void checkCancelled().catch(() => undefined), watchMs).unref();
  return () => clearInterval(watching);
}
