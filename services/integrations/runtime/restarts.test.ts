import { Restarts } from './restarts.js';

test('a program whose processes end badly one after the other waits longer each time, up to four seconds', () => {
  const restarts = new Restarts();
  const waits = Array.from({ length: 8 }, (_, at) => restarts.ended('loop', 'processor', 1000 * at));
  expect(waits).toEqual([0, 250, 500, 1000, 2000, 4000, 4000, 4000]);
});

test('a process that was stopped, and those of other programs, do not count', () => {
  const restarts = new Restarts();
  restarts.ended('loop', 'memory', 0);
  expect(restarts.ended('loop', 'stopped', 1)).toBe(0);
  expect(restarts.ended('other', 'memory', 2)).toBe(0);
  expect(restarts.ended('loop', 'crash', 3)).toBe(250);
});

test('after a minute without a bad end, a program starts at once again', () => {
  const restarts = new Restarts();
  for (const at of [0, 1, 2]) restarts.ended('loop', 'logs', at);
  expect(restarts.ended('loop', 'logs', 60_003)).toBe(0);
});
