import fc from 'fast-check';
import type { AnyNode, JSONDocument } from '../document/document-model.js';
import { childNodesOf } from '../document/document-model.js';
import { randomDocument } from '../texts/testing/random-documents.js';
import { renderBody } from './render-body.js';
import { readHtml } from './testing/html-facts.js';
import { documentOf, surroundings } from './testing/rendered-source.js';

/** Every text of a document, found without the renderer. */
function textsOf(node: AnyNode): string[] {
  if (node.object === 'text') return node.leaves.map(({ text }) => text);
  const data = node.object === 'fragment' ? {} : (node.data ?? {});
  const own = [data.title, data.label, data.formula].filter((value) => typeof value === 'string');
  const columns = (data.definition ?? {}) as Record<string, { title: string }>;
  const titles = Object.values(columns).map(({ title }) => title);
  // Cells of columns that a table has not are nowhere.
  const isShown = (child: AnyNode) =>
    child.object !== 'fragment' || child.type !== 'table-cell' || columns[child.fragment.split('.')[1] ?? ''];
  return [...own, ...titles, ...childNodesOf(node).filter(isShown).flatMap(textsOf)];
}

const withoutSpace = (text: string) => text.replace(/\s+/g, '');

function missingTexts(document: JSONDocument): string[] {
  const { html } = renderBody(document, surroundings);
  const { text, forbidden } = readHtml(html);
  const missing = document.nodes.flatMap(textsOf).filter((each) => !text.includes(withoutSpace(each)));
  return [...missing, ...forbidden];
}

it('shows every text of any document', () => {
  fc.assert(
    fc.property(randomDocument, (document) => {
      expect(missingTexts(document as unknown as JSONDocument)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

const sources = [
  '## H\n\nText **b** `c` $$x$$ [l](a.md) [g](gone.md) :tada:[^1]\n\n[^1]: Note *n*',
  '{% tabs %}\n{% tab title="Tab one" %}\n```js\nconst a = `b`; // <c>\n```\n{% endtab %}\n{% endtabs %}',
  '{% code title="a.ts" expandable="true" lineNumbers="true" %}\n```ts\na<b>()\n\n"x"\n```\n{% endcode %}',
  '<pre class="language-js"><code>a <a data-footnote-ref href="#user-content-fn-1">b</a> c\n<strong>d &lt; e\n</strong>f</code></pre>\n\n[^1]: Of b',
  '| A | B |\n|---|:-:|\n| *c* | d `e` |',
  '<table data-view="cards"><thead><tr><th>Col</th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>Card <b>text</b></td><td><a href="a.md">a</a></td></tr></tbody></table>',
  '<table><thead><tr><th data-header-hidden>Hidden</th></tr></thead><tbody><tr><td><p>one</p><ul><li>two</li></ul></td></tr></tbody></table>',
  '<figure><img src="a.png" alt="Alt text"><figcaption><p>Cap <em>tion</em></p></figcaption></figure>',
  '{% stepper %}\n{% step %}\n### S\n\nin it\n{% endstep %}\n{% endstepper %}\n\n{% embed url="https://x.example" %}\nUnder it\n{% endembed %}',
  '{% updates %}\n{% update date="2026-01-01" tags="new" %}\nIn update\n{% endupdate %}\n{% endupdates %}\n\n{% prompt description="D" %}\nP\n{% endprompt %}',
  '```mermaid\ngraph TD\n  A[One] --> B\n```\n\n```unknown-language\nx <y>\n```',
];

it.each(sources)('shows every text of a page: %s', (source) => {
  expect(missingTexts(documentOf(source))).toEqual([]);
});
