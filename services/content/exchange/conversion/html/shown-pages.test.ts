import { expectLinear } from '../../../../../shared/testing/processor-time.js';
import { toDocument } from '../../../format/document/document.js';
import { type AnyNode, childNodesOf } from '../../../format/document/document-model.js';
import { documentOutline } from '../../../format/document/testing/document-outline.js';
import { InlineImages } from '../inline-images.js';
import { readHtmlPage } from './html-page.js';

const markdownOf = (html: string) => readHtmlPage(`<main>${html}</main>`, new InlineImages(10)).markdown.trim();
const outlineOf = (html: string) => documentOutline(markdownOf(html)).split('\n');

describe('a list says what a browser shows', () => {
  it.each([
    ['a list directly in a list', '<ul><li>A</li><ul><li>B</li></ul><li>C</li></ul>', '* A\n  * B\n* C'],
    ['a list that begins with one', '<ul>\n<ul><li>A</li></ul>\n<li>B</li></ul>', '* A\n* B'],
    ['text beside items', '<ul>a<li>A</li>b</ul>', '* a\n* A\\\n  b'],
    ['blocks beside items', '<ul><li>A</li><p>P</p><li>B</li></ul>', '* A\n\n  P\n\n* B'],
    ['items in other elements', '<ul><div><li>A</li></div><a href="b"><li>B</li></a></ul>', '* A\n* [B](b)'],
    ['numbers of items', '<ol><li value="3">A</li><li>B</li><li value="9">C</li></ol>', '3. A\n4. B\n\n9) C'],
    [
      'a start that Markdown has not',
      '<ol start="9999999999"><li>A</li></ol><ol start="-1"><li>B</li></ol>',
      '1. A\n\n1) B',
    ],
    [
      'tasks of GitLab',
      '<ul class="task-list"><li class="task-list-item"><task-button></task-button><input type="checkbox" checked> A</li></ul>',
      '* [x] A',
    ],
    [
      'tasks of AsciiDoc',
      '<ul class="checklist"><li><p><i class="fa fa-check-square-o"></i> A</p></li><li><p><i class="fa fa-square-o"></i> B</p></li></ul>',
      '* [x] A\n\n* [ ] B',
    ],
  ])('%s', (_, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
  });
});

describe('code says what a browser shows', () => {
  const numbered = (table: string) => `<div class="highlight-python"><table class="${table}"`;
  it.each([
    [
      'Sphinx with numbers beside it',
      `${numbered('highlighttable')}><tr><td class="linenos"><div class="linenodiv"><pre><span class="normal">1</span>\n<span class="normal">2</span></pre></div></td><td class="code"><div><pre><span></span>a\n  b\n</pre></div></td></tr></table></div>`,
      ['code python "a\\n  b"'],
    ],
    [
      'Sphinx with numbers in it',
      '<div class="highlight-python"><pre><span class="linenos">1</span>a\n<span class="linenos">2</span>b</pre></div>',
      ['code python "a\\nb"'],
    ],
    [
      'MkDocs with numbers and a name',
      '<div class="language-py highlight"><table class="highlighttable"><tr><th colspan="2" class="filename"><span class="filename">b.py</span></th></tr><tr><td class="linenos"><pre><a href="#1">1</a></pre></td><td class="code"><pre><code>a</code></pre></td></tr></table></div>',
      ['paragraph', '  "b.py"', 'code py "a"'],
    ],
    [
      'Rouge',
      '<pre><code class="language-ruby" data-lang="ruby"><table class="rouge-table"><tr><td class="gutter gl"><pre class="lineno">1\n2\n</pre></td><td class="code"><pre>a\n  b\n</pre></td></tr></table></code></pre>',
      ['code ruby "a\\n  b"'],
    ],
    [
      'Rouge by lines',
      '<div class="language-ruby"><pre><code><table class="rouge-line-table"><tr class="lineno"><td class="rouge-gutter gl"><pre>1</pre></td><td class="rouge-code"><pre>a\n</pre></td></tr><tr class="lineno"><td class="rouge-gutter gl"><pre>2</pre></td><td class="rouge-code"><pre>  b\n</pre></td></tr></table></code></pre></div>',
      ['code ruby "a\\n  b"'],
    ],
    [
      'Hugo',
      '<div class="highlight"><table class="lntable"><tr><td class="lntd"><pre class="chroma"><code><span class="lnt">1\n</span></code></pre></td><td class="lntd"><pre class="chroma"><code class="language-go" data-lang="go"><span class="line"><span class="cl">a\n</span></span></code></pre></td></tr></table></div>',
      ['code go "a"'],
    ],
    [
      'Hexo',
      '<figure class="highlight js"><figcaption><span>a.js</span></figcaption><table><tr><td class="gutter"><pre><span class="line">1</span><br></pre></td><td class="code"><pre><span class="line">a</span><br><span class="line">b</span><br></pre></td></tr></table></figure>',
      ['paragraph', '  "a.js"', 'code js "a\\nb"'],
    ],
    [
      'GitHub',
      '<table class="highlight js-file-line-container"><tr><td class="blob-num" data-line-number="1"></td><td class="blob-code">a</td></tr><tr><td class="blob-num"></td><td class="blob-code">  b</td></tr></table>',
      ['code  "a\\n  b"'],
    ],
    [
      'highlight.js with numbers',
      '<pre><code class="language-js hljs"><table class="hljs-ln"><tr><td class="hljs-ln-numbers">1</td><td class="hljs-ln-code">a</td></tr><tr><td class="hljs-ln-numbers">2</td><td class="hljs-ln-code">b</td></tr></table></code></pre>',
      ['code js "a\\nb"'],
    ],
    [
      'VitePress',
      '<div class="language-js line-numbers-mode"><button></button><span class="lang">js</span><pre><code><span class="line">a</span>\n<span class="line">b</span></code></pre><div class="line-numbers-wrapper" aria-hidden="true"><span class="line-number">1</span><br></div></div>',
      ['code js "a\\nb"'],
    ],
    [
      'Starlight',
      '<pre data-language="js"><code><div class="ec-line"><div class="code">a</div></div><div class="ec-line"><div class="code">\n</div></div><div class="ec-line"><div class="code">b</div></div></code></pre>',
      ['code js "a\\n\\nb"'],
    ],
  ])('%s', (_, html, outline) => {
    expect(outlineOf(html)).toEqual(outline);
  });

  it.each([
    ['<pre class="brush: js; toolbar: false">a</pre>', 'js'],
    ['<pre><code class="hljs python">a</code></pre>', 'python'],
    ['<pre lang="ruby">a</pre>', 'ruby'],
    ['<pre lang="en">a</pre>', ''],
    ['<pre class="src src-emacs-lisp">a</pre>', 'emacs-lisp'],
    [
      '<div class="sourceCode"><pre class="sourceCode haskell"><code class="sourceCode haskell">a</code></pre></div>',
      'haskell',
    ],
    ['<pre class="EnlighterJSRAW" data-enlighter-language="php">a</pre>', 'php'],
    ['<pre class="code php">a</pre>', 'php'],
    ['<div class="mw-highlight mw-highlight-lang-lua"><pre>a</pre></div>', 'lua'],
  ])('%s has its language', (html, language) => {
    expect(outlineOf(html)).toEqual([`code ${language} "a"`]);
  });
});

describe('a table says what a browser shows', () => {
  it.each([
    [
      'tables in cells',
      '<table><tr><th>A</th><th>B</th></tr><tr><td><table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table></td><td>x</td></tr></table>',
      '| A | B |\n| - | - |\n| 1 \\| 2<br>3 \\| 4 | x |',
    ],
    [
      'lists in cells',
      '<table><tr><th>A</th></tr><tr><td>x</td></tr><tr><td><ol start="4"><li>a<ul><li>b</li></ul></li><li>c</li></ol></td></tr></table>',
      '| A |\n| - |\n| x |\n| 4. a<br>◦ b<br>5. c |',
    ],
    [
      'code in cells',
      '<table><tr><th>A</th></tr><tr><td><pre>if x:\n  y</pre></td></tr></table>',
      '| A |\n| - |\n| `if x:`<br>\u00a0\u00a0`y` |',
    ],
    [
      'alignments in styles',
      '<table><tr><th style="text-align: center">A</th><th style="color:red;text-align:right">B</th></tr></table>',
      '| A | B |\n| :-: | -: |',
    ],
    ['a table without cells', '<p>a</p><table></table>', 'a'],
    ['a table around a page', '<table><tr><td><h2>A</h2><pre>b</pre></td></tr></table>', '## A\n\n```\nb\n```'],
    [
      'a grid of Javadoc',
      '<ul class="summary-list"><li><h2>S</h2><div class="summary-table two-column-summary"><div class="table-header col-first">Type</div><div class="table-header col-last">Method</div><div class="col-first"><code>void</code></div><div class="col-last"><code><a href="#a()">a</a>(<a href="B.html">B</a> b)</code></div></div></li></ul>',
      '## S\n\n| Type | Method |\n| - | - |\n| `void` | [`a`](#a\\(\\))`(`[`B`](B.html) `b)` |',
    ],
  ])('%s', (_, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
  });
});

describe('an image says what a browser shows', () => {
  it.each([
    ['<img srcset="a.png 480w, b.png 800w" alt="A">', '![A](b.png)'],
    ['<img src="a.png" srcset="a.png 1x, b.png 2x" alt="A">', '![A](b.png)'],
    ['<picture><source srcset="b.webp 3x"><img src="a.png" alt="A"></picture>', '![A](b.webp)'],
    ['<picture><source srcset="b.png" media="(max-width: 600px)"><img src="a.png" alt="A"></picture>', '![A](a.png)'],
    ['<picture><source srcset="a.webp 1x, b.webp 2x" type="image/webp"><img alt="A"></picture>', '![A](b.webp)'],
    [
      '<img data-src="a.png" src="data:image/gif;base64,R0lGODlhAQABAIAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">',
      '![](a.png)',
    ],
    ['<img src="wait.svg" data-lazy-src="a.png"><noscript><img src="a.png"></noscript>', '![](a.png)'],
    ['<p><noscript><img src="a.png"></noscript></p><noscript>No scripts</noscript>', '![](a.png)'],
    [
      '<picture><source srcset="dark.png" media="(prefers-color-scheme: dark)"><img src="a.png" alt="A"></picture>',
      '<picture><source srcset="dark.png" media="(prefers-color-scheme: dark)"><img src="a.png" alt="A"></picture>',
    ],
  ])('%s', (html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
  });
});

describe('a figure says what a browser shows', () => {
  const textsIn = (node: AnyNode): string[] =>
    node.object === 'text' ? [node.leaves.map(({ text }) => text).join('')] : childNodesOf(node).flatMap(textsIn);
  it.each([
    [
      'several images',
      '<figure><img src="a.png"><img src="b.png"><figcaption>C</figcaption></figure>',
      ['images', 'image', 'image caption C'],
    ],
    [
      'marks and links in its caption',
      '<figure><img src="a.png"><figcaption>See <a href="b">it <em>now</em></a></figcaption></figure>',
      ['images', 'image caption See it now'],
    ],
    [
      'paragraphs of its caption',
      '<figure><a href="a-large.png"><img src="a.png"></a><figcaption><p>A</p><p>B</p></figcaption></figure>',
      ['images', 'image caption AB'],
    ],
    [
      'a text beside its image',
      '<figure><img src="a.png"><p>T</p><figcaption>C</figcaption></figure>',
      ['images', 'image', 'paragraph T', 'paragraph C'],
    ],
    [
      'a link around it',
      '<a href="b"><figure><img src="a.png"><figcaption>C</figcaption></figure></a>',
      ['paragraph', 'paragraph C'],
    ],
    [
      'a video',
      '<figure><video controls><source src="https://a.b/v.mp4"></video><figcaption>C</figcaption></figure>',
      ['embed caption C'],
    ],
    [
      'a video beside the page',
      '<figure><video src="v.mp4"></video><figcaption>C</figcaption></figure>',
      ['file caption C'],
    ],
    [
      'a frame',
      '<figure><iframe src="https://a.b/?q=%20x&amp;y=1"></iframe><figcaption>C</figcaption></figure>',
      ['embed caption C'],
    ],
    ['code', '<figure><figcaption>C</figcaption><pre>x</pre></figure>', ['paragraph C', 'code']],
  ])('%s', (_, html, blocks) => {
    const { nodes } = toDocument(markdownOf(html), () => undefined);
    const shown = nodes.flatMap((node) => [node, ...(node.type === 'images' ? childNodesOf(node) : [])]);
    const lines = shown.map((node) => {
      const { type, fragments = [] } = node as (typeof nodes)[number];
      const caption = fragments.map((each) => ` caption ${textsIn(each).join('')}`).join('');
      return type + (type === 'paragraph' ? ` ${textsIn(node).join('')}`.trimEnd() : caption);
    });
    expect(lines).toEqual(blocks);
  });

  it('keeps the address of a frame as it is', () => {
    const [frame] = toDocument(markdownOf('<iframe src="//a.b/?q=%20x&amp;y=1"></iframe>'), () => undefined).nodes;
    expect(frame?.data.url).toBe('https://a.b/?q=%20x&y=1');
    expect(markdownOf('<p>a</p><iframe src="https://a.b/count" width="1" height="1"></iframe>')).toBe('a');
  });
});

describe('a page says what a browser shows', () => {
  it.each([
    ['the source of a quotation', '<blockquote><p>A</p><footer>B</footer></blockquote>', '> A\n>\n> B'],
    ['no part that a style hides', '<p style="color:red; display: none">A</p><p>B</p>', 'B'],
    [
      'lines of a title apart',
      '<details><summary><p>A</p><p>B</p></summary>C</details>',
      '<details>\n\n<summary>A B</summary>\n\nC\n\n</details>',
    ],
    ['names whole', '<p>java.lang.<wbr>String</p>', 'java.lang.String'],
    ['no links without text', '<p>a<a href="b"></a></p>', 'a'],
    ['variables and sources as it writes them', '<p><var>x</var> <cite>y</cite></p>', '_x_ _y_'],
    [
      'hints of AsciiDoc',
      '<div class="admonitionblock tip"><table><tr><td class="icon"><i class="fa icon-tip"></i></td><td class="content"><div class="title">T</div>A</td></tr></table></div>',
      '{% hint style="success" %}\n\n**T**\n\nA\n\n{% endhint %}',
    ],
    ['no links to edit a wiki', '<h2>A<span class="mw-editsection">[<a href="e">edit</a>]</span></h2>', '## A'],
  ])('%s', (_, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
  });

  it.each([
    [
      'Docusaurus',
      '<div class="tabs-container"><ul role="tablist"><li role="tab">npm</li><li role="tab">a "b"</li></ul><div><div role="tabpanel">A</div><div role="tabpanel" hidden>B</div></div></div>',
    ],
    [
      'MkDocs',
      '<div class="tabbed-set tabbed-alternate"><input type="radio"><input type="radio"><div class="tabbed-labels"><label>npm</label><label>a "b"</label></div><div class="tabbed-content"><div class="tabbed-block">A</div><div class="tabbed-block">B</div></div></div>',
    ],
    [
      'Sphinx',
      '<div class="sd-tab-set"><input type="radio"><label class="sd-tab-label">npm</label><div class="sd-tab-content">A</div><input type="radio"><label class="sd-tab-label">a "b"</label><div class="sd-tab-content">B</div></div>',
    ],
    [
      'VitePress',
      '<div class="vp-code-group"><div class="tabs"><input type="radio"><label>npm</label><input type="radio"><label>a "b"</label></div><div class="blocks"><div>A</div><div>B</div></div></div>',
    ],
  ])('tabs of %s', (_, html) => {
    expect(outlineOf(html)).toEqual([
      ...['tabs', '  tabs-item title=npm', '    paragraph', '      "A"'],
      ...['  tabs-item title=a "b"', '    paragraph', '      "B"'],
    ]);
  });

  it.each([
    [
      '<math><mi>x</mi><mo>=</mo><mfrac><mn>1</mn><mrow><mi>y</mi><mo>+</mo><mn>2</mn></mrow></mfrac></math>',
      'x = \\frac{1}{y + 2}',
    ],
    [
      '<math><msubsup><mi>x</mi><mi>i</mi><mn>10</mn></msubsup><mo>&#8801;</mo><msqrt><mi>sin</mi><mi>y</mi></msqrt></math>',
      'x_i^{10} ≡ \\sqrt{\\mathrm{sin} y}',
    ],
    [
      '<math><munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mover><mi>x</mi><mo>¯</mo></mover></math>',
      '∑_i^n \\overline{x}',
    ],
    [
      '<math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mtext>a_b</mtext></mtd></mtr></mtable></math>',
      '\\begin{matrix} 1 & 2 \\\\ \\text{a b} \\end{matrix}',
    ],
  ])('%s as TeX', (html, tex) => {
    expect(markdownOf(`<p>Is ${html}.</p>`)).toBe(`Is $$${tex}$$.`);
  });
});

describe('a page that would cost much takes time by its length only', () => {
  it.each<[string, (size: number) => string, number]>([
    [
      'long classes',
      (size) => `<div class="${'a '.repeat(size)}"><p class="${'language- '.repeat(size)}">x</p></div>`,
      10_000,
    ],
    [
      'long styles',
      (size) => `<p style="${'display: '.repeat(size)}">x</p><td style="${';text-align: '.repeat(size)}">`,
      10_000,
    ],
    [
      'long lists of images',
      (size) => `<img srcset="${'a,'.repeat(size)}"><img srcset="${'a 1x, '.repeat(size)}">`,
      10_000,
    ],
    // Each has four levels, and the largest of the sizes that are measured must stay within the 500 that a page may have.
    ['tables in tables', (size) => `${'<table><tr><td>'.repeat(size)}${'<p>x</p>'.repeat(500)}`, 6],
    ['tabs in tabs', (size) => `${'<div><div role="tablist"></div>'.repeat(size)}${'<p>x</p>'.repeat(500)}`, 50],
    ['lists in lists', (size) => `${'<ul>'.repeat(size)}${'<li>x</li>'.repeat(500)}`, 50],
    ['elements in code', (size) => `<pre>${'<span class="line">x</span>'.repeat(size)}</pre>`, 2000],
    ['formulas', (size) => `<math>${'<msup>'.repeat(size)}${'<mi>x</mi>'.repeat(500)}</math>`, 50],
  ])('%s', (_, html, size) => expectLinear((times) => markdownOf(html(times)), size));
});
