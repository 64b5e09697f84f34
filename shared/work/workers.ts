import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';

/** A pool of worker threads for tasks that would block the event loop. Tasks are the exports of one module. */
export interface Workers {
  run<R>(task: string, input: unknown): Promise<R>;
  close(): Promise<void>;
}

/** Opens a pool. `module` is the URL of the compiled module that exports the tasks. */
export function openWorkers(module: URL): Workers {
  const maxThreads = Math.max(1, Math.min(4, availableParallelism()));
  const pool = new Piscina({ filename: module.href, minThreads: 0, maxThreads, idleTimeout: 30_000, maxQueue: 10_000 });
  return {
    run: (task, input) => pool.run(input, { name: task }),
    close: () => pool.destroy(),
  };
}
