import { timeIn } from '../../../../shared/jobs/job-records.js';
import type { JobKind, Jobs } from '../../../../shared/jobs/jobs.js';
import type { Log } from '../../../../shared/monitoring/log.js';
import { type Write, write } from '../../../../shared/store/port.js';
import { spaces } from '../../core/nodes/model.js';
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
      await this.deps.jobs.removeQueued(indexJobOf(revision));
    } catch (err) {
      if (!signal.aborted) this.log.warn({ err, space }, 'indexing new content failed; will retry');
    }
  }
}

export type HasIndexer = { indexer: Indexer };

const indexSpace = 'indexSpace';

/** Milliseconds. The process that made the content indexes it at once; the job is for one that died. */
const patience = 5000;

/** The id of the job for a revision. */
const indexJobOf = (revision: string): string => `index ${revision}`;

/** The write that has new primary content indexed in any case. */
export const indexLater = (jobs: Jobs, { space, revision }: { space: string; revision: string }): Write =>
  jobs.enqueueOnce(
    indexJobOf(revision),
    indexSpace,
    { space },
    { orderKey: `index ${space}`, runAt: timeIn(patience) },
  );

/** The writes that have a space indexed anew: its entries count with those of its organization, and are of another one. */
export const reindexWrites = (jobs: Jobs, space: string): Write[] => [
  // No revision has this id, so it is not known which entries are out of date.
  write.update(spaces, { _id: space }, { $set: { indexed: 'none' } }),
  jobs.enqueue(indexSpace, { space }, { orderKey: `index ${space}` }),
];

export const indexJob = (deps: Parameters<typeof indexPrimary>[0]): JobKind<{ space: string }> => ({
  kind: indexSpace,
  attempts: 10,
  run: ({ job, signal }) => indexPrimary(deps, { space: job.payload.space, signal }),
});
