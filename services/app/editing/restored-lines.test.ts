import fc from 'fast-check';
import { expectLinear } from '../../../shared/testing/processor-time.js';
import { runs } from '../../../shared/testing/runs.js';
import { restoreLines } from './restored-lines.js';

const pieces = fc.constantFrom('a', 'b ', '\t', '', '\0', '\uFEFF', '\uFFFD', '\u2028', 'é🐞', '  ');
const ends = fc.constantFrom('\n', '\r\n', '\r', '\r\n', '\r\n');
const sources = fc
  .tuple(fc.array(fc.tuple(pieces, ends), { maxLength: 12 }), pieces)
  .map(([lines, last]) => lines.map((line) => line.join('')).join('') + last);

/** A text as a browser keeps it in a box. */
const boxed = (text: string) => text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD');

it('lines that a form did not change stay as they are written', () => {
  const sent = (text: string) => boxed(text).replaceAll('\n', '\r\n');
  const source = 'a\r\nb\nc\rd\0\r\ne';
  expect(restoreLines(source, sent(source))).toBe(source);
  expect(restoreLines(source, sent('a\nX\nY\nc\nd\0\ne'))).toBe('a\r\nX\r\nY\r\nc\rd\0\r\ne');
  expect(restoreLines(source, sent('a\nb\nc\nd\0\ne\n'))).toBe('a\r\nb\nc\rd\0\r\ne\r\n');
  expect(restoreLines('', sent('x\n'))).toBe('x\n');
  expect(restoreLines('x\n', '')).toBe('');
  // Between two places that were changed.
  expect(restoreLines(source, sent('A\nb\nc\nd\0\nE'))).toBe('A\r\nb\nc\rd\0\r\nE');
  fc.assert(
    fc.property(sources, sources, sources, (start, middle, end) => {
      const [before, after] = [`${start}\nold\n${end}`, `${start}\nnew${middle}\n${end}`];
      const restored = restoreLines(before, sent(after));
      expect(boxed(restored)).toBe(boxed(after));
      // A line end may be written for two that would become one.
      const rest = end.replace(/^\n/, '');
      expect([restored.startsWith(`${start}\n`), restored.endsWith(rest)]).toEqual([true, true]);
      expect(restoreLines(before, sent(before))).toBe(before);
    }),
    { numRuns: runs(300) },
  );
});

it('takes time by the length of the text only', () => {
  const text = (count: number, word: string) =>
    Array.from({ length: count }, (_, at) => `${word} ${at % 7}\n`).join('');
  expectLinear((count) => restoreLines(text(count, 'a'), text(count, 'b')), 2000);
});

/** A text with Windows ends, but for the lines with these numbers. */
const mixed = (count: number, odd: (at: number) => boolean) =>
  Array.from({ length: count }, (_, at) => `line ${at}${odd(at) ? '\n' : '\r\n'}`).join('');
/** The same, as a form sends it, with so many lines changed that have others between them. */
const changed = (text: string, count: number, changes: number) => {
  const every = Math.floor(count / changes);
  const lines = text.split(/\r?\n/).map((line, at) => (at % every === 0 && at < every * changes ? `${line}!` : line));
  return lines.join('\r\n');
};

describe.each<[string, { count: number; least: number; tooMany: number }]>([
  ['a short text', { count: 1000, least: 140, tooMany: 160 }],
  ['a long text', { count: 50_000, least: 20, tooMany: 30 }],
])('of changes in %s, with lines between them', (_, { count, least, tooMany }) => {
  const source = mixed(count, (at) => at % 10 === 5);
  const oddEnds = (text: string) => text.match(/[^\r]\n/g)?.length;

  it('so many leave the others as they are', () => {
    expect(oddEnds(restoreLines(source, changed(source, count, least)))).toBeGreaterThanOrEqual(count / 10 - least);
  });

  it('more have all between the first and the last count as changed', () => {
    const restored = restoreLines(source, changed(source, count, tooMany));
    expect(oddEnds(restored)).toBeLessThan(count / 10 / 10);
    expect(boxed(restored)).toBe(boxed(changed(source, count, tooMany)));
  });
});

it.each(['\n', '\r', '\r\n'])('a text of too many lines has the usual ends alone: %j', (end) => {
  const many = end.repeat(200_001);
  expect(restoreLines('a\r\nb\r\nc\n', many)).toBe('\r\n'.repeat(200_001));
  expect(restoreLines(`${many}\r\n\n`, 'a\nb\n')).toBe(`a${end}b${end}`);
});
