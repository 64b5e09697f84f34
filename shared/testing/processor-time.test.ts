import { expectLinear } from './processor-time.js';

/** Takes as long as it takes to sort so many numbers. */
const toil = (count: number) => Array.from({ length: count }, (_, at) => (at * 7919) % 10_007).sort((a, b) => a - b);

test('what takes time by its size passes, what takes time by the square of it does not', () => {
  expectLinear((size) => toil(size), 4000);
  expectLinear((size) => toil(8 * size), 10);
  const square = (size: number) => toil((size * size) / 4000);
  expect(() => expectLinear(square, 4000)).toThrow(/^8 times the size of 4000 takes \d/);
  expect(() => expectLinear((size) => toil(size * size), 60)).toThrow(/^8 times the size of 60 takes \d/);
});
