import { b, file, h, leaf, line, p, page, part, type Row, t, url } from './nodes.js';

/** Blocks and inlines that are written as markdown or HTML. */
export const markupRows: Row[] = [
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
