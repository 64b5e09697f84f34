import { Restarts } from './process-pool.js';

test('a program whose processes end badly one after the other waits longer each time, up to four seconds', () => {
  const restarts = new Restarts();
  const waits = Array.from({ length: 8 }, (_, at) => restarts.noteEnd('loop', 'processor', 1000 * at));
  expect(waits).toEqual([0, 250, 500, 1000, 2000, 4000, 4000, 4000]);
});

test('a process that was stopped, and those of other programs, do not count', () => {
  const restarts = new Restarts();
  restarts.noteEnd('loop', 'memory', 0);
  expect(restarts.noteEnd('loop', 'stopped', 1)).toBe(0);
  expect(restarts.noteEnd('other', 'memory', 2)).toBe(0);
  expect(restarts.noteEnd('loop', 'crash', 3)).toBe(250);
});

test('after a minute without a bad end, a program starts at once again', () => {
  const restarts = new Restarts();
  for (const at of [0, 1, 2]) restarts.noteEnd('loop', 'logs', at);
  expect(restarts.noteEnd('loop', 'logs', 60_003)).toBe(0);
});
