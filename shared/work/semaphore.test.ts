import { KeyedSemaphore, Semaphore } from './semaphore.js';

/** Work that ends when it is told to. */
const workers = () => {
  const begun: number[] = [];
  const ends: { resolve(): void; reject(error: Error): void }[] = [];
  const work = (n: number) => () =>
    new Promise<number>((resolve, reject) => {
      begun.push(n);
      ends[n] = { resolve: () => resolve(n), reject };
    });
  return { begun, ends, work };
};

it('runs few at a time, and the rest in order of arrival', async () => {
  const { begun, ends, work } = workers();
  const few = new Semaphore(2);
  const all = [0, 1, 2, 3].map((n) => few.run(work(n)));
  await Promise.resolve();
  expect([begun, few.waiting]).toEqual([[0, 1], 2]);
  ends[1]?.resolve();
  expect(await all[1]).toBe(1);
  expect(begun).toEqual([0, 1, 2]);
  for (const n of [0, 2]) ends[n]?.resolve();
  await all[2];
  ends[3]?.resolve();
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3]);
});

it('goes on after work that failed', async () => {
  const { ends, work } = workers();
  const few = new Semaphore(1);
  const [first, second] = [few.run(work(0)), few.run(work(1))];
  ends[0]?.reject(new Error('failed'));
  await expect(first).rejects.toThrow('failed');
  ends[1]?.resolve();
  expect(await second).toBe(1);
});

describe('by key', () => {
  it('runs one after the other of a key, beside those of others, also at the moment when a key becomes idle', async () => {
    const { begun, ends, work } = workers();
    const turns = new KeyedSemaphore();
    const [first, second, other] = [turns.run('a', work(0)), turns.run('a', work(1)), turns.run('b', work(2))];
    expect(begun).toEqual([0, 2]);
    ends[0]?.reject(new Error('failed'));
    await expect(first).rejects.toThrow('failed');
    expect(begun).toEqual([0, 2, 1]);
    ends[1]?.resolve();
    const third = second.then(() => turns.run('a', work(3)));
    await second;
    await Promise.resolve();
    const fourth = turns.run('a', work(4));
    expect(begun).toEqual([0, 2, 1, 3]);
    ends[3]?.resolve();
    await third;
    for (const n of [2, 4]) ends[n]?.resolve();
    expect(await Promise.all([other, fourth])).toEqual([2, 4]);
  });

  it('refuses what would wait, where it shall', async () => {
    const { begun, ends, work } = workers();
    const few = new KeyedSemaphore(2, () => new Error('full'));
    const all = [few.run('a', work(0)), few.run('a', work(1))];
    await expect(few.run('a', work(2))).rejects.toThrow('full');
    ends[0]?.resolve();
    await all[0];
    const next = few.run('a', work(3));
    expect(begun).toEqual([0, 1, 3]);
    for (const n of [1, 3]) ends[n]?.resolve();
    expect(await Promise.all([...all, next])).toEqual([0, 1, 3]);
  });
});
