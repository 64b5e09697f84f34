import type { Jobs } from '../../../../shared/jobs/jobs.js';
import type { Log } from '../../../../shared/monitoring/log.js';
import { indexJobOf } from './index-job.js';
import { indexPrimary } from './search-index.js';

type Dependencies = Parameters<typeof indexPrimary>[0] & { jobs: Jobs };

/** Indexes new primary content as soon as it is there, so that its job is left to do where this process dies. */
export class Indexer {
  private readonly running = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly deps: Dependencies,
    private readonly log: Log,
  ) {}

  soon(space: string, revision: string): void {
    const before = this.running.get(space) ?? Promise.resolve();
    const run = before.then(() => this.index(space, revision));
    this.running.set(space, run);
    void run.finally(() => {
      if (this.running.get(space) === run) this.running.delete(space);
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running.values());
  }

  private async index(space: string, revision: string): Promise<void> {
    const { signal } = this.stopping;
    if (signal.aborted) return;
    try {
      await indexPrimary(this.deps, { space, signal });
      await this.deps.jobs.forget(indexJobOf(revision));
    } catch (err) {
      if (!signal.aborted) this.log.warn({ err, space }, 'indexing new content failed; will retry');
    }
  }
}

export type HasIndexer = { indexer: Indexer };
