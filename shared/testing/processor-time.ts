/** Milliseconds of processor time that `run` takes: other tests run at the same time. */
export function processorMs(run: () => void): number {
  const from = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}

/** Milliseconds of processor time of the longest turn of the event loop while `run` runs; the clock would count what others do meanwhile. */
export async function longestTurnMs(run: () => Promise<unknown>): Promise<number> {
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

const tries = 5;

/** The least of some measurements, at the first that is below a bound: garbage collection spoils one of them, what is slow spoils each. */
export async function leastMs(measure: () => Promise<number>, { below }: { below: number }): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < tries && least >= below; tried++) least = Math.min(least, await measure());
  return least;
}
