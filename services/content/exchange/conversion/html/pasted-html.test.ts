import { expectLinear } from '../../../../../shared/testing/processor-time.js';
import { pastedMarkdown } from './pasted-html.js';

it.each([
  [
    'a paragraph',
    '<meta charset="utf-8"><p>One <b>bold</b> <a href="https://example.com/">link</a></p>',
    'One **bold** [link](https://example.com/)\n',
  ],
  ['headings below the title of the page', '<h1>Top</h1><h2>Below</h2><p>x</p>', '## Top\n\n## Below\n\nx\n'],
  ['a list', '<ul><li>one<ol><li>two</li></ol></li></ul>', '* one\n  1. two\n'],
  ['a table', '<table><tr><th>A</th></tr><tr><td>b</td></tr></table>', '| A |\n| - |\n| b |\n'],
  ['code', '<pre><code class="language-js">let a;\n</code></pre>', '```js\nlet a;\n```\n'],
  [
    'what a word processor says by styles',
    '<b style="font-weight:normal;" id="docs-internal-guid-1"><p><span style="font-weight:700">bold</span> <span style="font-style:italic">it</span> <span style="text-decoration:line-through">gone</span></p></b>',
    '**bold** _it_ ~~gone~~\n',
  ],
  [
    'the parts of a page that are not shown',
    '<html><head><title>T</title><style>p{}</style></head><body><!--StartFragment--><nav>N</nav><p>x</p><script>1</script><button>b</button><!--EndFragment--></body></html>',
    'x\n',
  ],
  [
    'images of others, not those of the clipboard',
    '<p>a<img src="https://x.example/a.png" alt="A"><img src="file:///C:/a.png"><img src="data:image/png;base64,AA=="></p>',
    'a![A](https://x.example/a.png)\n',
  ],
  [
    'what is shown alone',
    '<p>a<span style="color:red; display: none">hidden</span><span hidden>hidden</span><b style="visibility:hidden">hidden</b></p>',
    'a\n',
  ],
  ['signs of ours as text', '<p>{% hint %} $$x$$ *y*</p>', '\\{% hint %} \\$$x\\$$ \\*y\\*\n'],
  ['nothing', '', '\n'],
])('reads %s', (_, html, markdown) => {
  expect(pastedMarkdown(html)).toBe(markdown);
});

it('refuses what nests too deep', () => {
  expect(() => pastedMarkdown('<div>'.repeat(2000))).toThrow('nests');
});

it('takes time by its length only', () => {
  expectLinear(
    (length) => pastedMarkdown(`<p><span style="font-weight:700${' '.repeat(9)}">x</span></p>`.repeat(length)),
    500,
  );
});
