import fc from 'fast-check';
import { runs } from '../../../shared/testing/runs.js';
import { replacementBetween, shapeOf, withLineEnds, withNulls } from './source-text.js';

const pieces = fc.constantFrom('a', 'b ', '\t', '', '\0', '\uFEFF', '\uFFFD', '\u2028', 'é🐞', '  ');
const ends = fc.constantFrom('\n', '\r\n', '\r', '\r\n', '\r\n');
const sources = fc
  .tuple(fc.array(fc.tuple(pieces, ends), { maxLength: 12 }), pieces)
  .map(([lines, last]) => lines.map((line) => line.join('')).join('') + last);

/** A text as a browser keeps it in a box. */
const boxed = (text: string) => text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD');

it('a source is made again from what a text box keeps of it and its shape', () => {
  fc.assert(
    fc.property(sources, (source) => {
      const { text, shape } = shapeOf(source);
      expect(text).toBe(boxed(source));
      expect(withLineEnds(withNulls(text, shape), shape.lineEnd, shape.odd)).toBe(source);
    }),
    { numRuns: runs(300) },
  );
});

it('the end of most lines is that of new ones', () => {
  expect(shapeOf('a\r\nb\nc\r\n')).toEqual({
    text: 'a\nb\nc\n',
    shape: { lineEnd: '\r\n', odd: [[1, '\n']], nulls: [] },
  });
  expect(shapeOf('').shape).toEqual({ lineEnd: '\n', odd: [], nulls: [] });
  expect(shapeOf('a\0\rb').shape).toEqual({ lineEnd: '\r', odd: [], nulls: [1] });
});

it('the replacement between two texts is the smallest one', () => {
  expect(replacementBetween('abcd', 'abXd')).toEqual({ from: 2, to: 3, insert: 'X' });
  expect(replacementBetween('aa', 'aaa')).toEqual({ from: 2, to: 2, insert: 'a' });
  expect(replacementBetween('', '')).toBeNull();
  fc.assert(
    fc.property(sources, sources, (before, after) => {
      const { from, to, insert } = replacementBetween(before, after) ?? { from: 0, to: 0, insert: '' };
      expect(before.slice(0, from) + insert + before.slice(to)).toBe(after);
    }),
    { numRuns: runs(200) },
  );
});
