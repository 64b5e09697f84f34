import type { BlockNode, JSONDocument } from '../document/document-model.js';
import { renderBody } from './render-body.js';
import { readHtml } from './testing/html-facts.js';
import { bodyOf, htmlOf, readable, surroundings } from './testing/rendered-source.js';

const text = (value: unknown) => ({ object: 'text', leaves: [{ object: 'leaf', text: value, marks: [] }] });
const block = (type: string, nodes: unknown[], data: unknown = {}, rest: object = {}) =>
  ({ object: 'block', type, key: '', isVoid: false, data, nodes, ...rest }) as unknown as BlockNode;
const rendered = (nodes: unknown[], options = {}) =>
  renderBody({ object: 'document', data: {}, nodes } as unknown as JSONDocument, surroundings, options);

const attacks = [
  '"><script>alert(1)</script>',
  "'-alert(1)-'",
  '</style><img src=x onerror=alert(1)>',
  '\u0001b0\u0002',
  '__proto__',
];

it('runs nothing that a document says, wherever it says it', () => {
  for (const attack of attacks) {
    const data = Object.fromEntries(
      [
        'syntax',
        'title',
        'icon',
        'style',
        'label',
        'kind',
        'query',
        'action',
        'code',
        'formula',
        'alt',
        'caption',
        'size',
        'align',
        'url',
        'date',
        'description',
        'width',
        'overflow',
        'expression',
      ].map((name) => [name, attack]),
    );
    const inlines = [
      'link',
      'button',
      'icon',
      'emoji',
      'inline-image',
      'inline-math',
      'mention',
      'annotation',
      'expression',
      attack,
    ].map((type) => ({
      object: 'inline',
      type,
      data: { ...data, ref: { kind: 'url', url: attack } },
      nodes: [text(attack)],
    }));
    const types = [
      'paragraph',
      'heading-1',
      'code',
      'hint',
      'images',
      'drawing',
      'table',
      'tabs',
      'stepper',
      'columns',
      'expandable',
      'math',
      'file',
      'content-ref',
      'updates',
      'update',
      'prompt',
      attack,
    ];
    const nodes = types.map((type) =>
      block(
        type,
        [block(type === 'code' ? 'code-line' : 'tabs-item', inlines, data), ...inlines],
        {
          ...data,
          ref: { kind: 'url', url: attack },
          tags: [{ slug: attack, label: attack }],
          definition: { [attack]: { title: attack, type: 'text' } },
          records: { r: { orderIndex: '0', values: { [attack]: attack } } },
        },
        { meta: { id: attack } },
      ),
    );
    const { html } = rendered(nodes);
    expect(readHtml(html).forbidden).toEqual([]);
    expect(html).not.toContain('\u0001b');
  }
});

it('links to no address that runs', () => {
  for (const url of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    '\u0000javascript:a',
    'vbscript:a',
    'data:text/html,x',
    'file:///etc/passwd',
    '',
  ]) {
    const ref = { kind: 'url', url };
    const { html } = rendered([
      block('paragraph', [
        { object: 'inline', type: 'link', data: { ref }, nodes: [text('a')] },
        { object: 'inline', type: 'button', data: { ref, label: 'b' } },
        { object: 'inline', type: 'inline-image', data: { ref, caption: 'c' } },
      ]),
      block('content-ref', [], { ref }),
      block('file', [], { ref }),
      block('images', [block('image', [], { ref, refDark: ref })]),
    ]);
    expect(html).not.toMatch(/(?:href|src)="(?!#)/);
    expect(readHtml(html).forbidden).toEqual([]);
  }
  expect(htmlOf('![x](data:image/png;base64,AAAA)')).toContain('src="data:image/png;base64,AAAA"');
});

it('asks nobody about an embed of what is no address', () => {
  const { html, late } = bodyOf('{% embed url="//javascript:a()" %}\n\n{% embed url="no address" %}');
  expect(late).toEqual([]);
  expect(html).toContain('<span class="broken" title="⟦wbrokenLink⟧">//javascript:a()</span>');
});

it('never styles an element by an attribute', () => {
  const html = htmlOf(
    '$$\n\\color{red}{x} \\rule{2em}{1em} \\begin{array}{c|c}a&b\\end{array} \\htmlStyle{color:red}{x}\n$$\n\n<mark style="color:red;">x</mark>\n\n| a |\n|:-:|\n| b |',
  );
  expect(readHtml(html).forbidden).toEqual([]);
});

it('says that it shows a part of a document with too many nodes', () => {
  const { html } = rendered(
    Array.from({ length: 300 }, () => block('paragraph', [text('x')])),
    { maxNodes: 100 },
  );
  expect(html.match(/<p>x<\/p>/g)).toHaveLength(50);
  expect(readable(html)).toMatch(/<p class="cut">⟦wtooLong⟧<\/p>$/);
});

it('says that it shows a part of a document that is too deep', () => {
  let deep: unknown = block('paragraph', [text('x')]);
  let link: unknown = text('x');
  for (let at = 0; at < 20_000; at++) {
    deep = block(
      ['blockquote', 'hint', 'list-unordered', 'expandable', 'columns'][at % 5] as string,
      [deep],
      {},
      { fragments: [] },
    );
    link = { object: 'inline', type: at % 2 ? 'link' : 'annotation', data: {}, nodes: [link], fragments: [] };
  }
  for (const node of [deep, block('paragraph', [link]), block('code', [block('code-line', [link])])])
    expect(rendered([node]).html).toContain('class="cut"');
});

it('shows less of malformed nodes, and never fails', () => {
  const values = [undefined, null, 0, '', 'x', [], {}, [null], { nodes: 'x' }];
  const types = [
    'paragraph',
    'heading-2',
    'list-tasks',
    'code',
    'hint',
    'images',
    'table',
    'tabs',
    'stepper',
    'columns',
    'expandable',
    'math',
    'file',
    'embed',
    'content-ref',
    'reusable-content',
    'integration',
    'swagger',
    'openapi-schemas',
    'updates',
    'prompt',
    'if',
  ];
  for (const type of types)
    for (const value of values) {
      const node = { object: 'block', type, data: value, nodes: value, fragments: value, meta: value };
      expect(() =>
        rendered([
          node,
          block(type, [node as never], { view: value, definition: { a: value }, records: { r: value }, ref: value }),
          text(value),
        ]),
      ).not.toThrow();
    }
});

it('gives each element an id of its own', () => {
  const headings = Array.from({ length: 50 }, (_, at) =>
    block('heading-1', [text('x')], {}, { meta: { id: at % 2 ? 'x' : 'x-2' } }),
  );
  const { ids } = readHtml(rendered(headings).html);
  expect(new Set(ids).size).toBe(50);
});
