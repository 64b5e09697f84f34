/** Milliseconds of processor time that `run` takes: other tests run at the same time. */
export function processorMs(run: () => void): number {
  const from = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}

const tries = 5;

/**
 * Milliseconds of processor time for which the event loop is held at once while `run` runs, in the best of some tries: what holds it does so
 * each time; collecting garbage on a busy machine does not.
 */
export async function longestTurnMs(run: () => Promise<unknown>, { goal }: { goal: number }): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < tries && least >= goal; tried++) least = Math.min(least, await longestTurnOf(run));
  return least;
}

async function longestTurnOf(run: () => Promise<unknown>): Promise<number> {
  const used = () => process.cpuUsage().user / 1000;
  let longest = 0;
  let last = used();
  const note = () => {
    longest = Math.max(longest, used() - last);
    last = used();
  };
  let turn = setImmediate(function next() {
    note();
    turn = setImmediate(next);
  });
  await run();
  note();
  clearImmediate(turn);
  return longest;
}
