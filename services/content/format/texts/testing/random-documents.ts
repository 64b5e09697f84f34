import fc from 'fast-check';

/** Text that is markup somewhere, and ordinary text around it. */
const scraps = [
  ...'*_`<[]#-+=>|&~!\\:.()1 \t\n"a',
  ...[
    '**',
    '~~',
    '```',
    '&amp;',
    '&#32;',
    '1.',
    '2)',
    '- ',
    '![',
    '](',
    '<b>',
    '<!--',
    '&lt',
    'https://a.example',
    'www.a.example',
  ],
  ...[
    'a@b.example',
    'ftp://a',
    'xmpp:',
    'javascript:',
    ':tada:',
    '[ ] ',
    '===',
    '---',
    ':-',
    '|-|',
    '$$',
    '{% a %}',
    '[^1]',
    '\u00a0',
  ],
  ...['é', '漢字', '👩‍👩‍👧', '。', '“', '\u2028', 'word', ' two words', '\\', '  ', '\r\n', '\r'],
];
export const nasty = fc.array(fc.constantFrom(...scraps), { maxLength: 6 }).map((parts) => parts.join(''));

const marks = fc
  .subarray(['bold', 'italic', 'strikethrough', 'code'])
  .map((types) => types.map((type) => ({ object: 'mark', type })));
const leaf = fc.record({ object: fc.constant('leaf'), text: nasty, marks });
const text = fc.array(leaf, { maxLength: 4 }).map((leaves) => ({ object: 'text', leaves }));
const url = fc.oneof(
  fc.constantFrom(
    'https://a.example/(b)_c*d[e]',
    'http://a.example/?b=c&amp=d&copy;',
    'mailto:a@b.example',
    '/b c',
    '#d',
    'e.md',
  ),
  nasty.map((value) => `https://a.example/${value.replace(/[\r\n\t]|\p{Cf}/gu, '')}`),
);
const ref = fc.oneof(
  url.map((value) => ({ kind: 'url', url: value })),
  fc.constantFrom<object>(
    { kind: 'user', user: '01H' },
    { kind: 'page', page: 'p1' },
    { kind: 'page', page: 'p1', space: 's1' },
    { kind: 'space', space: 's1' },
    { kind: 'collection', collection: 'c1' },
    { kind: 'file', file: 'f1' },
  ),
);
const inline = fc.oneof(
  { weight: 5, arbitrary: text },
  {
    weight: 1,
    arbitrary: fc.record({
      object: fc.constant('inline'),
      type: fc.constant('link'),
      data: fc.record({ ref }),
      nodes: fc.array(text, { maxLength: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constant({
      object: 'inline',
      type: 'mention',
      isVoid: true,
      data: { ref: { kind: 'user', user: '01J' } },
    }),
  },
);
const inlines = fc.array(inline, { maxLength: 3 });
const block = (type: string, nodes: fc.Arbitrary<unknown[]>, data: fc.Arbitrary<object> = fc.constant({})) =>
  fc.record({ object: fc.constant('block'), type: fc.constant(type), data, nodes });

const codeLine = nasty.map((value) => ({
  object: 'block',
  type: 'code-line',
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: value.replace(/[\r\n]/g, '') }] }],
}));
const table = fc
  .tuple(
    fc.array(nasty, { minLength: 1, maxLength: 3 }),
    fc.array(fc.array(inlines, { minLength: 3, maxLength: 3 }), { maxLength: 3 }),
  )
  .map(([titles, rows]) => ({
    object: 'block',
    type: 'table',
    isVoid: true,
    data: {
      view: { type: 'grid', columns: titles.map((_, at) => `c${at}`) },
      definition: Object.fromEntries(
        titles.map((title, at) => [
          `c${at}`,
          { id: `c${at}`, title, type: 'text', textAlignment: ['left', 'center', 'right'][at] },
        ]),
      ),
      records: Object.fromEntries(
        rows.map((row, at) => [
          `r${at}`,
          {
            orderIndex: String(at),
            values: Object.fromEntries(row.map((_, column) => [`c${column}`, `r${at}.c${column}`])),
          },
        ]),
      ),
    },
    fragments: rows.flatMap((row, at) =>
      row.map((nodes, column) => ({
        object: 'fragment',
        fragment: `r${at}.c${column}`,
        type: 'table-cell',
        nodes: [{ object: 'block', type: 'paragraph', nodes }],
      })),
    ),
  }));

const { blocks } = fc.letrec<{ blocks: unknown[]; item: unknown; task: unknown }>((tie) => ({
  item: block('list-item', tie('blocks')),
  task: block('list-item', tie('blocks'), fc.constantFrom({}, { checked: true }, { checked: false })),
  blocks: fc.array(
    fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      block('paragraph', inlines),
      fc.constantFrom('heading-1', 'heading-2', 'heading-3').chain((type) => block(type, inlines)),
      block('code', fc.array(codeLine, { maxLength: 3 }), fc.constantFrom({}, { syntax: 'js' }, { syntax: 'a`b' })),
      fc.constant({ object: 'block', type: 'divider' }),
      table,
      block('blockquote', tie('blocks')),
      block('list-unordered', fc.array(tie('item'), { minLength: 1, maxLength: 3 })),
      block(
        'list-ordered',
        fc.array(tie('item'), { minLength: 1, maxLength: 3 }),
        fc.constantFrom({}, { start: 0 }, { start: 9 }),
      ),
      block('list-tasks', fc.array(tie('task'), { minLength: 1, maxLength: 3 })),
    ),
    { maxLength: 3 },
  ),
}));

/** Documents as clients send them. */
export const randomDocument = blocks.map((nodes) => ({ object: 'document', nodes }));
