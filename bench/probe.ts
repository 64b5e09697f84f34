import { Worker } from 'node:worker_threads';
import type { Seen } from './openapi-probe.js';
import { type Product, token } from './product.js';

/** Watches the product from a thread of its own, which nothing of this measurement holds up. */
export function openProbe({ url, pid }: Product, path: string) {
  const probe = new Worker(new URL('./openapi-probe.js', import.meta.url), { workerData: { url, pid, path, token } });
  const seen = (): Promise<Seen> =>
    new Promise((answered) => {
      probe.once('message', answered);
      probe.postMessage('seen');
    });
  return { seen, close: () => probe.terminate() };
}
