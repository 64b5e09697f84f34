import { expectLinear } from '../../../../../../shared/testing/processor-time.js';
import { InlineImages } from '../../inline-images.js';
import { readHtmlPage } from '../html-page.js';

const markdownOf = (html: string) => readHtmlPage(html, new InlineImages(10)).markdown.trim();

const katex = (tex: string) =>
  `<span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>E</mi></mrow><annotation encoding="application/x-tex">${tex}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span class="base"><span class="mord">E</span></span></span></span>`;

describe('a formula', () => {
  it.each([
    ['KaTeX in a line', `<p>Here ${katex('a_1 &lt; b^2')} is.</p>`, 'Here $$a_1 < b^2$$ is.'],
    ['KaTeX', `<p><span class="katex-display">${katex('\\int_0^1 x')}</span></p>`, '$$\\int_0^1 x$$'],
    [
      'Notion in a line',
      `<p>Is <style>@import url('https://cdnjs.cloudflare.com/ajax/libs/KaTeX/0.13.2/katex.min.css')</style><span data-token-index="0" contenteditable="false" class="notion-text-equation-token"><span></span><span>${katex('E=mc^2')}</span><span>﻿</span></span> true</p>`,
      'Is $$E=mc^2$$ true',
    ],
    [
      'Notion',
      `<p>A</p><figure id="x" class="equation"><style>@import url('x')</style><div class="equation-container"><span class="katex-display">${katex('x \\\\\n y')}</span></div></figure><p>B</p>`,
      'A\n\n$$\nx \\\\\n y\n$$\n\nB',
    ],
    [
      'Sphinx',
      '<p>With <span class="math notranslate nohighlight">\\(Q = a \\cdot (E - F)\\)</span>,</p><div class="math notranslate nohighlight" id="equation-e">\n<span class="eqno">(1)<a class="headerlink" href="#equation-e">¶</a></span>\\[\\begin{split}a &amp;= b \\\\\nc\\end{split}\\]</div>',
      'With $$Q = a \\cdot (E - F)$$,\n\n$$\n\\begin{split}a &= b \\\\\nc\\end{split}\n$$',
    ],
    ['Sphinx as images', '<p>If <img class="math" src="_images/math/1.png" alt="x_1"/> is</p>', 'If $$x_1$$ is'],
    [
      'MathJax before it is drawn',
      '<p>Time <script type="math/tex">O(n)</script> and</p><script type="math/tex; mode=display">% <![CDATA[\nx < y %]]></script>',
      'Time $$O(n)$$ and\n\n$$\nx < y\n$$',
    ],
    [
      'MathJax after it is drawn',
      '<p>Time <span class="MathJax_Preview">[x]</span><span class="MathJax" id="MathJax-Element-1-Frame"><nobr><span class="mi">n</span></nobr></span><script type="math/tex" id="MathJax-Element-1">n^2</script>.</p>',
      'Time $$n^2$$.',
    ],
    [
      'MathJax in the text',
      '<script src="https://cdn.jsdelivr.net/npm/mathjax@3/es5/tex-mml-chtml.js"></script><p>Is \\(a\\) or $$b$$.</p>\\[c\\]<pre><code>\\(no\\)</code></pre>',
      'Is $$a$$ or $$b$$.\n\n$$\nc\n$$\n\n```\n\\(no\\)\n```',
    ],
    [
      'MathJax 4',
      '<p><mjx-container class="MathJax" jax="CHTML"><mjx-math data-latex="x^2"><mjx-mi>x</mjx-mi></mjx-math></mjx-container></p>',
      '$$x^2$$',
    ],
    [
      'pandoc',
      '<p>Is <span class="math inline">x^2</span> <span class="math display">\\[y\\]</span></p>',
      'Is $$x^2$$ $$y$$',
    ],
    [
      'MkDocs',
      '<p>Is <span class="arithmatex">\\(x\\)</span></p><div class="arithmatex">\\[y\\]</div>',
      'Is $$x$$\n\n$$\ny\n$$',
    ],
    [
      'a table',
      `<table><tr><th>F</th></tr><tr><td>${katex('|x| + \\|y\\|')}</td></tr></table>`,
      '| F |\n| - |\n| $$\\vert x\\vert  + \\Vert y\\Vert $$ |',
    ],
    ['hostile hands', `<p>${katex('a $$$ {% include "x" %}')}</p>`, '$$a $ $ $ { % include "x" %}$$'],
    ['a list', `<ul><li>One<figure class="equation">${katex('x')}</figure></li></ul>`, '* One\n\n  $$\n  x\n  $$'],
    ['no script that draws it', '<p>f\\(a\\) costs $$</p>', 'f\\\\(a\\\\) costs \\$$'],
  ])('of %s', (_, html, markdown) => {
    expect(markdownOf(`<html><body><main>${html}</main></body></html>`)).toBe(markdown);
  });

  it('is part of a title', () => {
    expect(readHtmlPage(`<main><h1>On ${katex('x^2')}</h1><p>Text</p></main>`, new InlineImages(10)).title).toBe(
      'On x^2',
    );
  });

  it.each(['\\(', '\\[', '$$', '\\( \\[ '])(
    'takes time by the length of the page only where it is nothing but %j',
    (part) =>
      expectLinear((size) => markdownOf(`<script src="mathjax.js"></script><main>${part.repeat(size)}</main>`), 2500),
  );
});
