/** Milliseconds of processor time that `run` takes: other tests run at the same time. */
function processorMs(run: () => unknown): number {
  const from = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}

const times = 8;
/** Halfway between 1, where time grows by the size only, and 8, where it grows by its square. */
const bound = 3;
/** Measured so often before it counts: a neighbour, or the collection of what others left, may spoil several in a row. */
const rounds = 10;
/** What takes less counts as this much. */
const leastMsMeasured = 1;

/** Below that, sizes that differ by some count for too different ones. */
const leastSizeOfRow = 50;
/** The sizes of a row follow those of the first five rounds. Further away they would count for larger ones, and hide what grows by the square. */
const firstOfRow = 15;

/**
 * Throws when the processor time of `work(8 * size)` is more than three times that of eight `work(size)`: about once where it grows by the
 * size only, eight times where it grows by its square. The least of each counts, measured in turn up to ten times: garbage collection and
 * neighbours spoil some measurements, what is slow spoils each. Eight times the least of one is known soon; where the large one takes too long
 * for it, eight in a row count, which leave as much garbage. Sizes differ a little, as results may be cached.
 * Choose a `size` that takes some milliseconds.
 */
export function expectLinear(work: (size: number) => unknown, size: number): void {
  const ofSizes = (...sizes: number[]) => processorMs(() => sizes.map((each) => work(each)));
  const row = Array.from({ length: times }, (_, at) => size + firstOfRow + at);
  let [one, inRow, whole] = [Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < 3; at++) one = Math.min(one, ofSizes(size + 3 * round + at));
    whole = Math.min(whole, ofSizes(times * (size + round)));
    if (whole < bound * times * Math.max(one, leastMsMeasured)) return;
    if (size < leastSizeOfRow) continue;
    inRow = Math.min(inRow || Number.POSITIVE_INFINITY, ofSizes(...row));
    if (whole < bound * inRow) return;
  }
  throw new Error(
    `${times} times the size of ${size} takes ${whole.toFixed(1)} ms, one ${one.toFixed(1)} ms, ${times} in a row ${inRow.toFixed(1)} ms`,
  );
}

/** Milliseconds of processor time of the longest turn of the event loop while `run` runs; the clock would count what others do meanwhile. */
export const longestTurnMs = async (run: () => Promise<unknown>): Promise<number> => (await turnsOf(run)).longest;

const roundsOfTurns = 5;

/**
 * Throws when one turn of the event loop takes more than half of the processor time of `run`, in each of up to five runs: other work would
 * have to wait for it.
 */
export async function expectTurns(run: () => Promise<unknown>): Promise<void> {
  let least = 1;
  for (let round = 0; round < roundsOfTurns; round++) {
    const { longest, all } = await turnsOf(run);
    least = Math.min(least, longest / all);
    if (least <= 0.5) return;
  }
  throw new Error(`one turn takes ${Math.round(least * 100)} % of all processor time`);
}

/** A turn of less has no work, but waits. */
const shortestMs = 0.1;

async function turnsOf(run: () => Promise<unknown>): Promise<{ longest: number; all: number }> {
  const used = () => process.cpuUsage().user / 1000;
  let [longest, all, last] = [0, 0, used()];
  const note = () => {
    const took = used() - last;
    longest = Math.max(longest, took);
    if (took > shortestMs) all += took;
    last = used();
  };
  let turn = setImmediate(function next() {
    note();
    turn = setImmediate(next);
  });
  await run();
  note();
  clearImmediate(turn);
  return { longest, all };
}
