import { readHtml } from '../testing/html-facts.js';
import { documentOf, htmlOf } from '../testing/rendered-source.js';
import { type DrawDiagram, hasDiagrams, loadDiagrams } from './drawing.js';

let drawDiagram: DrawDiagram;
beforeAll(async () => {
  drawDiagram = await loadDiagrams();
});

const drawn = (source: string, draw = drawDiagram) => htmlOf(`\`\`\`mermaid\n${source}\n\`\`\``, { drawDiagram: draw });

it.each([
  ['flowchart', 'flowchart LR\n  A[Write] --> B{Good?}'],
  ['sequence', 'sequenceDiagram\n  Write->>Bob: Hello'],
  ['classes', 'classDiagram\n  Write <|-- B'],
  ['entities', 'erDiagram\n  Write ||--o{ B : has'],
  ['states', 'stateDiagram-v2\n  [*] --> Write'],
])('draws a diagram in the colors of the theme: %s', (_, source) => {
  const html = drawn(source);
  expect(html).toMatch(
    /^<figure class="diagram" data-language="mermaid"><div class="drawing" tabindex="0"><svg [^>]*role="img" aria-label="⟦wdiagram⟧">/,
  );
  expect(html).toContain('>Write</text>');
  expect(html).toContain('var(--_');
  expect(html).not.toMatch(/<style|@import|googleapis| style=|foreignObject/);
  expect(html).toContain('<details class="diagram-source">');
});

it('gives each drawing ids of its own', () => {
  const source = '```mermaid\ngraph TD\n  A --> B\n```\n\n';
  const html = htmlOf(source + source, { drawDiagram });
  const { ids } = readHtml(html);
  expect(ids.length).toBeGreaterThan(1);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, id] of html.matchAll(/url\(#([^)]*)\)/g)) expect(ids).toContain(id);
});

it('shows the source of other kinds, of broken and of too large diagrams, and of all where nothing draws', () => {
  const large = `graph TD\n${'A --> B\n'.repeat(160)}`;
  const crossed = `graph TD\nA${' & A'.repeat(40)} --> B${' & B'.repeat(40)}`;
  for (const source of ['pie\n  "a": 1', 'nonsense', large, crossed, 'x'.repeat(10_001)])
    expect(drawn(source)).toMatch(/^<figure class="code"/);
  expect(htmlOf('```mermaid\ngraph TD\n  A --> B\n```')).toContain('A --> B');
});

it('takes of a drawing only shapes and texts', () => {
  const evil = () =>
    '<svg onload="alert(1)" viewBox="0 0 1 1"><script>alert(1)</script><foreignObject><p>x</p></foreignObject><image href="https://x.example"/>' +
    '<a href="javascript:alert(1)"><text>in a link</text></a><rect fill="url(https://x.example)" style="color:red" onclick="a()" width="1"/><text fill="#fff">kept</text></svg>';
  const html = drawn('graph TD\n  A', evil);
  expect(html).toContain(
    '<svg viewBox="0 0 1 1" role="img" aria-label="⟦wdiagram⟧"><rect width="1"></rect><text>kept</text></svg>',
  );
  expect(readHtml(html).forbidden).toEqual([]);
});

it('finds the diagrams of a document', () => {
  expect(hasDiagrams(documentOf('x\n\n{% hint %}\n```mermaid\ngraph TD\n```\n{% endhint %}'))).toBe(true);
  expect(hasDiagrams(documentOf('```js\nmermaid\n```'))).toBe(false);
});
