import { marked } from 'marked';
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import { block, documentOf, inline, paragraphOf, text } from './comment-documents.js';

type Node = DefaultTreeAdapterMap['node'];

/** What Markdown makes and nothing else. */
const elements = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del a br hr table thead tbody tr th td input'.split(' '),
);
const attributes = new Set(['href', 'title', 'start', 'align', 'class', 'checked', 'disabled', 'type']);
const schemes = /^(?:https?:|mailto:|\/)/;

/** What a program that renders Markdown would make of a text that nobody may be able to write. */
function dangersIn(html: string): string[] {
  const found: string[] = [];
  const look = (node: Node) => {
    if ('tagName' in node) {
      if (!elements.has(node.tagName)) found.push(node.tagName);
      for (const { name, value } of node.attrs)
        if (!attributes.has(name) || (name === 'href' && !schemes.test(value))) found.push(`${name}=${value}`);
    }
    if ('childNodes' in node) for (const child of node.childNodes) look(child);
  };
  look(parseFragment(html));
  return found;
}

const blocks = [
  'paragraph',
  'heading-1',
  'heading-2',
  'heading-3',
  'list-ordered',
  'list-unordered',
  'list-tasks',
  'list-item',
  'blockquote',
  'code',
  'code-line',
  'divider',
  'table',
];

/** Nodes of a document that are none of a text, and links to what nobody may link to. */
export function strangersIn(node: any): string[] {
  const { object, type, data, nodes = [], fragments = [] } = node;
  const known = object === 'block' ? blocks : ['link', 'mention'];
  const own = ['document', 'text', 'fragment'].includes(object) || known.includes(type) ? [] : [`${object} ${type}`];
  const url = data?.ref?.kind === 'url' && !schemes.test(data.ref.url) ? [data.ref.url] : [];
  return [...own, ...url, ...[...nodes, ...fragments].flatMap(strangersIn)];
}

export const textIn = ({ leaves = [], nodes = [] }: any): string =>
  [...leaves.map((leaf: any) => leaf.text), ...nodes.map(textIn)].join('');

/** The dangers in Markdown, as a program may show it. */
export const dangersInMarkdown = (markdown: string): string[] => dangersIn(marked.parse(markdown, { async: false }));

/** Bodies that would run something if anything took them for more than a text. */
export const hostileBodies: [name: string, body: { markdown: string } | { document: object }][] = [
  ...[
    '<script>alert(1)</script>',
    '<ScRiPt\nsrc=//evil.example>x',
    '<img src=x onerror=alert(1)>',
    'a <svg/onload=alert(1)> b',
    '<a href="javascript:alert(1)">a</a>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<!-- <script> --> a',
    '<![CDATA[ <script>alert(1)</script> ]]>',
    '<?php echo 1 ?> a',
    '</p><style>*{display:none}</style> a',
    '- <details open ontoggle=alert(1)>\n- b',
    '> <b>a\n> b</b>',
    '| <i>a</i> | b |\n|---|---|\n| <u>c</u> | d |',
    '`a` <b>c</b> `d`',
    '\\<script>alert(1)\\</script>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x]( javascript:alert(1) "title")',
    '[x](<javascript:alert(1)>)',
    '[x](java&#115;cript:alert(1))',
    '[x](javascript&colon;alert(1))',
    '[x](&#x6A;avascript:alert(1))',
    '[x](java&Tab;script:alert(1))',
    '[x](\\javascript:alert(1))',
    '[x][y]\n\n[y]: javascript:alert(1)',
    '[x]\n\n[x]: <data:text/html;base64,PHNjcmlwdD4=>',
    '![x](data:text/html;base64,PHNjcmlwdD4=)',
    '![x](javascript:alert(1))',
    '[![x](javascript:alert(1))](vbscript:msgbox)',
    '[x](vbscript:msgbox(1))',
    '[x](file:///etc/passwd)',
    '[x](blob:https://a.example/1)',
    'a <javascript:alert(1)> b',
    'a <data:text/html,b> c',
    'a <xmpp:b@c.example> d',
    'javascript:alert(1) is no link',
    '[x](ftp://evil.example)',
    '[x](https://a.example" onclick="alert(1))',
    '[<img src=x onerror=alert(1)>](https://a.example)',
    '{% embed url="javascript:alert(1)" %}',
    '$$\\href{javascript:alert(1)}{a}$$',
    '[^1]\n\n[^1]: <script>alert(1)</script>',
    '---\ntitle: <b>\n---\n\na',
    '[x](/users/../../admin)',
  ].map((markdown): [string, { markdown: string }] => [markdown, { markdown }]),
  ['2,000 brackets', { markdown: `${'['.repeat(2000)}x${'](javascript:alert(1))'.repeat(100)}` }],
  ['5,000 elements', { markdown: `${'<b>'.repeat(5000)}x` }],
  ['10,000 signs of emphasis', { markdown: `${'*_'.repeat(5000)}x` }],
  ['HTML as text', paragraphOf(text('<script>alert(1)</script>'))],
  ['HTML in code', documentOf(block('code', [block('code-line', [text('```\n<script>')])], { syntax: '"><b>' }))],
  ['Markdown as text', paragraphOf(text('[x](javascript:alert(1)) ![y](data:a) # *z*'))],
  ['a title of a link', paragraphOf(inline('link', { ref: { kind: 'url', url: 'https://a.example/")<b>' } }))],
  ['an entity', paragraphOf(text('&lt;script&gt; &#60;b&#62;'))],
  ['fields of its own', paragraphOf({ ...text('a'), html: '<b>', onclick: 'alert(1)' })],
  ['data of its own', documentOf(block('paragraph', [text('a')], { html: '<script>' }))],
];

/** Texts with characters that hide, and that languages and emoji need. */
export const textsOfLanguages = [
  '👩‍👩‍👧',
  'می‌خواهم',
  'abc \u2066\u05d0\u05d1\u2069 def',
  '\u05e9\u05dc\u05d5\u05dd \u200fabc',
  'e\u0301',
];
