import { setTimeout as pause } from 'node:timers/promises';

/** A wait of a test that is under way. The environment of the tests tells what was still missing when a test comes to its limit, and ends it. */
export interface Wait {
  missing: string;
  /** The lines of a stack that lead to it: the limit of a test knows none. */
  calledAt: string;
  last: unknown;
  over: boolean;
}

/** Of the test file that runs here, also for `test/support/waits.ts`, which may run outside of its globals. */
export const waitsKey = Symbol.for('bindery.waits');

function waits(): Set<Wait> {
  const here = globalThis as { [waitsKey]?: Set<Wait> };
  here[waitsKey] ??= new Set();
  return here[waitsKey];
}

const firstMs = 10;
const longestMs = 200;

/** The lines of a stack that lead to a function that runs. */
function linesTo(called: (...parameters: never[]) => unknown): string {
  const error = new Error();
  Error.captureStackTrace(error, called);
  return String(error.stack).split('\n').slice(1).join('\n');
}

/**
 * Asks until the answer holds, soon at first and then every 200 ms, and returns that answer. It has no end of its own: on a slow machine it
 * takes longer, and where it never holds, the limit of the test ends it and says that `missing` did not come. What `ask` throws ends it.
 */
export async function eventually<T>(
  missing: string,
  ask: () => T | Promise<T>,
  holds: (answer: T) => unknown = Boolean,
): Promise<T> {
  const wait: Wait = { missing, calledAt: linesTo(eventually), last: undefined, over: false };
  waits().add(wait);
  try {
    for (let ms = firstMs; ; ms = Math.min(2 * ms, longestMs)) {
      const answer = await ask();
      if (holds(answer)) return answer;
      wait.last = answer;
      if (wait.over) throw new Error(`${missing}: did not come`);
      await pause(ms);
    }
  } finally {
    waits().delete(wait);
  }
}
