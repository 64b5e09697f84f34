import fc from 'fast-check';
import { expectLinear } from '../../../../../shared/testing/processor-time.js';
import { runs } from '../../../../../shared/testing/runs.js';
import { parseSummary, type SummaryEntry } from './summary.js';

/** One line an entry: indent by depth, title, `-> target`. */
function shown(entries: SummaryEntry[], depth = 0): string[] {
  return entries.flatMap((entry) => [
    '  '.repeat(depth) +
      (entry.type === 'group' ? `## ${entry.title}${entry.slug ? ` #${entry.slug}` : ''}` : line(entry)),
    ...shown(entry.children, depth + 1),
  ]);
}

function line({ title, linkTitle, target, problem }: Extract<SummaryEntry, { type: 'item' }>): string {
  const short = linkTitle ? ` "${linkTitle}"` : '';
  if (problem) return `${title} !!`;
  if (!target) return title + short;
  if (target.kind === 'file') return `${title}${short} -> ${target.path}${target.anchor ? `#${target.anchor}` : ''}`;
  return `${title}${short} => ${target.kind === 'url' ? target.url : target.computed.type}`;
}

const entriesOf = (text: string) => parseSummary(text).entries;
const read = (...lines: string[]) => shown(entriesOf(lines.join('\n')));

test('reads pages below pages and groups', () => {
  expect(
    read(
      '# Table of contents',
      '',
      '* [Home](README.md)',
      '  * [Deep](a/b.md)',
      '',
      '## Guides',
      '',
      '* [One](one.md)',
      '* [Two](two.md)',
    ),
  ).toEqual(['Home -> README.md', '  Deep -> a/b.md', '## Guides', '  One -> one.md', '  Two -> two.md']);
});

test.each([
  ['two spaces', '  ', '*'],
  ['four spaces', '    ', '-'],
  ['tabs', '\t', '+'],
])('nests by %s', (_, indent, marker) => {
  const item = (depth: number) => `${indent.repeat(depth)}${marker} [p${depth}](${depth}.md)`;
  expect(read(item(0), item(1), item(2), item(3), item(1), item(0))).toEqual([
    'p0 -> 0.md',
    '  p1 -> 1.md',
    '    p2 -> 2.md',
    '      p3 -> 3.md',
    '  p1 -> 1.md',
    'p0 -> 0.md',
  ]);
});

test('nests lists that skip a level, or start or step oddly', () => {
  expect(
    read(
      '   * [a](a.md)',
      '        * [b](b.md)',
      '          ```yaml',
      '          * no: item',
      '          ```',
      '     * [c](c.md)',
      '1. [d](d.md)',
      '  - [e](e.md)',
      '## G',
      '      *\t[f](f.md)',
      '        - ```yaml',
      '          type: builtin:openapi',
      '          ```',
    ),
  ).toEqual([
    'a -> a.md',
    '  b -> b.md',
    '  c -> c.md',
    'd -> d.md',
    '  e -> e.md',
    '## G',
    '  f -> f.md',
    '    openapi => builtin:openapi',
  ]);
});

test('a divider ends a group', () => {
  expect(
    read('## A', '* [a](a.md)', '***', '* [b](b.md)', '', '## B', '', '* [c](c.md)', '', '---', '* [d](d.md)'),
  ).toEqual(['## A', '  a -> a.md', 'b -> b.md', '## B', '  c -> c.md', 'd -> d.md']);
});

test('the anchor after a group title is its slug', () => {
  expect(
    read(
      '## API <a href="#the-api" id="the-api"></a>',
      '## Plain',
      '## Only href <a href="#h"></a>',
      '### <i class="fa-x">:x:</i> Old **style** &amp; \\[more\\] ###',
    ),
  ).toEqual(['## API #the-api', '## Plain', '## Only href #h', '## Old style & [more]']);
});

test.each([
  ['[Title](file.md "Short")', 'Title "Short" -> file.md'],
  ["[Title](file.md 'Short')", 'Title "Short" -> file.md'],
  ['[Out](https://example.com/a#b)', 'Out => https://example.com/a#b'],
  ['[Mail](mailto:a@example.com)', 'Mail => mailto:a@example.com'],
  ['[Part](file.md#part)', 'Part -> file.md#part'],
  ['[Bare](#part)', 'Bare -> #part'],
  ['[\\[Escaped\\] \\*t\\*](a\\_b.md)', '[Escaped] *t* -> a_b.md'],
  ['[`code` and **bold** _x_](a.md)', 'code and bold x -> a.md'],
  ['[Angle](<my file (1).md>)', 'Angle -> my file (1).md'],
  ['[Percent](my%20file%23.md#a%20b)', 'Percent -> my file#.md#a b'],
  ['[Half](100%.md)', 'Half -> 100%.md'],
  ['[Parentheses](a(b(c)).md)', 'Parentheses -> a(b(c)).md'],
  ['[Spaces](my file.md)', 'Spaces -> my file.md'],
  ['**[Bold](b.md)** and more', 'Bold -> b.md'],
  ['[ ] [Task](t.md)', 'Task -> t.md'],
  ['![logo](x.png) [Page](p.md)', 'Page -> p.md'],
  ['[<i class="fa-bolt">:bolt:</i> Fast](f.md)', 'Fast -> f.md'],
  ['[Draft]()', 'Draft'],
  ['Only text', 'Only text'],
  ['[Reference][r]', 'Reference -> ref.md'],
])('reads the item %j', (text, expected) => {
  expect(read(`* ${text}`, '', '[r]: ref.md')).toEqual([expected]);
});

test('ignores everything but entries', () => {
  expect(
    read(
      '---',
      'description: toc',
      '---',
      '# Summary',
      'Some text',
      '',
      '<!--',
      '* [Hidden](h.md)',
      '-->',
      '',
      '```',
      '* [Code](c.md)',
      '    * [Deep](d.md)',
      '```',
      '* [Kept](k.md)',
      '',
      '> * [Quoted](q.md)',
      '',
      '| a |',
      '* ',
      '1. [Numbered](n.md)',
    ),
  ).toEqual(['Kept -> k.md', 'Numbered -> n.md']);
});

test('reads a byte order mark and every line ending', () => {
  expect(shown(entriesOf('\ufeff# T\r\n\r\n* [A](a.md)\r\n  * [B](b.md)\r\n\r## G\r\r* [C](c.md)'))).toEqual([
    'A -> a.md',
    '  B -> b.md',
    '## G',
    '  C -> c.md',
  ]);
});

test('a block of YAML is a computed page', () => {
  const [entry] = entriesOf(
    '* ```yaml\n  type: builtin:openapi\n  props:\n    models: true\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: petstore\n  ```\n',
  );
  expect(entry).toEqual({
    type: 'item',
    title: 'petstore',
    target: {
      kind: 'computed',
      computed: {
        type: 'builtin:openapi',
        props: { models: true },
        dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
      },
    },
    children: [],
  });
  expect(
    read(
      '* API',
      '',
      '  ```yaml',
      '  type: integration:jira:issues',
      '  ```',
      '* ```yaml',
      '  type: [',
      '  ```',
      '* ```yml',
      '  type: shell',
      '  ```',
    ),
  ).toEqual(['API => integration:jira:issues', ' !!', ' !!']);
});

test('entries know their lines, text between has none', () => {
  const text = [
    '---',
    'title: x',
    '---',
    'Group',
    '---',
    '',
    '* [A](a.md)',
    '  more',
    '  * [B](b.md)',
    '',
    '  and more',
    '* ',
    '',
    'Text',
    '***',
    '* * [C](c.md "Short")',
  ];
  const { parts, front } = parseSummary(text.join('\r\n'));
  expect(front).toBe(3);
  expect(parts.map(({ kind, line, end }) => [kind, line, end])).toEqual([
    ['group', 3, 6],
    ['item', 6, 11],
    ['item', 8, 10],
    ['marker', 11, 12],
    ['divider', 14, 15],
    ['item', 15, 16],
    ['marker', 15, 16],
  ]);
  const links = parts.map((part) =>
    part.kind === 'item' && part.link ? part.text.slice(part.link.from, part.link.to) : '',
  );
  expect(links.filter((title) => title !== '')).toEqual(['A', 'B', 'C']);
});

test('a deep list loses no entry', () => {
  const deep = shown(
    entriesOf(Array.from({ length: 2_000 }, (_, at) => `${'  '.repeat(at)}* [${at}](${at}.md)`).join('\n')),
  );
  expect(Math.max(...deep.map((text) => text.search(/\S/)))).toBe(98);
  expect(deep).toHaveLength(2_000);
});

describe('time grows by length only', () => {
  test('where a list is long', () => {
    const page = (_: unknown, at: number) => `${'  '.repeat(at % 4)}* [Page \\[${at}\\] & co](a/p${at}.md "P")`;
    expectLinear((length) => expect(read(...Array.from({ length }, page))).toHaveLength(length), 1000);
  });

  test.each(['[', '](', '*', '`a', '![', '<a ', '* ', '\t* ', '## <a ', '[a](', '* ```yaml\n'])('of many %j', (part) =>
    expectLinear((count) => entriesOf(`* ${part.repeat(count)}`), 1250),
  );
});

test('never throws', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '* ',
      '- ',
      '  ',
      '\t',
      '\n',
      '## ',
      '***\n',
      '[a](b.md)',
      '[',
      '](',
      ')',
      '"x"',
      '<a id="x"></a>',
      '```yaml\n',
      '<!--',
      '-->',
      '\\',
      '#x',
      '%zz',
      '\r',
    ),
    fc.string({ maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => Array.isArray(entriesOf(pieces.join('')))),
    { numRuns: runs(500) },
  );
});
