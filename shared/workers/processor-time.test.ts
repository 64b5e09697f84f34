import { ProcessorTime } from './task-process.js';

const withinMs = 1000;
const timeOf = (isPatient: boolean) => new ProcessorTime({ withinMs, isPatient }, { at: 0, used: 500 });

describe.each([true, false])('a task that is patient: %s', (isPatient) => {
  it('ends by its deadline with the processor time that it has used, not with what was used before it', () => {
    const time = timeOf(isPatient);
    expect(time.checkLimits({ at: 1000, used: 1400 })).toBe(100);
    expect(time.checkLimits({ at: 1100, used: 1500 })).toBe('deadline');
  });

  it('is late when it gets nothing of a processor in three times that', () => {
    const time = timeOf(isPatient);
    expect(time.checkLimits({ at: 1000, used: 500 })).toBe(1000);
    expect(time.checkLimits({ at: 2900, used: 500 })).toBe(100);
    expect(time.checkLimits({ at: 3000, used: 500 })).toBe('late');
  });
});

it('a task that somebody waits for is late with three times its time, however far it is', () => {
  const time = timeOf(false);
  expect(time.checkLimits({ at: 2999, used: 1499 })).toBe(10);
  expect(time.checkLimits({ at: 3000, used: 1499 })).toBe('late');
});

it('a patient task goes on as long as it gets a hundredth of a processor, until it has used its time', () => {
  const time = timeOf(true);
  const ends: unknown[] = [];
  for (let at = 1000; ends.length === 0; at += 1000) {
    const looked = time.checkLimits({ at, used: 500 + at / 100 });
    if (typeof looked === 'string') ends.push(looked, at);
  }
  expect(ends).toEqual(['deadline', 100_000]);
});

it('ends by its deadline at the first look where the system does not tell what was used', () => {
  const unknown = Number.POSITIVE_INFINITY;
  const time = new ProcessorTime({ withinMs, isPatient: true }, { at: 0, used: unknown });
  expect(time.checkLimits({ at: 1000, used: unknown })).toBe('deadline');
});
