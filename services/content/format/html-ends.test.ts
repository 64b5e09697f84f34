import { describe, expect, it } from '@jest/globals';
import { documentOutline, htmlOutline } from './testing/outline.js';

const rest = '\n\n## After';

describe('an element of HTML with blank lines in it', () => {
  it.each([
    ['code', '<div><pre><code>a\n\n# b\n\n    c</code></pre></div>', '<pre><code>a\n\n# b\n\n    c</code></pre>'],
    [
      'code of two blocks',
      '<div><pre>a\n\nb</pre><p>c</p>\n\nd</div>',
      '<pre><code>a\n\nb</code></pre><p>c</p><p>d</p>',
    ],
  ])('ends where it is closed: %s', (_name, source, html) => {
    expect(documentOutline(source + rest)).toBe(htmlOutline(`${html}<h2>After</h2>`));
  });
});
