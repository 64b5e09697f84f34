import { timestamp } from '../../../../shared/ids.js';
import type { Store } from '../../../../shared/store/port.js';
import { contentImports, hasEnded } from './model.js';

const tellMs = 500;

/** The import was cancelled, or its space deleted: nothing is left to do. */
export class Cancelled extends Error {}

/** Counts what an import finds and shows it, and finds out when it was cancelled. */
export class Progress {
  private total = 0;
  private told = 0;

  constructor(
    private readonly store: Store,
    private readonly id: string,
  ) {}

  get totalResources(): number {
    return this.total;
  }

  found(resources: number): void {
    this.total += resources;
  }

  /** Shows the counts, not too often. Throws `Cancelled`. */
  async tell(): Promise<void> {
    if (Date.now() - this.told < tellMs) return;
    this.told = Date.now();
    const item = await this.store.get(contentImports, this.id, { fields: ['state'] });
    if (!item || hasEnded(item)) throw new Cancelled();
    await this.store.updateMany(
      contentImports,
      { _id: this.id, state: 'in-progress' },
      { $set: { totalResources: this.total, updatedAt: timestamp() } },
    );
  }
}
