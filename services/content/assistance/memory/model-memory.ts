import type { Store } from '../../../../shared/store/port.js';
import { sha256, timeIn, timestamp } from '../../../../shared/values/ids.js';
import { modelMemory } from './model.js';

/** Remembers answers of the model by all that they depend on, for each organization on its own. */
export class ModelMemory {
  constructor(
    private readonly store: Store,
    /** Names the model: another one answers anew. */
    private readonly modelName: string,
  ) {}

  /** The answers to inputs, in their order; undefined for those that are not remembered. */
  async recall(organization: string, inputs: string[]): Promise<(string | undefined)[]> {
    const ids = inputs.map((input) => this.idOf(organization, input));
    const found = await this.store.getMany(modelMemory, [...new Set(ids)]);
    const now = timestamp();
    const known = new Map(found.filter(({ expiresAt }) => expiresAt > now).map(({ _id, text }) => [_id, text]));
    return ids.map((id) => known.get(id));
  }

  async keep(organization: string, answers: { input: string; text: string }[], keptMs: number): Promise<void> {
    await this.store.deleteMany(modelMemory, { expiresAt: { $lte: timestamp() } });
    for (const { input, text } of answers) {
      const _id = this.idOf(organization, input);
      await this.store.upsert(modelMemory, { _id }, { $set: { organization, text, expiresAt: timeIn(keptMs) } });
    }
  }

  private idOf(organization: string, input: string): string {
    return sha256(JSON.stringify([organization, this.modelName, input]));
  }
}

export type HasModelMemory = { memory: ModelMemory };
