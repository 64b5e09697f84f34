import { setImmediate } from 'node:timers/promises';

/** Milliseconds after which other requests get their turn. */
const turnMs = 5;

/** Works on many items in slices, so that it holds up no other request. */
export async function eachInSlices<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  let began = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - began < turnMs) continue;
    await setImmediate();
    began = performance.now();
  }
}
