import fc from 'fast-check';
import { runs } from '../../../../../shared/testing/runs.js';
import { mergeSources } from './merge-sources.js';
import { type SettledSource, settleSources } from './settle-sources.js';

/** The merged source with these sides of the conflicts. */
function chosen({ merged, conflicts }: SettledSource, side: 'mine' | 'theirs'): string {
  let out = '';
  let done = 0;
  for (const { at, mine, ...conflict } of conflicts) {
    out += merged.slice(done, at) + (side === 'mine' ? mine : conflict.theirs);
    done = at + mine.length;
  }
  return out + merged.slice(done);
}

it.each([
  ['changes apart', '1\n2\n3\n', 'X\n2\n3\n', '1\n2\nY\n', 'X\n2\nY\n', []],
  ['the same change', '1\n', 'X\n', 'X\n', 'X\n', []],
  [
    'one line',
    '1\n2\n3\n',
    '1\nX\n3\n',
    '1\nY\n3\n',
    '1\nX\n3\n',
    [{ at: 2, base: '2\n', mine: 'X\n', theirs: 'Y\n' }],
  ],
  [
    'a deletion and a change',
    '1\n2\n3\n',
    '1\n3\n',
    '1\nY\n3\n',
    '1\n3\n',
    [{ at: 2, base: '2\n', mine: '', theirs: 'Y\n' }],
  ],
  [
    'two places, with what others added between',
    'a\nb\nc\nd\ne\n',
    'A\nb\nc\nd\nE\n',
    'x\nb\nnew\nc\nd\ny\n',
    'A\nb\nnew\nc\nd\nE\n',
    [
      { at: 0, base: 'a\n', mine: 'A\n', theirs: 'x\n' },
      { at: 12, base: 'e\n', mine: 'E\n', theirs: 'y\n' },
    ],
  ],
  [
    'a key of the front matter',
    '---\ntitle: A\nicon: a\n---\nx\n',
    '---\ntitle: B\nicon: a\n---\nx\n',
    '---\ntitle: C\nicon: b\n---\nx\n',
    '---\ntitle: B\nicon: b\n---\nx\n',
    [{ at: 4, base: 'title: A\nicon: a\n', mine: 'title: B\n', theirs: 'title: C\n' }],
  ],
  [
    'a key that I removed',
    '---\ntitle: A\nicon: a\n---\nx\n',
    '---\ntitle: A\n---\nx\n',
    '---\ntitle: A\nicon: b\n---\nx\n',
    '---\ntitle: A\n---\nx\n',
    [{ at: 13, base: 'icon: a\n', mine: '', theirs: 'icon: b\n' }],
  ],
  [
    'texts without a base',
    '',
    'mine\n',
    'theirs\n',
    'mine\n',
    [{ at: 0, base: '', mine: 'mine\n', theirs: 'theirs\n' }],
  ],
  [
    'line ends as they are',
    'a\r\nb',
    'x\r\nb',
    'y\r\nb',
    'x\r\nb',
    [{ at: 0, base: 'a\r\n', mine: 'x\r\n', theirs: 'y\r\n' }],
  ],
])('%s', (_, base, mine, theirs, merged, conflicts) => {
  expect(settleSources({ base, mine, theirs })).toEqual({ merged, conflicts });
});

it('the choices lead from the merge that takes my side everywhere to the one that takes theirs', () => {
  const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'x: 1\n', '---\n', 'd\r\n');
  const text = fc.array(line, { maxLength: 14 }).map((lines) => lines.join(''));
  const page = fc.tuple(
    fc.constantFrom('', '---\nx: 1\ny: 2\n---\n', '---\nx: 3\n---\n'),
    text,
    fc.constantFrom('', 'z'),
  );
  const whole = page.map((parts) => parts.join(''));
  fc.assert(
    fc.property(whole, whole, whole, (base, mine, theirs) => {
      const settled = settleSources({ base, mine, theirs });
      const sides = { base, ours: mine, theirs };
      expect(chosen(settled, 'mine')).toBe(settled.merged);
      expect(settled.merged).toBe(mergeSources({ ...sides, choose: 'ours' }).source);
      expect(chosen(settled, 'theirs')).toBe(mergeSources({ ...sides, choose: 'theirs' }).source);
      if (mergeSources(sides).conflicts.length === 0) expect(settled.conflicts).toEqual([]);
    }),
    { numRuns: runs(100) },
  );
});
