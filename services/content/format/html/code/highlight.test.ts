import { createRequire } from 'node:module';
import { htmlOf } from '../testing/rendered-source.js';
import { highlight } from './highlight.js';
import { knownLanguages, languageOf } from './languages.js';

const require = createRequire(import.meta.url);
const kinds = (code: string, syntax: string) => new Set(highlight(code, syntax).map(({ kind }) => kind));

it('knows languages by the names that pages give them', () => {
  const named = {
    csharp: 'csharp',
    'C#': 'csharp',
    cshtml: 'xml',
    razor: 'xml',
    liquid: 'twig',
    'shell-session': 'shell',
    url: 'http',
    yml: 'yaml',
    sh: 'bash',
    tsx: 'typescript',
    jsx: 'javascript',
    vue: 'xml',
  };
  for (const [syntax, language] of Object.entries(named)) expect(languageOf(syntax)).toBe(language);
  for (const syntax of ['', 'text', 'nonsense', '__proto__', 'constructor', 'x'.repeat(1000)])
    expect(languageOf(syntax)).toBeUndefined();
});

it('names languages that highlight.js has', () => {
  const missing = [...knownLanguages()].filter((name) => {
    try {
      return !require.resolve(`highlight.js/lib/languages/${name}`);
    } catch {
      return true;
    }
  });
  expect(missing).toEqual([]);
});

it('says what the parts of code are, and keeps every character', () => {
  const code = 'const a = "b"; // c\nlet d = 1;';
  expect(
    highlight(code, 'js')
      .map(({ text }) => text)
      .join(''),
  ).toBe(code);
  expect(kinds(code, 'js')).toEqual(new Set(['keyword', '', 'string', 'comment', 'number']));
  expect(kinds('<a href="b">c</a><script>let d</script>', 'html')).toContain('keyword');
  expect(kinds('GET /x HTTP/1.1\nContent-Type: application/json\n\n{"a": 1}', 'http')).toContain('attr');
});

it('shows the same whatever was highlighted before', () => {
  const code = 'POST / HTTP/1.1\n\nSELECT * FROM t WHERE a = 1';
  const before = highlight(code, 'http');
  highlight('SELECT 1', 'sql');
  expect(highlight(code, 'http')).toEqual(before);
});

it('keeps code plain that is long or of no known language', () => {
  expect(kinds('let a;\n'.repeat(20_000), 'js')).toEqual(new Set(['']));
  expect(kinds(`let a = "${'x'.repeat(6000)}"`, 'js')).toEqual(new Set(['']));
  expect(kinds('let a', 'nonsense')).toEqual(new Set(['']));
});

it('splits code into lines, with its title, numbers and marked lines', () => {
  expect(
    htmlOf('{% code title="a.js" lineNumbers="true" overflow="wrap" %}\n```js\nlet a\n\nb\n```\n{% endcode %}'),
  ).toBe(
    '<figure class="code wrap numbered" data-language="js"><figcaption>a.js</figcaption><pre tabindex="0"><code>' +
      '<span class="line"><span class="hl-keyword">let</span> a\n</span><span class="line">\n</span><span class="line">b\n</span></code></pre></figure>',
  );
  expect(htmlOf('<pre class="language-js"><code>let a\n<strong>let b</strong></code></pre>')).toContain(
    '<mark class="line"><span class="hl-keyword">let</span> b\n</mark>',
  );
});

it('highlights code around notes and through tokens of several lines', () => {
  const html = htmlOf(
    '<pre class="language-js"><code>let <a data-footnote-ref href="#user-content-fn-1">a</a> = 1\n/* b\nc */</code></pre>\n\n[^1]: Note',
  );
  expect(html).toContain('<span class="hl-keyword">let</span> <span class="noted">a</span><button');
  expect(html).toContain(
    '<span class="line"><span class="hl-comment">/* b</span>\n</span><span class="line"><span class="hl-comment">c */</span>\n</span>',
  );
});

it('folds long code that may be folded, without a script', () => {
  const code = (lines: number) =>
    htmlOf(`{% code expandable="true" %}\n\`\`\`\n${'x\n'.repeat(lines)}\`\`\`\n{% endcode %}`);
  expect(code(11)).toMatch(
    /^<figure class="code collapsible"><input type="checkbox" class="code-toggle" id="code:1"\/>.*<label class="code-more" for="code:1">/s,
  );
  expect(code(10)).not.toContain('code-toggle');
});
