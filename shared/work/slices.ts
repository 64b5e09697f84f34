/** Milliseconds of a turn of the event loop that are for work in slices, of all such works together. */
const turnMs = 3;

/** A work that gave others their turn. */
interface Waiting {
  /** Turns that it had before. */
  had: number;
  goOn: () => void;
}

/** In the order in which they came. */
const waiting: Waiting[] = [];
/** Whether the work that has waited longest goes on next, or else the one that had the fewest turns. */
let isOldestNext = true;
/** When work in slices began in this turn of the event loop; undefined where none did. */
let began: number | undefined;

function beginTurn(): number {
  const now = performance.now();
  began = now;
  setImmediate(() => {
    if (began === now) began = undefined;
  });
  return now;
}

let isHeld = false;

/** Whether works in slices wait until this is taken back: for what must have many turns of the event loop soon. */
export function holdSlices(held: boolean): void {
  isHeld = held;
}

function serveNext(): void {
  beginTurn();
  if (!isHeld) takeNext()?.goOn();
  if (waiting.length > 0) setImmediate(serveNext);
}

/** Long works go on, and short ones need not wait for all of them. */
function takeNext(): Waiting | undefined {
  isOldestNext = !isOldestNext;
  let next = 0;
  if (!isOldestNext)
    for (let at = 1; at < waiting.length; at++)
      if ((waiting[at] as Waiting).had < (waiting[next] as Waiting).had) next = at;
  return waiting.splice(next, 1)[0];
}

/** Turns that a work is taken to have had that does not count them. */
const many = 100;

/**
 * Gives others their turn: requests, and all other work that does so. One such work goes on in each turn of the event loop, so
 * that a turn of many works at once is as short as that of one. `had` is the number of turns that this work had before.
 */
export function nextTurn(had = many): Promise<void> {
  return new Promise((goOn) => {
    waiting.push({ had, goOn });
    if (waiting.length === 1) setImmediate(serveNext);
  });
}

/** Whether others should get their turn now: a work that takes long asks after each step. */
export const isTurnOver = (): boolean => performance.now() - (began ?? beginTurn()) >= turnMs;

/** Runs steps to their end, in slices. */
export async function inSlices<T>(steps: Generator<void, T>): Promise<T> {
  for (let had = 0; ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    if (isTurnOver()) await nextTurn(had++);
  }
}

/** Works on many items in slices, so that it holds up no other request. */
export async function eachInSlices<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  let had = 0;
  for (const item of items) {
    work(item);
    if (isTurnOver()) await nextTurn(had++);
  }
}
