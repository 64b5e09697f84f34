import { documentOutline, htmlOutline } from '../testing/document-outline.js';

const rest = '\n\n## After';

describe('an element of HTML with blank lines in it', () => {
  it.each([
    ['code', '<div><pre><code>a\n\n# b\n\n    c</code></pre></div>', '<pre><code>a\n\n# b\n\n    c</code></pre>'],
    [
      'code of two blocks',
      '<div><pre>a\n\nb</pre><p>c</p>\n\nd</div>',
      '<pre><code>a\n\nb</code></pre><p>c</p><p>d</p>',
    ],
    [
      'a cell with paragraphs',
      '<table><tr><th>h</th></tr><tr><td>a\n\n*b*</td></tr></table>',
      '<table><tr><th>h</th></tr><tr><td><p>a</p><p><em>b</em></p></td></tr></table>',
    ],
    [
      'a cell after which others follow',
      '<table><tr><th>h</th></tr><tr><td>a\n\nb</td></tr>\n<tr><td>c</td></tr></table>',
      '<table><tr><th>h</th></tr><tr><td><p>a</p><p>b</p></td></tr><tr><td>c</td></tr></table>',
    ],
    ['an item', '<ul><li>a\n\nb</li></ul>', '<ul><li><p>a</p><p>b</p></li></ul>'],
    ['a quote', '<blockquote>\n\na <b>b</b></blockquote>', '<blockquote><p>a <b>b</b></p></blockquote>'],
    ['an element of the text itself', '<blockquote>\n\n<b>a</b>\n\n</blockquote>', '<blockquote><b>a</b></blockquote>'],
    [
      'an end that is escaped',
      '<blockquote>\n\na\\</blockquote>\n</blockquote>',
      '<blockquote>a&lt;/blockquote></blockquote>',
    ],
  ])('ends where it is closed: %s', (_name, source, html) => {
    expect(documentOutline(source + rest)).toBe(htmlOutline(`${html}<h2>After</h2>`));
  });
});
