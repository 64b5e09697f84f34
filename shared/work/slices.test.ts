import { stillClock } from '../testing/still-clock.js';
import { eachInSlices, holdSlices, inSlices } from './slices.js';

// Time passes by work alone: each step is a slice.
stillClock();

const works = 5;
const steps = 10;

/** Works of many steps at once; adds the name of the one that went on to `done`. */
const startAll = (done: number[]) =>
  Promise.all(
    Array.from({ length: works }, (_, work) =>
      eachInSlices(Array.from({ length: steps }), () => {
        done.push(work);
        jest.advanceTimersByTime(5);
      }),
    ),
  );

const turn = () => new Promise(setImmediate);
// Each test has a clock of its own, which is not that of the turn before.
beforeEach(turn);

/** How many steps are done in each turn of the event loop, until there are `all`. */
async function countByTurn(done: number[], all: number): Promise<number[]> {
  const counts: number[] = [];
  for (let before = done.length; done.length < all; before = done.length) {
    await turn();
    counts.push(done.length - before);
  }
  return counts;
}

it('lets one of many works go on in a turn, each in its turn', async () => {
  const done: number[] = [];
  const ended = startAll(done);
  // All begin at once, and share the time of this turn.
  expect(done).toEqual([0, 0, 1, 2, 3, 4]);
  const counts = await countByTurn(done, works * steps);
  expect(Math.max(...counts)).toBe(1);
  expect(done.slice(6, 16)).toEqual([0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
  await ended;
});

it('does not let a short work wait for all the long ones, which go on too', async () => {
  const [long, short]: number[][] = [[], []];
  const step = (done: number[] | undefined) => () => {
    done?.push(1);
    jest.advanceTimersByTime(5);
  };
  const ended = Promise.all(Array.from({ length: 20 }, () => eachInSlices(Array.from({ length: 20 }), step(long))));
  for (let turns = 0; turns < 100; turns++) await turn();
  const before = long?.length ?? 0;
  await eachInSlices(Array.from({ length: 4 }), step(short));
  expect((long?.length ?? 0) - before).toBeGreaterThanOrEqual(3);
  expect((long?.length ?? 0) - before).toBeLessThanOrEqual(6);
  await ended;
  expect(long).toHaveLength(400);
});

it('goes on when it is no longer held', async () => {
  const done: number[] = [];
  holdSlices(true);
  const ended = startAll(done);
  const begun = done.length;
  for (let turns = 0; turns < 20; turns++) await turn();
  const held = done.length;
  holdSlices(false);
  expect([begun, held]).toEqual([works + 1, works + 1]);
  await ended;
  expect(done).toHaveLength(works * steps);
});

it('passes on what a work returns and throws', async () => {
  const countTo = function* (last: number): Generator<void, number> {
    for (let at = 0; at < last; at++) {
      jest.advanceTimersByTime(3);
      yield;
    }
    if (last > 20) throw new Error('too far');
    return last;
  };
  expect(await inSlices(countTo(20))).toBe(20);
  await expect(inSlices(countTo(21))).rejects.toThrow('too far');
});
