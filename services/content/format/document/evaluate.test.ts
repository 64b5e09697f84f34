import { expectLinear } from '../../../../shared/testing/processor-time.js';
import { toDocument } from './document.js';
import { type Expressions, evaluateDocument, evaluateSource, needsEvaluation } from './evaluate.js';
import { plainText } from './plain-text.js';

const expressions: Expressions = {
  holds: (expression) => expression === 'yes',
  print: (expression) => (expression === 'name' ? 'Ada *Lovelace* <b>' : ''),
};
const documentOf = (source: string) => toDocument(source, () => undefined);
const shownOf = (source: string) => plainText(evaluateDocument(documentOf(source), expressions).nodes);

const page = `# Title

Before.

{% if yes %}
Shown to some.

{% if no %}
Inner secret.
{% endif %}
{% endif %}

{% if no %}
Secret, with a [link](a.md).

\`\`\`
{% endif %}
\`\`\`

* and a list
{% endif %}

Hello <code class="expression">name</code>, after.
`;

describe('an evaluated document', () => {
  it('opens `if` blocks that hold, leaves out the others and prints expressions', () => {
    expect(shownOf(page)).toBe('Before.\nShown to some.\nHello Ada *Lovelace* <b>, after.');
  });

  it('does not change its input', () => {
    const document = documentOf(page);
    const before = JSON.stringify(document);
    evaluateDocument(document, expressions);
    expect(JSON.stringify(document)).toBe(before);
  });

  it.each([
    ['{% hint style="info" %}\n{% if no %}\nSecret\n{% endif %}\n{% endhint %}\n'],
    ['<details><summary>More</summary>\n\n{% if no %}\nSecret\n{% endif %}\n\n</details>\n'],
    ['{% tabs %}\n{% tab title="A" %}\n{% if no %}\nSecret\n{% endif %}\n{% endtab %}\n{% endtabs %}\n'],
  ])('evaluates inside blocks that contain blocks, and leaves a block there: %j', (source) => {
    const { nodes } = evaluateDocument(documentOf(source), expressions);
    const text = JSON.stringify(nodes);
    expect(text).not.toContain('Secret');
    expect(text).not.toContain('"nodes":[]');
    expect(needsEvaluation(nodes)).toBe(false);
  });

  it('is only what has something to evaluate', () => {
    expect(needsEvaluation(documentOf(page).nodes)).toBe(true);
    expect(needsEvaluation(documentOf('# A\n\n`{% if no %}`\n\n```\n{% if no %}\n```\n').nodes)).toBe(false);
  });
});

describe('an evaluated source', () => {
  it('is the markdown as written, without the parts that the reader may not see', () => {
    const shown = evaluateSource(page, expressions);
    expect(shown).toContain('Shown to some.');
    expect(shown).toContain('Hello Ada \\*Lovelace\\* \\<b\\>, after.');
    expect(shown).not.toMatch(/ecret|\{% (end)?if/);
    expect(plainText(documentOf(shown).nodes)).toBe(shownOf(page));
  });

  it('keeps a page without conditions byte for byte', () => {
    const source = '# A\n\n{% hint style="info" %}\nB\n{% endhint %}\n\n```\n{% if no %}\n```\n';
    expect(evaluateSource(source, expressions)).toBe(source);
  });

  it.each([
    ['an end in a quote', '{% if no %}\n\n> {% endif %}\n\nSecret\n\n{% endif %}\n'],
    ['a fence in a list', '* a\n\n  ```\n  {% if yes %}\n  ```\n\n{% if no %}\nSecret\n{% endif %}\n'],
    ['a fence that is not closed', '{% if no %}\n```\nSecret\n{% endif %}\n'],
    ['a tag over two lines', '{% if\nno %}\nSecret\n{% endif %}\n'],
    ['tags on one line', 'Text {% if no %} Secret {% endif %}\n\n{% if no %}Secret{% endif %}\n'],
    ['indented code', '    {% if yes %}\n\n{% if no %}\nSecret\n{% endif %}\n'],
    ['a comment', '<!-- {% endif %} -->\n{% if no %}\n<!-- {% endif %} -->\nSecret\n{% endif %}\n'],
  ])('shows no more than the evaluated document: %s', (_, source) => {
    const shown = plainText(documentOf(evaluateSource(source, expressions)).nodes).replace(/\s+/g, '');
    expect(shown).toBe(shownOf(source).replace(/\s+/g, ''));
  });

  it.each(['{% if no ', '{% if no %}', '<code class="expression">', '{%\n'])(
    'takes time by the length of the source only: of many %j',
    (part) =>
      expectLinear((count) => evaluateSource(`{% if no %}\na\n{% endif %}\n${part.repeat(count)}`, expressions), 500),
  );
});
