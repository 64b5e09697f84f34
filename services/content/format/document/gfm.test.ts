import { documentOutline, htmlOutline } from './testing/document-outline.js';

const table = (head: string[], ...rows: string[][]) => {
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('');
  return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${body}</tbody></table>`;
};
const th = (text: string, align?: string) => `<th${align ? ` align="${align}"` : ''}>${text}</th>`;
const link = (url: string, text = url) => `<a href="${url}">${text}</a>`;
const box = (checked = '') => `<input type="checkbox" disabled ${checked}>`;

type Case = [name: string, source: string, html: string];

/** Tables, task items, strikethrough and bare addresses as GFM reads them (sections 4.10, 5.3, 6.5 and 6.9 of its specification). */
const cases: Case[] = [
  ['a table', '| one | two |\n| --- | --- |\n| 1 | 2 |', table([th('one'), th('two')], ['1', '2'])],
  [
    'a table with alignments, ragged, without outer pipes',
    '| left | mid | right |\n:-- | :-: | -------:\none | two | three',
    table([th('left', 'left'), th('mid', 'center'), th('right', 'right')], ['one', 'two', 'three']),
  ],
  [
    'escaped pipes in a cell, in code and in emphasis too',
    '| a \\| b |\n| - |\n| `c \\| d` |\n| **e \\| f** |',
    table([th('a | b')], ['<code>c | d</code>'], ['<strong>e | f</strong>']),
  ],
  [
    'inline markup in cells',
    '| *a* |\n| - |\n| [b](/c) ~~d~~ |',
    table([th('a')], ['<a href="/c">b</a> <del>d</del>']),
  ],
  [
    'a table that ends where another block begins',
    '| a | b |\n| - | - |\n| 1 | 2 |\n> quote',
    `${table([th('a'), th('b')], ['1', '2'])}<blockquote><p>quote</p></blockquote>`,
  ],
  [
    'a table that ends at a blank line, not before; a row without pipes has one cell',
    '| a | b |\n| - | - |\n| 1 | 2 |\nword\n\nword',
    `${table([th('a'), th('b')], ['1', '2'], ['word', ''])}<p>word</p>`,
  ],
  [
    'no table where the delimiters are not as many as the titles',
    '| a | b |\n| - |\n| c |',
    '<p>| a | b | | - | | c |</p>',
  ],
  ['a row with too few cells', '| a | b |\n| - | - |\n| 1 |', table([th('a'), th('b')], ['1', ''])],
  ['a row with too many cells', '| a | b |\n| - | - |\n| 1 | 2 | 3 |', table([th('a'), th('b')], ['1', '2'])],
  ['a table without rows', '| a | b |\n| - | - |', table([th('a'), th('b')])],
  ['a table after the lines of a paragraph', 'text\n| a |\n| - |\n| 1 |', `<p>text</p>${table([th('a')], ['1'])}`],
  ['a table in a list', '- | a |\n  | - |\n  | 1 |', `<ul><li>${table([th('a')], ['1'])}</li></ul>`],
  [
    'task items',
    '- [ ] open\n- [x] done\n- [X] done too',
    `<ul><li>${box()} open</li><li>${box('checked')} done</li><li>${box('checked')} done too</li></ul>`,
  ],
  [
    'task items in task items, and with markup',
    '- [x] a\n  - [ ] *b*\n  - [x] c\n- [ ] d',
    `<ul><li>${box('checked')} a<ul><li>${box()} <em>b</em></li><li>${box('checked')} c</li></ul></li><li>${box()} d</li></ul>`,
  ],
  ['no task where no space follows', '- [x]a\n- [ ]b', '<ul><li>[x]a</li><li>[ ]b</li></ul>'],
  ['no task in a paragraph', '[ ] a', '<p>[ ] a</p>'],
  ['two tildes that strike text through', '~~a~~ b ~~c *d*~~', '<p><del>a</del> b <del>c <em>d</em></del></p>'],
  ['one tilde that strikes text through', 'a ~b~ c', '<p>a <del>b</del> c</p>'],
  ['no strike over paragraphs', 'a ~~b\n\nc~~ d', '<p>a ~~b</p><p>c~~ d</p>'],
  ['no strike by three tildes', 'a ~~~b~~~ c', '<p>a ~~~b~~~ c</p>'],
  ['an address by its www', 'www.a.example', `<p>${link('http://www.a.example', 'www.a.example')}</p>`],
  [
    'the path of an address',
    'see www.a.example/b_c/d?e=f#g there',
    `<p>see ${link('http://www.a.example/b_c/d?e=f#g', 'www.a.example/b_c/d?e=f#g')} there</p>`,
  ],
  [
    'an address without the punctuation after it',
    'https://a.example/b. "https://a.example/c"? https://a.example/d, *https://a.example/e*',
    `<p>${link('https://a.example/b')}. "${link('https://a.example/c')}"? ${link('https://a.example/d')}, <em>${link('https://a.example/e')}</em></p>`,
  ],
  [
    'balanced parentheses of an address, and not those around it',
    'https://a.example/b_(c) (https://a.example/d_(e)) https://a.example/f) https://a.example/(g)?h=(i))i',
    `<p>${link('https://a.example/b_(c)')} (${link('https://a.example/d_(e)')}) ${link('https://a.example/f')}) ${link('https://a.example/(g)?h=(i))i')}</p>`,
  ],
  [
    'an address without what looks like an entity after it',
    'www.a.example/b?c=d&e=f www.a.example/b?c=d&eee;',
    `<p>${link('http://www.a.example/b?c=d&e=f', 'www.a.example/b?c=d&e=f')} ${link('http://www.a.example/b?c=d', 'www.a.example/b?c=d')}&amp;eee;</p>`,
  ],
  ['an address up to an angle', 'https://a.example/b<c', `<p>${link('https://a.example/b')}&lt;c</p>`],
  ['addresses of http', 'http://a.example', `<p>${link('http://a.example')}</p>`],
  ['an address of FTP', 'ftp://a.example', `<p>${link('ftp://a.example')}</p>`],
  ['a mail address', 'write to a@b.example now', `<p>write to ${link('mailto:a@b.example', 'a@b.example')} now</p>`],
  [
    'a plus in a mail address before the @, not after it',
    'a@b+c.example a+b@c.example',
    `<p>a@b+c.example ${link('mailto:a+b@c.example', 'a+b@c.example')}</p>`,
  ],
  [
    'a mail address without the dot after it, and none that ends with a dash or an underscore',
    'a.b-c_d@a.b. a.b-c_d@a.b- a.b-c_d@a.b_',
    `<p>${link('mailto:a.b-c_d@a.b', 'a.b-c_d@a.b')}. a.b-c_d@a.b- a.b-c_d@a.b_</p>`,
  ],
  ['the scheme of a mail address', 'mailto:a@b.example', `<p>${link('mailto:a@b.example')}</p>`],
  [
    'no address in code or in a link',
    '`www.a.example` [www.a.example](/b)',
    '<p><code>www.a.example</code> <a href="/b">www.a.example</a></p>',
  ],
];

/** Cases that are read otherwise, with the reason. */
const differences: Record<string, string> = {
  'a row with too many cells': 'GFM leaves the cells out; no text of a page is lost',
  'one tilde that strikes text through': 'one tilde is a sign of its own, as in ~5 or ~/folder',
  'the scheme of a mail address': 'the address after it is the link',
  'an address of FTP': 'browsers no longer open it',
};

describe('GFM', () => {
  it.each(cases)('has %s', (name, source, html) => {
    const [read, expected] = [documentOutline(source), htmlOutline(html)];
    if (differences[name] === undefined) expect(read).toBe(expected);
    // A case that no longer differs is taken off the list.
    else expect(read).not.toBe(expected);
  });

  it('is read otherwise in cases that exist', () => {
    expect(cases.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(differences)));
  });
});
