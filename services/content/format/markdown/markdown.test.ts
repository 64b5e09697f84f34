import { parseInlines } from './inlines/inline.js';
import { parseMarkdown } from './markdown.js';
import type { Inline } from './syntax.js';

const blocks = (source: string) => parseMarkdown(source).blocks;
const p = (text: string) => ({ kind: 'paragraph', text });
const list = (marker: string, ...items: object[][]) => ({
  kind: 'list',
  ordered: marker === '.',
  start: 1,
  marker,
  items: items.map((children) => expect.objectContaining({ children })),
});
const code = (value: string, info = '') => ({ kind: 'code', info, value });
const quote = (...children: object[]) => ({ kind: 'quote', children });
const html = (source: string) => ({ kind: 'html-block', html: source });
const tag = (name: string, closing = false) => ({ kind: 'tag', tag: expect.objectContaining({ name, closing }) });

const rows: [name: string, source: string, expected: object[]][] = [
  ['lazy lines in quotes and items', '> a\nb\n\n- c\nd', [quote(p('a\nb')), list('-', [p('c\nd')])]],
  ['items by their indent, tabs as columns', '-\ta\n\n\tb\n\n    c', [list('-', [p('a'), p('b'), p('c')])]],
  ['code in an item', '- a\n\n      b\n\n  ```js\n  c\n  ```', [list('-', [p('a'), code('b'), code('c', 'js')])]],
  ['another marker as another list', '* a\n- b\n1. c', [list('*', [p('a')]), list('-', [p('b')]), list('.', [p('c')])]],
  ['no list from a number in a paragraph', 'a\n14. b\n- c', [p('a\n14. b'), list('-', [p('c')])]],
  [
    'headings',
    '# a #\nb\nc\n===\n#d',
    [{ kind: 'heading', depth: 1, text: 'a' }, { kind: 'heading', depth: 1, text: 'b\nc' }, p('#d')],
  ],
  ['rules and underlines', 'a\n---\n* * *', [{ kind: 'heading', depth: 2, text: 'a' }, { kind: 'rule' }]],
  ['code by indent, not in a paragraph', '    a\n\n    b\nc\n    d', [code('a\n\nb'), p('c\nd')]],
  ['a fence up to the end', '~~~ x y\na\n```\n> b', [code('a\n```\n> b', 'x y')]],
  ['HTML up to a blank line', '<div>\n*a*\n\n*b*', [html('<div>\n*a*'), p('*b*')]],
  ['raw HTML over blank lines', '<pre>\n\na\n</pre>\nb', [html('<pre>\n\na\n</pre>'), p('b')]],
  ['no block of an element in a paragraph', 'a\n<b>\nc', [p('a\n<b>\nc')]],
  ['definitions out of paragraphs', '[a]: b "t"\nc', [p('c')]],
  [
    'a table after text, up to a block',
    'a\n| b | c |\n|-|:-:|\n| d \\| e |\n> f',
    [p('a'), { kind: 'table', align: [undefined, 'center'], rows: [['b', 'c'], ['d | e']] }, quote(p('f'))],
  ],
  [
    'tags that interrupt text, lists and HTML',
    'a\n{% hint %}\n* b\n{% endhint %}\n<div>\n{% x %}',
    [p('a'), tag('hint'), list('*', [p('b')]), tag('hint', true), html('<div>'), tag('x')],
  ],
  [
    'tags inside items',
    '* a\n\n  {% hint %}\n  b\n  {% endhint %}\n\nc',
    [list('*', [p('a'), tag('hint'), p('b'), tag('hint', true)]), p('c')],
  ],
  [
    'tags around text on one line',
    '{% tab title="a %} b" %} c {% endtab %}{% endtabs %}',
    [tag('tab'), p('c'), tag('tab', true), tag('tabs', true)],
  ],
  ['tags over several lines', '{% embed\n  url="a"\n%}\nb', [tag('embed'), p('b')]],
  ['what only looks like a tag', '{% a\n\n{% 1 %}\nb {% if c %} d', [p('{% a'), p('{% 1 %}\nb {% if c %} d')]],
  [
    'math between lines, and text when it stays open',
    '$$\na\n$$\n$$\nb',
    [{ kind: 'math-block', formula: 'a' }, p('$$\nb')],
  ],
];

describe('parseMarkdown', () => {
  it.each(rows)('reads %s', (_name, source, expected) => {
    expect(blocks(source)).toEqual(expected);
  });
});

describe('parseMarkdown of plain GFM', () => {
  it.each([
    ['tags', '{% hint %}\na {% endhint %}', [p('{% hint %}\na {% endhint %}')]],
    ['math', '$$\na\n$$', [p('$$\na\n$$')]],
    ['footnotes', 'a[^1]\n\n[^1]: a note', [p('a[^1]'), p('[^1]: a note')]],
    ['HTML', '<div>\n*a*', [p('<div>\n*a*')]],
  ])('reads %s as text', (_name, source, expected) => {
    expect(parseMarkdown(source, true).blocks).toEqual(expected);
  });
});

/** `*a*` as `<em>a</em>`, to compare at a glance. */
function outline(inlines: Inline[]): string {
  const names = { emphasis: 'em', strong: 'b', strike: 's' } as const;
  return inlines
    .map((inline) => {
      switch (inline.kind) {
        case 'text':
          return inline.value;
        case 'code-span':
          return `<code>${inline.value}</code>`;
        case 'link':
          return `<a ${inline.url}${inline.title && ` "${inline.title}"`}>${outline(inline.children)}</a>`;
        case 'image':
          return `<img ${inline.url} ${inline.alt}>`;
        case 'break':
          return '<br>';
        case 'math':
          return `<math ${inline.formula}>`;
        case 'html':
          return `{${inline.html}}`;
        case 'footnote':
          return `<note ${inline.label}>`;
        default:
          return `<${names[inline.kind]}>${outline(inline.children)}</${names[inline.kind]}>`;
      }
    })
    .join('');
}

describe('parseInlines', () => {
  it('reads HTML and math of plain GFM as text', () => {
    expect(outline(parseInlines('<b>*a*</b> $$c*d*$$ <!-- e', parseMarkdown('', true)))).toBe(
      '<b><em>a</em></b> $$c<em>d</em>$$ <!-- e',
    );
  });

  const page = parseMarkdown('[ref]: /url "t"\n[^n]: x');
  it.each([
    ['*a **b** c*', '<em>a <b>b</b> c</em>'],
    ['***a***', '<em><b>a</b></em>'],
    ['a_b_c __d__', 'a_b_c <b>d</b>'],
    ['*a _b* c_', '<em>a _b</em> c_'],
    ['**_\\*_**_1._\\*', '<b><em>*</em></b><em>1.</em>*'],
    ['~~a~~ ~b~', '<s>a</s> ~b~'],
    ['`` a`b `` `c', '<code>a`b</code> `c'],
    ['[a *b*](c "d") ![e *f*](g)', '<a c "d">a <em>b</em></a> <img g e f>'],
    ['[ref] [a][ref] [ref][] [b][none]', '<a /url "t">ref</a> <a /url "t">a</a> <a /url "t">ref</a> [b][none]'],
    ['[a [b](c) d](e)', '[a <a c>b</a> d](e)'],
    ['[a](b_(c)_d) [e](<f g>) [h](i j)', '<a b_(c)_d>a</a> <a f g>e</a> [h](i j)'],
    ['a[^n] [^m]', 'a<note N> [^m]'],
    ['a  \nb\\\nc\nd', 'a<br>b<br>c\nd'],
    ['\\*a\\* &lt;&#x20;&nope; &amp;lt;', '*a* < &nope; &lt;'],
    ['<b>a</b> <c d="e>"> <!-- f --> a < b', '{<b>}a{</b>} {<c d="e>">} {<!-- f -->} a < b'],
    ['<https://a.b> <c@d.e>', '<a https://a.b>https://a.b</a> <a mailto:c@d.e>c@d.e</a>'],
    [
      '(https://a.b/c_d_(e)). www.f.g, h@i.j!',
      '(<a https://a.b/c_d_(e)>https://a.b/c_d_(e)</a>). <a http://www.f.g>www.f.g</a>, <a mailto:h@i.j>h@i.j</a>!',
    ],
    ['見https://a.b/c。', '見<a https://a.b/c>https://a.b/c</a>。'],
    ['$$a*b*$$ $c$ $$', '<math a*b*> $c$ $$'],
  ])('reads %j', (source, expected) => {
    expect(outline(parseInlines(source, page))).toBe(expected);
  });
});
