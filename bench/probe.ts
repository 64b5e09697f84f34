import { Worker } from 'node:worker_threads';
import type { Seen } from './probe-thread.js';
import { type Product, token } from './product.js';

/** Watches the product from a thread of its own, which nothing of this measurement holds up. Watching the processes for specifications takes time of the thread. */
export function openProbe({ url, pid }: Product, path: string, { watchesWorkers = false } = {}) {
  const workerData = { url, pid, path, token, watchesWorkers };
  const probe = new Worker(new URL('./probe-thread.js', import.meta.url), { workerData });
  const seen = (): Promise<Seen> =>
    new Promise((answered) => {
      probe.once('message', answered);
      probe.postMessage('seen');
    });
  return { seen, close: () => probe.terminate() };
}
