import { htmlOf } from '../testing/rendered-source.js';

it('shows formulas as MathML, in a line and as a block', () => {
  expect(htmlOf('a $$x^2$$ b')).toMatch(
    /^<p>a <span class="formula"><math [^>]*><semantics>.*<msup>.*<\/math><\/span> b<\/p>$/,
  );
  expect(htmlOf('$$\nx^2\n$$')).toMatch(
    /^<div class="math" tabindex="0"><span class="formula"><math [^>]*display="block"/,
  );
});

it('shows a broken formula as it was written', () => {
  expect(htmlOf('a $$\\frac{1$$ b')).toBe('<p>a <code class="formula">\\frac{1</code> b</p>');
});

it('follows no address and draws nothing without bounds', () => {
  expect(htmlOf('$$\n\\href{javascript:alert(1)}{x}\n$$')).not.toContain('href=');
  expect(htmlOf('$$\n\\includegraphics{https://x.example/a.png}\n$$')).not.toContain('src=');
  expect(htmlOf('$$\n\\def\\a{\\a\\a}\\a\n$$')).toContain('<code class="formula">');
  expect(htmlOf('$$\n\\rule{9999em}{9999em}\n$$')).not.toContain('9999em"');
});

it('shows formulas as written beyond what a page may have', () => {
  expect(htmlOf(`$$\n${'x'.repeat(10_001)}\n$$`)).toContain('<code class="formula">');
});
