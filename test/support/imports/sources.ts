import { readFileSync } from 'node:fs';
import { type Answer, Web } from './web.js';
import { zipOf } from './zip.js';

const fixture = (name: string) => readFileSync(new URL(`./files/${name}`, import.meta.url));

/** A PNG of 24 by 16 pixels. */
export const png = fixture('dot.png');

/** What every kind of source says in its own words: a heading, lists, a table, code, an image and a link. */
export const htmlBody = `<h1>Guide</h1>
<p>Text with <strong>bold</strong>, <em>italic</em>, <code>code</code> and a <a href="https://example.com/a">link</a>.</p>
<h2>Lists</h2><ul><li>One<ul><li>Nested</li></ul></li><li><input type="checkbox" checked> Done</li></ul><ol><li>First</li><li>Second</li></ol>
<pre><code class="language-python">def hello():
    print("hi")
</code></pre>
<table><thead><tr><th>Name</th><th>Count</th></tr></thead><tbody><tr><td>Ada</td><td>3</td></tr></tbody></table>
<figure><img src="img/dot.png" alt="A dot"><figcaption>Caption</figcaption></figure>`;

export const markdownBody = `# Guide

Text with **bold**, *italic*, \`code\` and a [link](https://example.com/a).

## Lists

- One
  - Nested
- [x] Done

1. First
2. Second

\`\`\`python
def hello():
    print("hi")
\`\`\`

| Name | Count |
| ---- | ----- |
| Ada  | 3     |

![A dot](img/dot.png)
`;

const page = (body: string, head = '') =>
  `<!doctype html><html><head><title>Page | Site</title>${head}<style>p{color:red}</style></head><body>
<header><a href="/">Site</a></header><nav><a href="/docs/">Home</a> <a href="/docs/guide/">Guide</a></nav>
<main>${body}</main><footer>Imprint</footer><script>alert(1)</script></body></html>`;

/** A website of 20 pages: a home page, three guides with five pages each, and a page that only one of them links to. */
function website(): Record<string, Answer> {
  const pages: Record<string, string> = {
    '/docs/guide/': page(htmlBody.replaceAll('img/dot.png', '/img/dot.png')),
  };
  const guides = ['guide', 'tasks', 'reference'];
  for (const [at, guide] of guides.entries()) {
    const links = [1, 2, 3, 4, 5].map((n) => `<li><a href="page-${n}/">Page ${n}</a></li>`).join('');
    pages[`/docs/${guide}/`] ??= page(`<h1>${guide}</h1><ul>${links}</ul>`);
    if (guide === 'guide') pages['/docs/guide/'] += `<ul>${links}</ul>`;
    for (const n of [1, 2, 3, 4, 5])
      pages[`/docs/${guide}/page-${n}/`] = page(
        `<h1>${guide} ${n}</h1><p>See <a href="../page-${(n % 5) + 1}/#lists">the next</a> and <a href="../../guide#lists">lists</a>.</p>` +
          (at === 2 && n === 5 ? '<p><a href="/docs/last.html">Last</a></p>' : ''),
        `<link rel="canonical" href="/docs/${guide}/page-${n}">`,
      );
  }
  pages['/docs/last.html'] = page('<h1>Last</h1><p><a href="missing/">Missing</a> <a href="/img/a.pdf">PDF</a></p>');
  const home = ['guide', 'guide/index.html', 'guide#lists', 'guide?utm_source=x', 'tasks/', 'reference', 'secret/']
    .map((link) => `<a href="${link}">x</a>`)
    .join(' ');
  pages['/docs/'] = page(
    `<h1>Home</h1><p>${home} <a href="/blog/">Blog</a> <a href="https://example.com/">Away</a></p>`,
  );
  pages['/docs/secret/'] = page('<h1>Secret</h1>');
  pages['/blog/'] = page('<h1>Blog</h1>');
  const moved = Object.keys(pages).map((path): [string, Answer] => [
    path.replace(/\/$/, ''),
    (_, response) => response.writeHead(301, { location: path }).end(),
  ]);
  return { ...Object.fromEntries(moved), ...pages };
}

const id = (digit: string) => digit.repeat(32);

/** Sources of every kind, by their paths on a web server. */
export const sources = (): Web =>
  new Web({
    ...website(),
    '/robots.txt': 'User-agent: *\nDisallow: /docs/secret\n',
    '/img/dot.png': png,
    '/img/a.pdf': ['application/pdf', '%PDF-1.4'],
    '/slow/': page('<h1>Slow</h1><a href="a">a</a>'),
    // It never answers.
    '/slow/a': () => undefined,
    '/page.html': page(`${htmlBody}<p><img src="data:image/png;base64,${png.toString('base64')}" alt="Inline"></p>
<div class="admonition tip"><p class="admonition-title">Tip</p><p>Careful</p></div><details><summary>More</summary><p>Hidden</p></details>
<p>{% hint %} and <a href="other.html">other</a> <img src="gone.png" alt="Gone"></p>`),
    '/latin.html': ['text/html; charset=iso-8859-1', Buffer.from('<h1>Caf\xe9</h1><p>na\xefve</p>', 'latin1')],
    '/wide.html': ['text/html', Buffer.from('\ufeff<h1>Größe</h1><p>weit</p>', 'utf16le')],
    '/guide.md': markdownBody,
    '/latin.md': ['text/plain; charset=windows-1252', Buffer.from('# \x80uro\n', 'latin1')],
    '/pandoc.docx': fixture('pandoc.docx'),
    '/libreoffice.docx': fixture('libreoffice.docx'),
    '/docusaurus.zip': fixture('docusaurus.zip'),
    '/summary.zip': zipOf({
      'docs/SUMMARY.md':
        '# Table of contents\n\n* [Welcome](README.md)\n\n## Part\n\n* [Short name](guide/guide.md)\n  * [B](b.md)\n',
      'docs/README.md': '# Home\n\n[guide](guide/guide.md#lists) [b](b.md) [none](none.md)\n',
      'docs/guide/guide.md': markdownBody,
      'docs/guide/img/dot.png': png,
      'docs/b.md': '---\ndescription: About B\n---\n\n# B\n',
      'docs/unlisted.md': '# Unlisted\n',
    }),
    '/covers.zip': zipOf({
      'docs/a/page.md': '---\ncover: ../../img/dot.png\nsocial:\n  image: gone.png\n---\n\n# A\n',
      'img/dot.png': png,
      'img/unused.png': png,
    }),
    '/html.zip': zipOf({
      'site/index.html': page('<h1>Start</h1><p><a href="part/guide.html">guide</a></p>'),
      'site/part/guide.html': page(htmlBody),
      'site/part/img/dot.png': png,
      'site/404.html': page('<h1>Not found</h1>'),
    }),
    '/book.zip': zipOf({
      'book.toml': '[book]\ntitle = "Book"\n',
      'src/SUMMARY.md':
        '# Summary\n\n[Introduction](intro.md)\n\n# First part\n\n- [Guide](guide.md)\n  - [Deep](deep.md)\n- [Draft]()\n',
      'src/intro.md': '# Introduction\n\nSee [guide](guide.html).\n',
      'src/guide.md': `${markdownBody}\n\`\`\`rust\n{{#include ../code.rs:main}}\n\`\`\`\n`,
      'src/deep.md': '# Deep\n',
      'src/img/dot.png': png,
      'code.rs': '// ANCHOR: main\nfn main() {}\n// ANCHOR_END: main\nfn hidden() {}\n',
    }),
    '/confluence.zip': zipOf({
      'DS/index.html':
        '<h2>Available Pages:</h2><ul><li><a href="1.html">Space home</a><ul><li><a href="2.html">Guide</a></li></ul></li></ul>',
      'DS/1.html':
        '<title>DS : Space home</title><h1 id="title-heading"><span id="title-text">DS : Space home</span></h1><div id="main-content"><p><a href="2.html">g</a></p><div class="confluence-information-macro confluence-information-macro-warning"><div class="confluence-information-macro-body"><p>Hot</p></div></div></div>',
      'DS/2.html': `<title>DS : Guide</title><div id="main-content">${htmlBody.replace('<h1>Guide</h1>', '').replace('img/dot.png', 'attachments/2/3.png')}</div>`,
      'DS/attachments/2/3.png': png,
    }),
    '/notion.zip': zipOf({
      'Export-1-Part-1.zip': zipOf({
        [`Guide ${id('a')}.md`]: `${markdownBody.replace('img/dot.png', `Guide%20${id('a')}/dot.png`)}\n[Sub](Guide%20${id('a')}/Sub%20${id('b')}.md)\n`,
        [`Guide ${id('a')}/dot.png`]: png,
        [`Guide ${id('a')}/Sub ${id('b')}.md`]: '# Sub\n',
        [`Guide ${id('a')}/Tasks ${id('c')}.csv`]: 'Name,Done\nWrite,Yes\n"a|b",No\n',
        [`Guide ${id('a')}/Tasks ${id('c')}_all.csv`]: 'Name,Done\nWrite,Yes\n',
      }),
    }),
  });
