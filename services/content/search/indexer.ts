import type { Log } from '../../../shared/log.js';
import { indexPrimary } from './search-index.js';

/** Indexes new primary content as soon as it is there, besides all jobs. */
export class Indexer {
  private readonly running = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly deps: Parameters<typeof indexPrimary>[0],
    private readonly log: Log,
  ) {}

  soon(space: string): void {
    const before = this.running.get(space) ?? Promise.resolve();
    const run = before.then(() => this.index(space));
    this.running.set(space, run);
    void run.finally(() => {
      if (this.running.get(space) === run) this.running.delete(space);
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running.values());
  }

  private async index(space: string): Promise<void> {
    const { signal } = this.stopping;
    if (signal.aborted) return;
    try {
      await indexPrimary(this.deps, { space, signal });
    } catch (err) {
      if (!signal.aborted) this.log.warn({ err, space }, 'indexing new content failed; will retry');
    }
  }
}
