import { markdownHtml } from './markdown-html.js';

describe('a text in Markdown', () => {
  it.each([
    ['Plain text, with a comma.', '<p>Plain text, with a comma.</p>'],
    ['a **b** `c`', '<p>a <strong>b</strong> <code>c</code></p>'],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['3. a', '<ol start="3"><li>a</li></ol>'],
    ['# Title\n\ntext', '<p class="text-heading"><strong>Title</strong></p><p>text</p>'],
    ['a<br>b', '<p>a<br/>b</p>'],
    ['> [!NOTE]\n> q', '<blockquote><p>q</p></blockquote>'],
    ['> q', '<blockquote><p>q</p></blockquote>'],
    ['```\n<a>\n```', '<pre tabindex="0"><code>&lt;a></code></pre>'],
    ['', ''],
  ])('%j becomes HTML', (source, html) => {
    expect(markdownHtml(source)).toBe(html);
  });

  it('keeps its tables', () => {
    const html = markdownHtml('| a | b |\n|---|---|\n| `x` | y |');
    expect(html).toContain('<th scope="col">a</th><th scope="col">b</th>');
    expect(html).toContain('<td><code>x</code></td><td>y</td>');
  });

  it('links to other sites alone, and shows no HTML of its author', () => {
    const html = markdownHtml(
      '[a](https://a.example) [b](/b) [c](javascript:x) <script>x</script> <b onclick="x">d</b> ![e](https://e.example/e.png)',
    );
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(['https://a.example/']);
    expect(html).not.toMatch(/<script|onclick|<img/);
  });
});
