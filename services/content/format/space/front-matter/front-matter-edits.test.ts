import fc from 'fast-check';
import { anyCharacter, runs } from '../../../../../shared/testing/runs.js';
import { splitSource } from '../../document/page-source.js';
import { readYaml } from '../yaml.js';
import { readFrontMatter } from './front-matter.js';
import { editFrontMatter, type FrontMatterEdits, replaceEntries } from './front-matter-edits.js';
import { frontMatterEntries } from './front-matter-entries.js';

const rows: [name: string, source: string, edits: FrontMatterEdits, expected: string | undefined][] = [
  ['a page without front matter', '# Hi\n', { title: 'A' }, '---\ntitle: A\n---\n\n# Hi\n'],
  ['an empty page', '', { title: 'A', hidden: true }, '---\ntitle: A\nhidden: true\n---\n\n'],
  ['after a byte order mark', '\uFEFFHi\r\n', { icon: 'bug' }, '\uFEFF---\r\nicon: bug\r\n---\r\n\r\nHi\r\n'],
  ['before a rule', '---\na\n', { icon: 'bug' }, '---\nicon: bug\n---\n\n---\na\n'],
  ['a value', '---\ntitle: A # why\nicon: b\n---\nx', { title: 'B' }, '---\ntitle: B # why\nicon: b\n---\nx'],
  ['a new key', '---\r\na: 1 # b\r\n# c\r\n---\r\n', { k: 2 }, '---\r\na: 1 # b\r\n# c\r\nk: 2\r\n---\r\n'],
  ['a key of an indented map', '---\n  a: 1\n---\n', { k: 2 }, '---\n  a: 1\n  k: 2\n---\n'],
  ['an empty value', '---\nicon: # none\n---\n', { icon: 'b' }, '---\nicon: b # none\n---\n'],
  ['a tagged empty value', '---\nicon: !!str\na: 1\n---\n', { icon: 'b' }, '---\nicon: b\na: 1\n---\n'],
  ['a folded value', '---\na: >-\n  b\n  c\n\n\nd: 1\n---\n', { a: 'x' }, '---\na: x\n\n\nd: 1\n---\n'],
  ['a value that keeps its lines', '---\na: |+\n  b\n\nd: 1\n---\n', { a: 'x' }, '---\na: x\nd: 1\n---\n'],
  ['a nested value', '---\na:\n  b: 1 # c\n  # d\ne: 1\n---\n', { a: 'x' }, '---\na: x # c\n  # d\ne: 1\n---\n'],
  ['a value of several lines', '---\na: [1,\n  2] # c\n---\n', { a: 'x' }, '---\na: x # c\n---\n'],
  ['an explicit key', '---\n? a\n: b\nc: 1\n---\n', { a: 'x' }, '---\na: x\nc: 1\n---\n'],
  ['the last of equal keys', '---\na: 1\na: 2\n---\n', { a: 3 }, '---\na: 1\na: 3\n---\n'],
  ['removal of equal keys', '---\na: 1\nb: 1\na: 2 # c\n---\n', { a: null }, '---\nb: 1\n---\n'],
  ['removal of the last key', '---\na: 1\n---\nx', { a: null }, '---\n---\nx'],
  ['removal of an absent key', '---\na: 1\n---\nx', { b: null }, '---\na: 1\n---\nx'],
  ['removal without front matter', 'x', { b: null }, 'x'],
  ['removal of a key that others repeat', '---\na: &x 1\nb: *x\n---\n', { a: null }, undefined],
  ['an equal value', "---\na: 'b'\nc: yes\n---\n", { a: 'b', c: 'yes' }, "---\na: 'b'\nc: yes\n---\n"],
  ['a number that becomes text', '---\na: 5\n---\n', { a: '5' }, '---\na: "5"\n---\n'],
  ['an empty front matter', '---\n---\nx', { a: true }, '---\na: true\n---\nx'],
  ['a front matter of comments', '---\n# c\n---\nx', { a: true }, '---\n# c\na: true\n---\nx'],
  ['YAML after its end', '---\na: 1\n...\n---\n', { b: 1 }, undefined],
  ['invalid YAML', '---\na: [\n---\n', { b: 1 }, undefined],
  ['a list', '---\n- a\n---\n', { b: 1 }, undefined],
  ['a map in braces', '---\n{a: 1}\n---\n', { b: 1 }, undefined],
  ['a key that is a list', '---\n? [a]\n: 1\n---\n', { b: 1 }, undefined],
  ['a value as a whole', '---\n~\n---\n', { b: 1 }, undefined],
  ['too long', `---\na: ${'x'.repeat(64_000)}\n---\n`, { b: 1 }, undefined],
  ['too long by the edit', '---\na: 1\n---\n', { b: 'x'.repeat(64_000) }, undefined],
  ['too deep', `---\na: ${'['.repeat(200)}${']'.repeat(200)}\n---\n`, { b: 1 }, undefined],
];

describe('edits of front matter', () => {
  it.each(rows)('%s', (_name, source, edits, expected) => {
    expect(editFrontMatter(source, edits)).toBe(expected);
  });

  it('writes values that other readers of YAML take for something else in quotes', () => {
    const odd = [
      'yes',
      'Null',
      '~',
      '',
      '1',
      '0x1f',
      '1e3',
      '.5',
      '1:30',
      '2024-01-31',
      'a: b',
      'a #b',
      '- a',
      '"a',
      "'a",
    ];
    odd.push(' a', 'a ', '@a', '%a', '`a`', '{a}', '*a', '&a', '!a', '|', '>', '?', 'a:', 'a\nb', 'a\u2028---\u2028b');
    for (const title of odd) {
      const written = editFrontMatter('x', { title }) ?? '';
      expect(written.split('\n')).toHaveLength(5);
      expect(written).toMatch(/^---\ntitle: (?:".*"|'.*')\n---/);
      expect(readYaml(splitSource(written).frontMatter ?? '').value).toEqual({ title });
    }
    expect(editFrontMatter('x', { emoji: '🚀', title: `Don't${' fold'.repeat(50)}` })).not.toMatch(/["\\]/);
  });

  it('moves entries as they are written, in the line ends of the source', () => {
    const [entry] = frontMatterEntries('---\ntags:\n  - a # b\n  - c\n---\n') ?? [];
    expect(entry).toMatchObject({ key: 'tags', text: 'tags:\n  - a # b\n  - c', value: ['a', 'c'] });
    const moved = replaceEntries('---\r\na: 1\r\n---\r\n', new Map([['tags', entry]]));
    expect(moved).toBe('---\r\na: 1\r\ntags:\r\n  - a # b\r\n  - c\r\n---\r\n');
  });
});

const texts = [
  'title: A',
  "description: 'B ''b'''",
  'icon: "c\\n" # quoted',
  'emoji: 🚀',
  'hidden: true',
  'cover: >-\n  a\n  b',
  'if: |\n  a\n\n  b\n',
  'vars:\n  a: 1 # one\n  # two\n  b:\n    - c\n    - d: e',
  'tags: [a,\n  b]',
  'layout: # empty',
  'long: plain text\n  on two lines',
  '? explicit\n: value',
  '"quoted key": 1',
  'title: again',
  '# a comment',
  '',
];
const names = [
  'title',
  'description',
  'icon',
  'cover',
  'vars',
  'if',
  'layout',
  'explicit',
  'quoted key',
  'new',
  'a: b',
  '7',
];
const values = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom(...'a \n\t:#-\'"{}[]&*!|>%@`,?0.e~\u2028\u0085\uFEFF\uD800\0\r') }),
  fc.boolean(),
  fc.double({ noNaN: true }),
  fc.constant(null),
);
const sources = fc.record({
  bom: fc.constantFrom('', '\uFEFF'),
  lines: fc.option(fc.shuffledSubarray(texts)),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  body: fc.constantFrom('', '\n# Hi\n', 'a\r\nb', 'a\n---\nb\n'),
});
const edits = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), values, { maxKeys: 4 });

it('an edit is read back, and every other entry and the body stay as they are', () => {
  fc.assert(
    fc.property(sources, edits, ({ bom, lines, lineEnd, body }, edit) => {
      const front = lines === null ? '' : `---\n${lines.map((line) => `${line}\n`).join('')}---\n`;
      const source = `${bom}${front.replaceAll('\n', lineEnd)}${body}`;
      const edited = editFrontMatter(source, edit);
      if (edited === undefined) throw new Error('not edited');
      expect(edited.startsWith(bom)).toBe(true);
      expect(edited.endsWith(body)).toBe(true);
      const yaml = splitSource(edited).frontMatter ?? '';
      expect(readFrontMatter(yaml).problem).toBeUndefined();
      const read = new Map(Object.entries((readYaml(yaml).value ?? {}) as object));
      for (const [key, value] of Object.entries(edit))
        expect(read.get(key)).toEqual(value === null ? undefined : value);
      const others = (text: string) =>
        (frontMatterEntries(text) ?? []).filter(({ key }) => !Object.hasOwn(edit, key)).map(({ text }) => text);
      expect(others(edited)).toEqual(others(source));
      expect(editFrontMatter(edited, edit)).toBe(edited);
    }),
    { numRuns: runs(40) },
  );
});

it('no source makes an edit throw', () => {
  const pieces = [
    '---\n',
    '---',
    'a: ',
    'b',
    '\n',
    '\r',
    ' ',
    '\u2028',
    '\0',
    '- ',
    '? ',
    '&x ',
    '*x',
    '|+',
    '# ',
    '{',
    ']',
    '"',
    '...\n',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces)), edits, (parts, edit) => {
      const source = `---\n${parts.join('')}`;
      const edited = editFrontMatter(source, edit);
      if (edited === undefined) return;
      const read = new Map(Object.entries((readYaml(splitSource(edited).frontMatter ?? '').value ?? {}) as object));
      for (const [key, value] of Object.entries(edit))
        expect(read.get(key)).toEqual(value === null ? undefined : value);
    }),
    { numRuns: runs(40) },
  );
});
