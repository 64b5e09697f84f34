import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { toDocument } from './document.js';
import type { Mark, Resolve } from './document-model.js';

const require = createRequire(import.meta.url);
const officialSchemas: Record<string, { properties?: { type?: { enum?: string[] } } }> =
  require('@gitbook/api/spec/openapi.json').components.schemas;

const resolve: Resolve = (url, kind) => {
  if (/^(?:https?|mailto|javascript):/.test(url)) return undefined;
  if (kind === 'include') return { kind: 'reusable-content', reusableContent: url };
  if (kind === 'openapi') return { kind: 'openapi', spec: url };
  if (kind === 'file' || kind === 'image') return { kind: 'file', file: url };
  return url.startsWith('#') ? { kind: 'anchor', anchor: url.slice(1) } : { kind: 'page', page: url };
};

/** Without the fields that say the same on every node, so that a row of the table fits a few lines. */
function short(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(short);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !['key', 'object', 'isVoid'].includes(key));
  return Object.fromEntries(entries.map(([key, inner]) => [key, short(inner)]));
}

const read = (source: string) => short(toDocument(source, resolve).nodes);
const leaf = (text: string, ...marks: (Mark['type'] | object)[]) => ({
  text,
  marks: marks.map((mark) => (typeof mark === 'string' ? { type: mark } : mark)),
});
const t = (...leaves: (string | object)[]) => ({
  leaves: leaves.map((entry) => (typeof entry === 'string' ? leaf(entry) : entry)),
});
const b = (type: string, data: object, nodes?: unknown[], rest: object = {}) => ({
  type,
  data,
  ...(nodes && { nodes }),
  ...rest,
});
const p = (...nodes: (string | object)[]) =>
  b(
    'paragraph',
    {},
    nodes.map((node) => (typeof node === 'string' ? t(node) : node)),
  );
const part = (type: string, ...nodes: object[]) => ({ fragment: type, type, nodes });
const line = (text: string, data = {}) => b('code-line', data, [t(text)]);
const file = (name: string) => ({ kind: 'file', file: name });
const page = (name: string) => ({ kind: 'page', page: name });
const url = (to: string) => ({ kind: 'url', url: to });
const h = (level: number, text: string, id: string, data = {}) =>
  b(`heading-${level}`, data, [t(text)], { meta: { id } });

const officialTypes = new Set(
  Object.entries(officialSchemas)
    .filter(([name]) => /^Document(?:Block|Inline|Mark)/.test(name))
    .flatMap(([, { properties }]) => properties?.type?.enum ?? []),
);

/** Of blocks, inlines and marks at any depth. */
function typesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(typesIn);
  if (typeof value !== 'object' || value === null) return [];
  const { object, type, nodes, fragments, leaves, marks } = value as Record<string, unknown>;
  const own = typeof type === 'string' && object !== 'fragment' ? [type] : [];
  return [...own, ...[nodes, fragments, leaves, marks].flatMap(typesIn)];
}

const rows: [name: string, source: string, expected: unknown][] = [
  [
    'hint',
    '{% hint style="warning" icon="bug" %}\na\n\n* b\n{% endhint %}',
    [b('hint', { style: 'warning', icon: 'bug' }, [p('a'), b('list-unordered', {}, [b('list-item', {}, [p('b')])])])],
  ],
  [
    'tabs whose openers share a line with text',
    '{% tabs %}\n{% tab title="W" icon="x" %} one {% endtab %}\n\n{% tab title="O" %}\ntwo\n{% endtab %}\n{% endtabs %}',
    [
      b('tabs', {}, [
        b('tabs-item', { title: 'W', icon: 'x' }, [p('one')], { meta: { id: 'w' } }),
        b('tabs-item', { title: 'O' }, [p('two')], { meta: { id: 'o' } }),
      ]),
    ],
  ],
  [
    'stepper',
    '{% stepper %}\n{% step %}\n## One\n\na\n{% endstep %}\n{% endstepper %}',
    [b('stepper', {}, [b('stepper-step', {}, [h(1, 'One', 'one'), p('a')])])],
  ],
  [
    'columns',
    '{% columns %}\n{% column width="50%" valign="middle" %}\na\n{% endcolumn %}\n\n{% column %}\nb\n{% endcolumn %}\n{% endcolumns %}',
    [
      b('columns', {}, [
        b('column', { width: { unit: '%', value: 50 }, verticalAlignment: 'middle' }, [p('a')]),
        b('column', {}, [p('b')]),
      ]),
    ],
  ],
  [
    'code',
    '{% code title="a.js" overflow="wrap" lineNumbers="true" fullWidth="true" expandable="true" %}\n```js\na\n\nb\n```\n{% endcode %}',
    [
      b(
        'code',
        { syntax: 'js', title: 'a.js', overflow: 'wrap', lineNumbers: true, fullWidth: true, expandable: true },
        [line('a'), line(''), line('b')],
      ),
    ],
  ],
  ['a plain fence', '```ts\nx < y\n```', [b('code', { syntax: 'ts' }, [line('x < y')])]],
  [
    'highlighted code lines',
    '<pre class="language-js" data-title="a"><code class="lang-js">x &#x3C; y\n<strong>z\n</strong></code></pre>',
    [b('code', { syntax: 'js', title: 'a' }, [line('x < y'), line('z', { highlighted: true })])],
  ],
  [
    'updates',
    'x\n\n{% updates format="short" %}\n{% update date="2024-01-31" tags="a,b" %}\n## New\n{% endupdate %}\n{% update date="2024-01-30" %}\nOld\n{% endupdate %}\n{% endupdates %}\n\ny',
    [
      p('x'),
      p(t(leaf('2024-01-31', 'bold')), ' · a · b'),
      h(1, 'New', 'new'),
      p(t(leaf('2024-01-30', 'bold'))),
      p('Old'),
      p('y'),
    ],
  ],
  [
    'prompt',
    '{% prompt description="D" icon="i" %}\n```\nx\n```\n{% endprompt %}',
    [p('D'), b('code', {}, [line('x')])],
  ],
  [
    'embeds, with and without a caption',
    '{% embed url="https://a.b/\\#/" %}\n\nx\n\n{% embed url="https://c.d" %}\ncap\n{% endembed %}',
    [
      b('embed', { url: 'https://a.b/#/' }, undefined, { fragments: [] }),
      p('x'),
      b('embed', { url: 'https://c.d' }, undefined, { fragments: [part('caption', p('cap'))] }),
    ],
  ],
  [
    'file',
    '{% file src="a b.pdf" %}\nThe file\n{% endfile %}',
    [b('file', { ref: file('a b.pdf') }, undefined, { fragments: [part('caption', p('The file'))] })],
  ],
  [
    'content-ref without its fallback link',
    '{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}',
    [b('content-ref', { ref: page('a.md') })],
  ],
  ['the old page-ref', '{% page-ref page="a.md" %}', [b('content-ref', { ref: page('a.md') })]],
  [
    'include',
    '{% include "../x.md" %}',
    [b('reusable-content', { ref: { kind: 'reusable-content', reusableContent: '../x.md' } })],
  ],
  [
    'if',
    '{% if visitor.claims.a == "b" && 1 < 2 %}\nx\n{% endif %}',
    [b('if', { expression: 'visitor.claims.a == "b" && 1 < 2' }, [p('x')])],
  ],
  [
    'openapi',
    '{% openapi src="a.yaml" path="/p" method="get" %}\n[a.yaml](a.yaml)\n{% endopenapi %}',
    [b('swagger', { ref: file('a.yaml'), path: '/p', method: 'get' })],
  ],
  [
    'openapi-operation',
    '{% openapi-operation spec="s" path="/p" method="get" %}',
    [b('openapi-operation', { ref: { kind: 'openapi', spec: 's' }, path: '/p', method: 'get' })],
  ],
  [
    'openapi-schemas',
    '{% openapi-schemas spec="s" schemas="A, B" grouped="false" %}',
    [b('openapi-schemas', { ref: { kind: 'openapi', spec: 's' }, schemas: ['A', 'B'], grouped: false })],
  ],
  [
    'openapi-webhook',
    '{% openapi-webhook spec="s" name="n" method="post" %}',
    [b('openapi-webhook', { ref: { kind: 'openapi', spec: 's' }, name: 'n', method: 'post' })],
  ],
  [
    'the old swagger block spelled out',
    '{% swagger method="get" baseUrl="https://a" path="/p" summary="List" %}\n{% swagger-description %}\nd\n{% endswagger-description %}\n{% swagger-response status="200" description="ok" %}\n```\n{}\n```\n{% endswagger-response %}\n{% endswagger %}',
    [
      p(t(leaf('GET https://a/p', 'code'), ' List')),
      p('d'),
      p(t(leaf('200', 'code'), ' ok')),
      b('code', {}, [line('{}')]),
    ],
  ],
  [
    'an integration block',
    '{% @mermaid/diagram content="graph" fullWidth="true" %}',
    [b('integration', { integration: 'mermaid', block: 'diagram', props: { content: 'graph' }, fullWidth: true })],
  ],
  [
    'expandable',
    '<details open>\n\n<summary>T <strong>b</strong></summary>\n\nx\n\n</details>',
    [
      b('expandable', { defaultExpanded: true }, undefined, {
        fragments: [part('expandable-title', p(t('T ', leaf('b', 'bold')))), part('expandable-body', p('x'))],
        meta: { id: 't-b' },
      }),
    ],
  ],
  [
    'an image block in wrappers with a dark variant',
    '<div align="left" data-full-width="true" data-with-frame="true"><figure><picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="l.png" alt="A" width="375"></picture><figcaption><p>Cap</p></figcaption></figure></div>',
    [
      b('images', { align: 'left', fullWidth: true, withFrame: true }, [
        b('image', { ref: file('l.png'), refDark: file('d.png'), width: 375, alt: 'A' }, undefined, {
          fragments: [part('caption', p('Cap'))],
        }),
      ]),
    ],
  ],
  [
    'a plain image block',
    '![A](<a b.png> "Cap")',
    [
      b('images', {}, [
        b('image', { ref: file('a b.png'), alt: 'A' }, undefined, { fragments: [part('caption', p('Cap'))] }),
      ]),
    ],
  ],
  [
    'an inline image',
    'x <img src="a.png" alt="A" data-size="line">',
    [p('x ', b('inline-image', { ref: file('a.png'), caption: 'A', size: 'line' }))],
  ],
  [
    'a drawing',
    '<img src="f.svg" alt="A" class="gitbook-drawing">',
    [b('drawing', { ref: file('f.svg') }, undefined, { fragments: [] })],
  ],
  [
    'buttons',
    '<a href="p.md" class="button secondary" data-icon="gear">Go</a> <button data-action="ask" data-query="q">Ask</button>',
    [
      p(
        b('button', { label: 'Go', kind: 'secondary', icon: 'gear', ref: page('p.md') }),
        ' ',
        b('button', { label: 'Ask', kind: 'primary', action: 'ask', query: 'q', ref: url('') }),
      ),
    ],
  ],
  ['icons', '<i class="fa-gear">:gear:</i>', [p(b('icon', { icon: 'gear' }))]],
  [
    'emoji, and names that are none',
    ':tada: :nope: <span data-gb-custom-inline data-tag="emoji" data-code="1f600">x</span>',
    [p(b('emoji', { code: '1f389' }), ' :nope: ', b('emoji', { code: '1f600' }))],
  ],
  [
    'mentions',
    '[p](p.md "mention") <a data-mention href="q.md">q</a>',
    [p(b('mention', { ref: page('p.md') }), ' ', b('mention', { ref: page('q.md') }))],
  ],
  [
    'a mention of something unknown keeps its text',
    '[p](https://a.b "mention")',
    [p(b('link', { ref: url('https://a.b') }, [t('p')]))],
  ],
  [
    'math',
    '$$\nf(x)\n$$\n\n$$g$$\n\nand $$a_b$$',
    [b('math', { formula: 'f(x)' }), b('math', { formula: 'g' }), p('and ', b('inline-math', { formula: 'a_b' }))],
  ],
  [
    'footnotes',
    'a[^1] [b](#user-content-fn-2)[^2]\n\n[^1]: one\n\n    two\n[^2]: three',
    [
      p(
        'a',
        b('annotation', {}, [t('1')], { fragments: [part('annotation-body', p('one'), p('two'))] }),
        ' ',
        b('annotation', {}, [t('b')], { fragments: [part('annotation-body', p('three'))] }),
      ),
    ],
  ],
  [
    'an expression, read verbatim',
    '<code class="expression">a.b * c * d_e_</code>',
    [p(b('expression', { expression: 'a.b * c * d_e_' }))],
  ],
  [
    'marks',
    '**b** _i_ ~~s~~ `c` <kbd>k</kbd> x<sup>2</sup><sub>3</sub> <mark style="color:red;background-color:$primary;">m</mark>',
    [
      p(
        t(
          leaf('b', 'bold'),
          ' ',
          leaf('i', 'italic'),
          ' ',
          leaf('s', 'strikethrough'),
          ' ',
          leaf('c', 'code'),
          ' ',
          leaf('k', 'keyboard'),
          ' x',
          leaf('2', 'superscript'),
          leaf('3', 'subscript'),
          ' ',
          leaf('m', { type: 'color', data: { text: 'red', background: '$primary' } }),
        ),
      ),
    ],
  ],
  ['nested marks', '~~_**`x`**_~~', [p(t(leaf('x', 'strikethrough', 'italic', 'bold', 'code')))]],
  ['a divider', 'a\n\n***', [p('a'), b('divider', {})]],
  [
    'tasks',
    '* [ ] a\n* [x] b',
    [b('list-tasks', {}, [b('list-item', { checked: false }, [p('a')]), b('list-item', { checked: true }, [p('b')])])],
  ],
  [
    'nested and numbered lists',
    '3. a\n   * b\n4. c',
    [
      b('list-ordered', { start: 3 }, [
        b('list-item', {}, [p('a'), b('list-unordered', {}, [b('list-item', {}, [p('b')])])]),
        b('list-item', {}, [p('c')]),
      ]),
    ],
  ],
  ['hard and soft breaks', 'a\\\nb\nc', [p('a\nb c')]],
  ['a block quote', '> a\n>\n> b', [b('blockquote', {}, [p('a'), p('b')])]],
  [
    'links of all spellings',
    '[a](file.md#x) [b](<a b.md>) [c](d_\\(e\\).md) [f](dir/) https://g.h. [i][j]\n\n[j]: k.md',
    [
      p(
        b('link', { ref: page('file.md#x') }, [t('a')]),
        ' ',
        b('link', { ref: page('a b.md') }, [t('b')]),
        ' ',
        b('link', { ref: page('d_(e).md') }, [t('c')]),
        ' ',
        b('link', { ref: page('dir/') }, [t('f')]),
        ' ',
        b('link', { ref: url('https://g.h') }, [t('https://g.h')]),
        '. ',
        b('link', { ref: page('k.md') }, [t('i')]),
      ),
    ],
  ],
  [
    'headings, explicit anchors and numbered ones',
    '## A <a href="#x" id="x"></a>\n\n### A\n\n#### A\n\n##### A',
    [h(1, 'A', 'x', { id: 'x' }), h(2, 'A', 'a'), h(3, 'A', 'a-1'), h(3, 'A', 'a-2')],
  ],
  [
    'a custom block in HTML',
    '<div data-gb-custom-block data-tag="hint" data-style="danger"><p>x</p></div>',
    [b('hint', { style: 'danger' }, [p('x')])],
  ],
  [
    'unknown tags',
    '{% foo a="1" %}\nx\n{% endfoo %}\n\n{% bar %}\n\ny',
    [p('x'), p(t(leaf('{% bar %}', 'code'))), p('y')],
  ],
  ['unknown elements and placeholders', '<foo>x</foo> <your-name>', [p('x <your-name>')]],
  ['a tag that is left open', '{% hint %}\nx', [b('hint', { style: 'info' }, [p('x')])]],
  [
    'tags shown as code',
    '`{% hint %}`\n\n```\n{% hint %}\n```',
    [p(t(leaf('{% hint %}', 'code'))), b('code', {}, [line('{% hint %}')])],
  ],
  [
    'links that would run code',
    '[a](javascript:alert(1)) <a href=" java&#x0A;script:x">b</a>',
    [p(b('link', { ref: url('') }, [t('a')]), ' ', b('link', { ref: url('') }, [t('b')]))],
  ],
];

describe('toDocument', () => {
  it.each(rows)('reads %s', (_name, source, expected) => {
    expect(read(source)).toEqual(expected);
  });

  it('leaves out the heading that titles the page, and nothing else', () => {
    expect(read('---\nicon: x\n---\n# T\n\na\n\n# U')).toEqual([p('a'), h(1, 'U', 'u')]);
    expect(read('<h1 align="center">T</h1>\n\na')).toEqual([p('a')]);
    expect(read('## S\n\n# T')).toEqual([h(1, 'S', 's'), h(1, 'T', 't')]);
  });

  it('names the fields that renderers need on every node', () => {
    const [block] = toDocument('a *b*', resolve).nodes;
    expect(block).toMatchObject({
      object: 'block',
      type: 'paragraph',
      isVoid: false,
      data: {},
      key: expect.any(String),
    });
    expect(block?.nodes?.[0]).toEqual({
      object: 'text',
      leaves: [
        { object: 'leaf', text: 'a ', marks: [] },
        { object: 'leaf', text: 'b', marks: [{ object: 'mark', type: 'italic' }] },
      ],
    });
  });

  it('calls the tags of updates what the space calls them', () => {
    const source = '{% update date="2024-01-31" tags="new-api, other" %}\nx\n{% endupdate %}';
    const { nodes } = toDocument(source, resolve, { tags: new Map([['new-api', 'New API']]) });
    expect(short(nodes)).toEqual([p(t(leaf('2024-01-31', 'bold')), ' · New API · other'), p('x')]);
  });

  it.each([
    ['Getting started', '# 🚀 Getting  Started'],
    ['🚀 Getting started', '# Getting started'],
    ["What's new?", '# What’s **new**?'],
    ['A & B', '<h1>A &amp; B</h1>'],
    ['Any', '# '],
  ])('leaves the first heading out where it says the title: %s', (title, heading) => {
    expect(short(toDocument(`${heading}\n\nx`, resolve, { title }).nodes)).toEqual([p('x')]);
  });

  it('keeps a first heading that says something else, and gives the others their anchors before', () => {
    const source = '# Services\n\n## Services\n\n## Other';
    expect(short(toDocument(source, resolve, { title: 'Azure' }).nodes)).toEqual([
      h(1, 'Services', 'services-1'),
      h(1, 'Services', 'services'),
      h(1, 'Other', 'other'),
    ]);
    const inDiv = toDocument('<div>\n\n<h1 id="top">A <em>b</em></h1>\n\n</div>', resolve, { title: 'C' });
    expect(inDiv.nodes).toMatchObject([{ type: 'heading-1', meta: { id: 'top' } }]);
  });

  it('writes no block, inline or mark that the public schema lacks', () => {
    const tags = ['updates', 'update', 'prompt', 'hint', 'tab', 'step', 'column', 'code', 'if', 'swagger', 'whatever'];
    const sources = [
      ...rows.map(([, source]) => source),
      ...tags.map((name) => `{% ${name} title="t" date="d" %}\n# x\n\n$$a$$ \`b\`\n{% end${name} %}`),
    ];
    const types = sources.flatMap((source) => typesIn(toDocument(source, resolve, { title: '' }).nodes));
    expect(types.length).toBeGreaterThan(200);
    expect([...new Set(types)].filter((type) => !officialTypes.has(type))).toEqual([]);
  });

  it('gives headings the anchors they would have without tabs and expandables', () => {
    const [, heading] = toDocument(
      '{% tabs %}\n{% tab title="Go" %}\nx\n{% endtab %}\n{% endtabs %}\n\n## Go',
      resolve,
    ).nodes;
    expect(heading?.meta?.id).toBe('go');
  });
});
