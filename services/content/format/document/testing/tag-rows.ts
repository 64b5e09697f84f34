import { b, file, h, leaf, line, p, page, part, type Row, t } from './nodes.js';

/** Blocks that are written as tags. */
export const tagRows: Row[] = [
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
    [
      b('openapi-operation', { ref: { kind: 'openapi', spec: 's' }, path: '/p', method: 'get' }, undefined, {
        meta: { id: 'get-p' },
      }),
    ],
  ],
  [
    'an anchor of openapi-operation by its summary, after those of headings',
    '{% openapi-operation spec="s" path="/p" method="get" summary="List" %}\n\n## List',
    [
      b('openapi-operation', { ref: { kind: 'openapi', spec: 's' }, path: '/p', method: 'get' }, undefined, {
        meta: { id: 'list-1' },
      }),
      h(1, 'List', 'list'),
    ],
  ],
  [
    'openapi-schemas',
    '{% openapi-schemas spec="s" schemas="A, B" grouped="false" %}',
    [b('openapi-schemas', { ref: { kind: 'openapi', spec: 's' }, schemas: ['A', 'B'], grouped: false })],
  ],
  [
    'openapi-webhook',
    '{% openapi-webhook spec="s" name="n" method="post" %}',
    [
      b('openapi-webhook', { ref: { kind: 'openapi', spec: 's' }, name: 'n', method: 'post' }, undefined, {
        meta: { id: 'post-n' },
      }),
    ],
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
];
