/** Milliseconds of a turn of the event loop that are for work in slices, of all such works together. */
const turnMs = 5;

/** Works that gave others their turn, in order. */
const waiting: (() => void)[] = [];
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
  if (!isHeld) waiting.shift()?.();
  if (waiting.length > 0) setImmediate(serveNext);
}

/**
 * Gives others their turn: requests, and all other work that does so. One such work goes on in each turn of the event loop, so
 * that a turn of many works at once is as short as that of one.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(serveNext);
  });
}

/** Whether others should get their turn now: a work that takes long asks after each step. */
export const isTurnOver = (): boolean => performance.now() - (began ?? beginTurn()) >= turnMs;

/** Runs steps to their end, in slices. */
export async function inSlices<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (isTurnOver()) await nextTurn();
  }
}

/** Works on many items in slices, so that it holds up no other request. */
export async function eachInSlices<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  for (const item of items) {
    work(item);
    if (isTurnOver()) await nextTurn();
  }
}
