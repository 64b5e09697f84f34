import fc from 'fast-check';
import { expectLinear } from '../../../../../shared/testing/processor-time.js';
import { runs } from '../../../../../shared/testing/runs.js';
import { diffHunks } from './hunks.js';

fc.configureGlobal({ numRuns: runs(100) });

const lists = fc.oneof(
  fc.array(fc.constantFrom('', 'a', 'b', '__proto__')),
  fc.array(fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz')),
);

it('hunks turn the base into the side, with something in common between them', () => {
  fc.assert(
    fc.property(lists, lists, (base, side) => {
      let done = { from: 0, sideFrom: 0 };
      for (const { from, to, sideFrom, sideTo } of diffHunks(base, side)) {
        expect(to - from + sideTo - sideFrom).toBeGreaterThan(0);
        if (done.from > 0) expect(from).toBeGreaterThan(done.from);
        expect(side.slice(done.sideFrom, sideFrom)).toEqual(base.slice(done.from, from));
        done = { from: to, sideFrom: sideTo };
      }
      expect(side.slice(done.sideFrom)).toEqual(base.slice(done.from));
    }),
  );
});

it('finds few changes among equal items, in a time by their number only', () => {
  expectLinear((count) => {
    const base = Array<string>(count).fill('');
    const last = count - 100;
    const side = base.toSpliced(last, 1, 'b', 'c').toSpliced(100, 0, 'a');
    expect(diffHunks(base, side)).toEqual([
      { from: 100, to: 100, sideFrom: 100, sideTo: 101 },
      { from: last, to: last + 1, sideFrom: last + 1, sideTo: last + 3 },
    ]);
  }, 2500);
});

it('keeps the lines between changed ones when all others changed, in a time by their number only', () => {
  expectLinear((length) => {
    const base = Array.from({ length }, (_, at) => (at % 2 === 0 ? `line ${at}` : ''));
    const side = base.map((line) => (line === '' ? '' : `${line}!`));
    expect(diffHunks(base, side)).toHaveLength(Math.ceil(length / 2));
  }, 1000);
});
