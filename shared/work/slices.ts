import { setImmediate } from 'node:timers/promises';

/** Milliseconds after which other requests get their turn. */
const turnMs = 5;

/** Runs steps to their end. After `ms` milliseconds of them other requests get their turn. */
export async function inSlices<T>(steps: Generator<void, T>, ms = turnMs): Promise<T> {
  let began = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - began < ms) continue;
    await setImmediate();
    began = performance.now();
  }
}

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
