import { textsToTranslate, translatePage } from './page-translation.js';

/** Words in capitals; marks and everything else as they are. */
const translated = (text: string) =>
  text.replace(/(⟦\d+⟧)|[^⟦]+/g, (part, mark?: string) => mark ?? part.toUpperCase());
const translate = (source: string, by: (text: string) => string = translated) =>
  translatePage({ source, texts: new Map(textsToTranslate({ source }).map((text) => [text, by(text)])) });

const page = `---
description: About it
icon: star
vars:
  a: b
---

# The title

Text with \`code\`, **bold**, a [link](other.md#part "Title") and ![image](a.png) {{ space.vars.a }}
on two lines &amp; https://example.com/path.

## A part

* one \`a_b\`
  * two [ref][x]
1. three
- [ ] four

| Head | Other |
| ---- | :---: |
| cell | \`x\` |

{% hint style="info" %}
Be careful[^1].
{% endhint %}

{% tabs %}
{% tab title="Install" %}
\`\`\`sh
npm install # keep
\`\`\`
{% endtab %}
{% endtabs %}

<table><thead><tr><th>Name</th></tr></thead><tbody><tr><td>some <em>text</em></td></tr></tbody></table>

> quoted
> text

\`\`\`js
const kept = true;
\`\`\`

$$
x = y
$$

[^1]: A note.

[x]: https://example.com/x
`;

describe('the translation of a page', () => {
  it('changes words, and nothing else', () => {
    expect(translate(page)).toEqual({
      kept: 0,
      source: `---
description: ABOUT IT
icon: star
vars:
  a: b
---

# THE TITLE

TEXT WITH \`code\`, **BOLD**, A [LINK](other.md#part "Title") AND ![IMAGE](a.png) {{ space.vars.a }}
ON TWO LINES &amp; https://example.com/path.

## A PART <a href="#a-part" id="a-part"></a>

* ONE \`a_b\`
  * TWO [REF][x]
1. THREE
- [ ] FOUR

| HEAD | OTHER |
| ---- | :---: |
| CELL | \`x\` |

{% hint style="info" %}
BE CAREFUL[^1].
{% endhint %}

{% tabs %}
{% tab title="INSTALL" %}
\`\`\`sh
npm install # keep
\`\`\`
{% endtab %}
{% endtabs %}

<table><thead><tr><th>NAME</th></tr></thead><tbody><tr><td>SOME <em>TEXT</em></td></tr></tbody></table>

> QUOTED
> TEXT

\`\`\`js
const kept = true;
\`\`\`

$$
x = y
$$

[^1]: A NOTE.

[x]: https://example.com/x
`,
    });
  });

  it('is the page itself where nothing is translated', () => {
    expect(translatePage({ source: page, texts: new Map() }).source).toBe(page);
    expect(translate(page, (text) => text)).toEqual({ kept: 0, source: page });
  });

  it.each([
    ['loses a mark', 'Run `it` now.\n', () => 'Los.'],
    ['has a mark twice', 'Run `it` now.\n', () => '⟦0⟧ ⟦0⟧'],
    ['makes marks up', 'Run it now.\n', () => 'Los ⟦0⟧ ⟦7⟧'],
    ['has an image', 'Run it now.\n', () => '![x](https://evil.example/)'],
    ['has a link', 'Run it now.\n', () => 'Los [x](https://evil.example/)'],
    ['has an address', 'Run it now.\n', () => 'Los https://evil.example/'],
    ['has HTML', 'Run it now.\n', () => '<img src="https://evil.example/">'],
    ['has a block', 'Run it now.\n', () => '{% include "other.md" %}'],
    ['has a heading', 'Run it now.\n', () => '# Los'],
    ['has a list', 'Run\nit now.\n', () => 'Los:\n\n* a\n* b'],
    ['has an expression', 'Run it now.\n', () => 'Los {{ visitor.claims.x }}'],
    ['ends its cell', '| a | b |\n| - | - |\n| Run | it |\n', (text: string) => `${text} | x`],
    [
      'ends its tag',
      '{% tabs %}\n{% tab title="Run" %}\nx\n{% endtab %}\n{% endtabs %}\n',
      (text: string) => `${text}" %}{% include "x`,
    ],
    ['is empty', 'Run it now.\n', () => ''],
  ])('keeps a text whose translation %s', (_, source, by) => {
    const made = translate(source, by);
    expect(made.source.replace(/title="[^"]*"/, 'title="Run"')).toBe(source.replace(/title="[^"]*"/, 'title="Run"'));
  });

  it('takes a page of any length', () => {
    const long = page.repeat(50).replaceAll('---\ndescription: About it\nicon: star\nvars:\n  a: b\n---\n', '');
    expect(translate(long).kept).toBe(0);
  });
});
