import { type BothForms, readText } from './read-text.js';

function read(markdown: string): BothForms {
  const made = readText({ markdown });
  if ('refused' in made) throw new Error(made.refused);
  return made;
}

const plainNode = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plainNode);
  if (typeof value !== 'object' || value === null) return value;
  const hidden = ['key', 'object', 'isVoid'];
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => !hidden.includes(name) && !(Array.isArray(inner) && inner.length === 0))
      .filter(([name, inner]) => name !== 'data' || Object.keys(inner).length > 0)
      .map(([name, inner]) => [name, plainNode(inner)]),
  );
};
const nodesOf = (markdown: string) => plainNode(read(markdown).document.nodes);

const text = (value: string, ...marks: string[]) => ({
  leaves: [{ text: value, ...(marks.length > 0 ? { marks: marks.map((type) => ({ type })) } : {}) }],
});
const block = (type: string, ...nodes: object[]) => ({ type, nodes });
const link = (url: string, value: string) => ({
  type: 'link',
  data: { ref: { kind: 'url', url } },
  nodes: [text(value)],
});

describe('what Markdown becomes', () => {
  it.each<[string, string, object[]]>([
    ['a paragraph', 'one\ntwo', [block('paragraph', text('one two'))]],
    ['a line break', 'one\\\ntwo', [block('paragraph', text('one\ntwo'))]],
    [
      'headings',
      '# a\n\n## b\n\n##### c',
      [block('heading-1', text('a')), block('heading-2', text('b')), block('heading-3', text('c'))],
    ],
    ['marks', '~~**a**~~', [block('paragraph', text('a', 'bold', 'strikethrough'))]],
    [
      'code',
      '```js\na\n\nb\n```',
      [{ ...block('code', ...['a', '', 'b'].map((line) => block('code-line', text(line)))), data: { syntax: 'js' } }],
    ],
    [
      'an ordered list',
      '3. a',
      [{ ...block('list-ordered', block('list-item', block('paragraph', text('a')))), data: { start: 3 } }],
    ],
    [
      'tasks',
      '- [x] a',
      [block('list-tasks', { ...block('list-item', block('paragraph', text('a'))), data: { checked: true } })],
    ],
    ['a quote and a divider', '> a\n\n---', [block('blockquote', block('paragraph', text('a'))), { type: 'divider' }]],
    [
      'HTML as text',
      'a <b>*c*</b>',
      [
        block('paragraph', {
          leaves: [...text('a <b>').leaves, ...text('c', 'italic').leaves, ...text('</b>').leaves],
        }),
      ],
    ],
    [
      'tags, formulas and footnotes as text',
      '{% a %} $$b$$ [^1]\n\n[^1]: a note',
      [block('paragraph', text('{% a %} $$b$$ [^1]')), block('paragraph', text('[^1]: a note'))],
    ],
    [
      'front matter as what it is in CommonMark',
      '---\na: b\n---',
      [{ type: 'divider' }, block('heading-2', text('a: b'))],
    ],
    ['an image as a link', '![a](https://a.example/b.png)', [block('paragraph', link('https://a.example/b.png', 'a'))]],
    [
      'a bare address',
      'https://a.example.',
      [block('paragraph', link('https://a.example', 'https://a.example'), text('.'))],
    ],
    ['short names as text', ':tada:', [block('paragraph', text(':tada:'))]],
    [
      'a link to a page',
      '[a](/spaces/s1/pages/p1)',
      [
        block('paragraph', {
          type: 'link',
          data: { ref: { kind: 'page', page: 'p1', space: 's1' } },
          nodes: [text('a')],
        }),
      ],
    ],
    [
      'a mention',
      '[@Ada](/users/01H)',
      [block('paragraph', { type: 'mention', data: { ref: { kind: 'user', user: '01H' } } })],
    ],
  ])('%s', (_, markdown, expected) => {
    expect(nodesOf(markdown)).toEqual(expected);
  });

  it('a table', () => {
    const [made] = read('| a | b |\n|---|:-:|\n| *c* | d |').document.nodes;
    expect(made).toMatchObject({ type: 'table', isVoid: true, data: { view: { type: 'grid', hideHeader: false } } });
    expect(plainNode(made?.fragments?.map(({ nodes }) => nodes))).toEqual([
      [block('paragraph', text('c', 'italic'))],
      [block('paragraph', text('d'))],
    ]);
  });
});

describe('Markdown that is safe stays as it is', () => {
  it.each([
    'Setext\n===\n\n* a\n+ b\r\n\r\n1) c',
    'a < b > c & d',
    '`<script>` and `<a href>`',
    '```html\n<script>\n```',
    '    <b>\n',
    '<https://a.example> <mailto:a@b.example> <a@b.example>',
    '[a][b]\n\n[b]: https://a.example "title"',
    '[a](b.md) [c](#d) [e](/f)',
    '![a](https://a.example/b.png)',
    '[Ada](/users/01H)',
    '👩‍👩‍👧 می‌خواهم',
  ])('%j', (markdown) => {
    expect(read(markdown).markdown).toBe(markdown);
  });
});

describe('Markdown that is not safe is written anew', () => {
  it.each([
    ['a <b>c</b>', 'a &lt;b>c&lt;/b>'],
    ['<script>alert(1)</script>', '&lt;script>alert(1)&lt;/script>'],
    ['a <!-- b', 'a &lt;!-- b'],
    ['\\<b>', '&lt;b>'],
    ['[a](javascript:b)', 'a'],
    ['[a](JaVa&#115;cript&colon;b)', 'a'],
    ['[a](java&Tab;script:b)', 'a'],
    ['[a](<java\tscript:b>)', 'a'],
    ['[a](data:text/html,b)', 'a'],
    ['[a](vbscript:b) [c](file:///d) [e](tel:1)', 'a c e'],
    ['![a](javascript:b)', 'a'],
    ['[a]\n\n[a]: javascript:b', 'a'],
    ['a\n\n[b]: javascript:c', 'a'],
    ['<javascript:a> <b:c>', '&lt;javascript:a> &lt;b:c>'],
    ['ftp://a.example', 'ftp\\://a.example'],
    // What is code here is HTML to programs that read definitions, lines of HTML or white space otherwise.
    ['[a]:\n~~~\n<script>', '\\[a\\]:\n\n```\n<script>\n```'],
    ['`a\n<script>`', '`a <script>`'],
    ['\\```` <b>```', '&#96;` <b>`'],
    ['```\n```\u00a0\n```\n<b>\n```', '```\n\n```\n\n```\n<b>\n```'],
    ['[<b>**c**](/pages/p1)', '[&lt;b>**c**](/pages/p1)'],
  ])('%j', (markdown, expected) => {
    expect(read(markdown).markdown).toBe(expected);
  });
});

it('names each mentioned user once', () => {
  expect(read('[a](/users/a) **[b](/users/b)** [c](/users/a) [d](/users/a-b)').mentions).toEqual(['a', 'b']);
});
