import { marked } from 'marked';
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import { block, documentOf, inline, link, mention, paragraphOf, text } from '../support/comment-documents.js';
import { type CommentPlace, commentSetting, newPlace } from '../support/comments.js';
import { newUser } from '../support/fixtures.js';

const setting = commentSetting();
const { client } = setting;
let place: CommentPlace;
beforeAll(async () => {
  place = await newPlace(client, setting.organization, 'a space');
});

const at = (id: string, query = '') => `${place.at}/comments/${id}${query}`;

async function posted(body: object): Promise<any> {
  const answer = await client.post(`${place.at}/comments`, { body });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

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
function strangersIn(node: any): string[] {
  const { object, type, data, nodes = [], fragments = [] } = node;
  const known = object === 'block' ? blocks : ['link', 'mention'];
  const own = ['document', 'text', 'fragment'].includes(object) || known.includes(type) ? [] : [`${object} ${type}`];
  const url = data?.ref?.kind === 'url' && !schemes.test(data.ref.url) ? [data.ref.url] : [];
  return [...own, ...url, ...[...nodes, ...fragments].flatMap(strangersIn)];
}

const textIn = ({ leaves = [], nodes = [] }: any): string =>
  [...leaves.map((leaf: any) => leaf.text), ...nodes.map(textIn)].join('');

it('the test finds what is dangerous', () => {
  expect(dangersIn(String(marked.parse('<b onclick="a()">b</b> [c](javascript:d)')))).toEqual([
    'b',
    'onclick=a()',
    'href=javascript:d',
  ]);
  const nodes = [block('html'), block('paragraph', [link('javascript:d')])];
  expect(strangersIn({ object: 'document', nodes })).toEqual(['block html', 'javascript:d']);
});

describe('what comes back runs nothing in either format', () => {
  it.each([
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
  ])('%j', checkSafe);

  it.each([
    ['2,000 brackets', `${'['.repeat(2000)}x${'](javascript:alert(1))'.repeat(100)}`],
    ['5,000 elements', `${'<b>'.repeat(5000)}x`],
    ['10,000 signs of emphasis', `${'*_'.repeat(5000)}x`],
  ])('%s', (_, markdown) => checkSafe(markdown));

  async function checkSafe(markdown: string): Promise<void> {
    const { id, body, mentions } = await posted({ markdown });
    expect([dangersIn(String(await marked.parse(body.markdown))), mentions]).toEqual([[], []]);
    const shown = (await client.get(at(id, '?format=document'))).body.body;
    expect([Object.keys(shown), strangersIn(shown.document)]).toEqual([['document'], []]);
    expect((await client.get(at(id))).body.body).toEqual(body);
    const edited = await client.put(at(id), { body: shown });
    expect([edited.status, dangersIn(String(await marked.parse(edited.body.body?.markdown ?? '')))]).toEqual([200, []]);
    const again = (await client.get(at(id, '?format=document'))).body.body.document;
    expect(textIn(again)).toBe(textIn(shown.document));
  }

  it.each<[string, object]>([
    ['HTML as text', paragraphOf(text('<script>alert(1)</script>'))],
    ['HTML in code', documentOf(block('code', [block('code-line', [text('```\n<script>')])], { syntax: '"><b>' }))],
    ['Markdown as text', paragraphOf(text('[x](javascript:alert(1)) ![y](data:a) # *z*'))],
    ['a title of a link', paragraphOf(inline('link', { ref: { kind: 'url', url: 'https://a.example/")<b>' } }))],
    ['an entity', paragraphOf(text('&lt;script&gt; &#60;b&#62;'))],
    ['fields of its own', paragraphOf({ ...text('a'), html: '<b>', onclick: 'alert(1)' })],
    ['data of its own', documentOf(block('paragraph', [text('a')], { html: '<script>' }))],
  ])('of a document: %s', async (_, body) => {
    const { id, body: shown } = await posted(body);
    expect(dangersIn(String(await marked.parse(shown.markdown)))).toEqual([]);
    const { document } = (await client.get(at(id, '?format=document'))).body.body;
    expect(strangersIn(document)).toEqual([]);
    for (const field of ['html', 'onclick']) expect(JSON.stringify(document)).not.toContain(`"${field}"`);
  });
});

describe('hidden characters', () => {
  it.each(['👩‍👩‍👧', 'می‌خواهم', 'abc \u2066\u05d0\u05d1\u2069 def', '\u05e9\u05dc\u05d5\u05dd \u200fabc', 'e\u0301'])(
    'that languages and emoji need are kept: %j',
    async (markdown) => {
      expect((await posted({ markdown })).body).toEqual({ markdown });
    },
  );
});

it('a reply is as safe as a comment, and a body says nothing of who may not be seen', async () => {
  const comment = await posted({ markdown: 'A question' });
  const replies = at(comment.id, '/replies');
  const made = await client.post(`${replies}?format=document`, { body: { markdown: '<b>a</b> [x](javascript:y)' } });
  expect(textIn(made.body.body.document)).toBe('<b>a</b> x');
  const { body } = await client.get(`${replies}/${made.body.id}`);
  expect(dangersIn(String(await marked.parse(body.body.markdown)))).toEqual([]);
  const stranger = await newUser(client);
  const mentioning = await posted({ markdown: `[a](/users/${stranger.id}) [b](/users/nobody) [c](/users/__proto__)` });
  expect(mentioning.mentions).toEqual([]);
  expect((await posted(paragraphOf(mention(stranger.id)))).mentions).toEqual([]);
});
