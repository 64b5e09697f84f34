import fc from 'fast-check';
import { expectLinear } from '../../../../../shared/testing/processor-time.js';
import { runs } from '../../../../../shared/testing/runs.js';
import { frontMatterEntries } from '../../space/front-matter/front-matter-entries.js';
import { mergeSources, type Side, type SourceConflict } from './merge-sources.js';

fc.configureGlobal({ numRuns: runs(75) });

const merge = (base: string, ours: string, theirs: string, choose?: Side) =>
  mergeSources({ base, ours, theirs, choose });
const merged = (source: string, ...conflicts: SourceConflict[]) => ({ source, conflicts });

describe('the body', () => {
  it.each([
    ['lines far apart', '1\n2\n3\n', 'X\n2\n3\n', '1\n2\nY\n', 'X\n2\nY\n'],
    ['adjacent lines', '1\n2\n3\n', '1\nX\n3\n', '1\n2\nY\n', '1\nX\nY\n'],
    ['a line and what is inserted before it', '1\n2\n', '1\nX\n', '1\nY\n2\n', '1\nY\nX\n'],
    ['a line and what is inserted after it', '1\n2\n', 'X\n2\n', '1\nY\n2\n', 'X\nY\n2\n'],
    ['the same change of both', '1\n2\n3\n', '1\nX\n', '0\n1\nX\n', '0\n1\nX\n'],
    ['the same insertion of both', '1\n', '1\nX\n', '0\n1\nX\n', '0\n1\nX\n'],
    ['a deleted line beside a changed one', '1\n2\n', '1\n', 'X\n2\n', 'X\n'],
    ['a last line without end and lines after it', 'a\nb', 'a\nb\nc', 'X\nb', 'X\nb\nc'],
    ['an end that one side removed', 'a\nb\n', 'a\nb', 'a\nb\nc\n', 'a\nb\nc'],
    ['an end that one side added', 'a\nb', 'a\nb\n', 'X\nb', 'X\nb\n'],
    ['line ends as they are', 'a\r\nb\n', 'a\r\nb\nc\r', 'X\r\nb\n', 'X\r\nb\nc\r'],
  ])('merges %s', (_name, base, ours, theirs, source) => {
    expect(merge(base, ours, theirs)).toEqual(merged(source));
    expect(merge(base, theirs, ours)).toEqual(merged(source));
  });

  it('lists changes of the same lines with the whole lines of both sides', () => {
    const [base, ours, theirs] = [
      '---\na: 1\n---\n1\n2\n3\n4',
      '---\na: 1\n---\n1\nX\nY\n4',
      '---\na: 1\n---\n1\n2\nZ',
    ];
    const conflict: SourceConflict = {
      kind: 'lines',
      line: 5,
      base: ['2\n', '3\n', '4'],
      ours: ['X\n', 'Y\n', '4'],
      theirs: ['2\n', 'Z'],
    };
    expect(merge(base, ours, theirs)).toEqual({ source: ours, conflicts: [conflict] });
    expect(merge(base, ours, theirs, 'ours')).toEqual(merged(ours));
    expect(merge(base, ours, theirs, 'theirs')).toEqual(merged(theirs));
  });

  it('lists different insertions at one place', () => {
    const conflict: SourceConflict = { kind: 'lines', line: 2, base: [], ours: ['X\n'], theirs: ['Y\n', 'X\n'] };
    expect(merge('1\n2\n', '1\nX\n2\n', '1\nY\nX\n2\n')).toEqual(merged('1\nX\n2\n', conflict));
  });
});

const page = (yaml: string, body = 'x\n') => `---\n${yaml}---\n${body}`;

describe('the front matter', () => {
  it('merges by keys', () => {
    const base = page('title: A\nicon: a\ntags:\n  - a\n');
    const ours = page('# ours\ntitle: B # why\ntags:\n  - a\n', 'y\n');
    const theirs = page("title: 'A'\nicon: a\ntags:\n  - a\n  - b\nhidden: true\n", 'x\nz\n');
    const expected = page('# ours\ntitle: B # why\ntags:\n  - a\n  - b\nhidden: true\n', 'y\nz\n');
    expect(merge(base, ours, theirs)).toEqual(merged(expected));
  });

  it('lists keys that both changed', () => {
    const base = page('title: A\nicon: a\nif: c\n');
    const ours = page('title: B\nicon: "b"\n');
    const theirs = page('title: C\nicon: b\nif: d\nnew: 1\n');
    const conflicts: SourceConflict[] = [
      { kind: 'front-matter', key: 'title', base: 'title: A', ours: 'title: B', theirs: 'title: C' },
      { kind: 'front-matter', key: 'if', base: 'if: c', theirs: 'if: d' },
    ];
    expect(merge(base, ours, theirs)).toEqual(merged(page('title: B\nicon: "b"\nnew: 1\n'), ...conflicts));
    expect(merge(base, ours, theirs, 'theirs')).toEqual(merged(page('title: C\nicon: "b"\nif: d\nnew: 1\n')));
  });

  it('takes what one side made of it as it is written', () => {
    expect(merge('a\nb\n', 'a\nc\n', page('title: A\n', '\na\nb\n'))).toEqual(merged(page('title: A\n', '\na\nc\n')));
    expect(merge(page('title: A\n'), page('title: A\n', 'y\n'), 'x\n')).toEqual(merged('y\n'));
    expect(merge(page(''), '---\n---', page('a: 1\n', 'x\ny\n'))).toEqual(merged(page('a: 1\n', 'y')));
  });

  it('keeps the comments of both sides', () => {
    const base = page('title: A\nicon: a\n');
    const theirs = page('title: A # theirs\nicon: a\n');
    expect(merge(base, page('title: B\nicon: a\n'), theirs)).toEqual(merged(page('title: B # theirs\nicon: a\n')));
    const both = merge(base, page('# ours\ntitle: A\nicon: b\n'), theirs);
    expect(both).toMatchObject({ source: page('# ours\ntitle: A # theirs\nicon: b\n'), conflicts: [] });
  });

  it('merges by lines what cannot be read as keys', () => {
    const base = page('a: [\nb: 1\nc: 2\n');
    expect(merge(base, page('a: [\nb: 3\nc: 2\n'), page('a: [\nb: 1\nc: 4\n'))).toEqual(
      merged(page('a: [\nb: 3\nc: 4\n')),
    );
  });
});

const value = fc.constantFrom(undefined, 'a', 'b', '|\n  c\n  d', '[e, f]');

it('front matters merge as maps of their keys do', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ base: value, ours: value, theirs: value }), { maxLength: 6 }), (keys) => {
      const entry = (at: number, text?: string) => (text === undefined ? '' : `k${at}: ${text}\n`);
      const source = (side: Side | 'base') => page(keys.map((key, at) => entry(at, key[side])).join(''), side);
      const { source: made, conflicts } = merge(source('base'), source('ours'), source('theirs'));
      const lines = new Set((frontMatterEntries(made) ?? []).map(({ text }) => `${text}\n`));
      const expected = keys.map(({ base, ours, theirs }, at) => entry(at, ours === base ? theirs : ours));
      expect(lines).toEqual(new Set(expected.filter((text) => text !== '')));
      const both = keys.flatMap(({ base, ours, theirs }, at) =>
        base !== ours && base !== theirs && ours !== theirs ? [`k${at}`] : [],
      );
      expect(new Set(conflicts.flatMap((each) => ('key' in each ? each.key : [])))).toEqual(new Set(both));
    }),
  );
});

type Edit = { kind: 'replace' | 'delete' | 'insert'; by: Side } | undefined;
const edit = fc.option(
  fc.record({ kind: fc.constantFrom('replace', 'delete', 'insert'), by: fc.constantFrom<Side>('ours', 'theirs') }),
  { nil: undefined, freq: 2 },
);

/** The numbered lines of a base with the edits of `sides`: an insertion comes before its line. */
function apply(edits: Edit[], ...sides: Side[]): string {
  let out = '';
  for (const [at, edit] of edits.entries()) {
    const kind = edit && sides.includes(edit.by) ? edit.kind : undefined;
    if (kind === 'insert' || kind === 'replace') out += `${edit?.by} ${at}\n`;
    if (kind !== 'delete' && kind !== 'replace') out += `${at}\n`;
  }
  return out;
}

describe('of any edits', () => {
  const edits = fc.array(edit, { maxLength: 20 });

  it('those of different lines merge to both, and merge again to the same', () => {
    fc.assert(
      fc.property(edits, (edits) => {
        const [base, ours, theirs] = [apply(edits), apply(edits, 'ours'), apply(edits, 'theirs')];
        const both = merge(base, ours, theirs);
        expect(both).toEqual(merged(apply(edits, 'ours', 'theirs')));
        expect(merge(base, both.source, theirs).source).toBe(both.source);
      }),
    );
  });

  it('those of the same line conflict', () => {
    fc.assert(
      fc.property(edits, edits, (before, after) => {
        const around = (lines: string, ...sides: Side[]) =>
          apply(before, ...sides) + lines + apply(after, ...sides).replace(/^/gm, ' ');
        const { conflicts } = merge(around('line\n'), around('X\n', 'ours'), around('Y\n', 'theirs'));
        expect(conflicts).toHaveLength(1);
        const equal = merge(around('a\nline\nb\n'), around('a\nX\nb\n', 'ours'), around('a\nX\nb\n', 'theirs'));
        expect(equal).toEqual(merged(around('a\nX\nb\n', 'ours', 'theirs')));
      }),
    );
  });

  const lineEnds = fc.constantFrom('\n', '\r\n', '\r');
  const texts = (name: string) =>
    fc
      .array(fc.tuple(fc.constantFrom('---', 'a: 1', '', '', 'x', 'y', 'z', '# c', name, `${name}: 1`), lineEnds))
      .map((lines) => lines.flat().join(''))
      .chain((text) => fc.constantFrom(text, `---\n${text}`, `---\n${name}: 2\n---\n${text}`, text.trimEnd()));

  it('nothing is lost, and a chosen side leaves no conflicts', () => {
    fc.assert(
      fc.property(texts('base'), texts('ours'), texts('theirs'), (base, ours, theirs) => {
        const { source, conflicts } = merge(base, ours, theirs);
        const found = `${source}\n${JSON.stringify(conflicts)}`;
        const own = (text: string, name: string) => text.includes(name);
        for (const [name, text] of [
          ['ours', ours],
          ['theirs', theirs],
        ] as const) {
          if (own(text, name)) expect(found).toContain(name);
          if (text.includes(`${name}: 1`)) expect(found).toContain(`${name}: 1`);
        }
        for (const side of ['ours', 'theirs'] as const) expect(merge(base, ours, theirs, side).conflicts).toEqual([]);
        expect(merge(base, ours, theirs, 'ours').source).toBe(source);
        if (conflicts.length === 0) expect(merge(base, source, source)).toEqual(merged(source));
        expect(merge(base, base, theirs)).toEqual(merged(theirs));
        expect(merge(base, ours, base)).toEqual(merged(ours));
      }),
      { numRuns: runs(75) },
    );
  });
});

it('merges in a time by the length of the page only', () => {
  expectLinear((count) => {
    const lines = Array.from({ length: count }, (_, at) =>
      at % 2 === 0 ? `A line ${at} of a long page about nothing much, but long\n` : '\n',
    );
    const base = lines.join('');
    const ours = lines.map((line, at) => (at % 4 === 0 ? line.toUpperCase() : line)).join('');
    const theirs = lines.map((line, at) => (at % 4 === 2 ? line.toUpperCase() : line)).join('');
    expect(merge(base, ours, theirs)).toEqual(merged(base.toUpperCase()));
  }, 2500);
});
