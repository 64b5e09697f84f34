import { setImmediate } from 'node:timers/promises';
import { SliceTurns } from './deliveries.js';

/** What has gone on in each turn of the event loop, when answers of which so many bytes are sent ask in this order. */
async function turnsOf(sent: number[]): Promise<number[][]> {
  const slices = new SliceTurns();
  const gone: number[] = [];
  for (const bytes of sent) slices.awaitTurn(bytes).then(() => gone.push(bytes));
  const turns: number[][] = [];
  for (let left = sent.length; left > 0; left -= turns.at(-1)?.length ?? 0) {
    await Promise.resolve();
    turns.push(gone.splice(0));
    await setImmediate();
  }
  return turns;
}

describe('slices of large answers', () => {
  it('go at once while there are few', async () => {
    expect(await turnsOf([1, 2, 3])).toEqual([[1, 2, 3]]);
  });

  it('are four in a turn: the one that waits longest, and those of the answers that have got least', async () => {
    expect(await turnsOf([9, 9, 9, 9, 700, 800, 0, 500, 100, 300, 200])).toEqual([
      [9, 9, 9, 9],
      [700, 0, 100, 200],
      [800, 300, 500],
    ]);
  });

  it('of a small answer go together in its turn', async () => {
    const slices = new SliceTurns();
    const gone: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'large', 'other']) slices.awaitTurn(900).then(() => gone.push(name));
    slices.awaitTurn(0, 3).then(() => gone.push('small'));
    await Promise.resolve();
    expect(gone.splice(0)).toEqual(['a', 'b', 'c', 'd']);
    await setImmediate();
    expect(gone.splice(0)).toEqual(['large', 'small']);
    await setImmediate();
    expect(gone).toEqual(['other']);
  });

  it('of an answer that fits go together, unless others wait or have gone in this turn', async () => {
    const slices = new SliceTurns();
    expect([slices.takeTurn(3), slices.takeTurn(2), slices.takeTurn(1)]).toEqual([true, false, true]);
    const waiting = slices.awaitTurn(0);
    expect(slices.takeTurn(1)).toBe(false);
    await waiting;
    expect([slices.takeTurn(4), slices.takeTurn(3)]).toEqual([false, true]);
  });
});
