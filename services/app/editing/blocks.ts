import type { EditorBlock } from '../sources/editor-setup.js';
import type { Words } from '../words/words.js';

/** The name of a block with its text; what stands between `‹` and `›` is selected, to be typed over. */
const templates: readonly [name: string, text: string, keywords?: string][] = [
  ['heading', '## ‹›', 'h2 title'],
  ['subheading', '### ‹›', 'h3 title'],
  ['list', '* ‹›', 'ul bullets'],
  ['numbers', '1. ‹›', 'ol ordered'],
  ['tasks', '* [ ] ‹›', 'todo checkbox'],
  ['quote', '> ‹›', 'blockquote'],
  ['divider', '***\n‹›', 'hr rule line'],
  ['code', '```‹js›\n\n```', 'fence snippet'],
  ['codeTitle', '{% code title="‹name.js›" lineNumbers="true" %}\n```js\n\n```\n{% endcode %}', 'fence file'],
  ['info', '{% hint style="info" %}\n‹…›\n{% endhint %}', 'hint callout note admonition'],
  ['success', '{% hint style="success" %}\n‹…›\n{% endhint %}', 'callout tip'],
  ['warning', '{% hint style="warning" %}\n‹…›\n{% endhint %}', 'callout caution'],
  ['danger', '{% hint style="danger" %}\n‹…›\n{% endhint %}', 'callout error'],
  [
    'tabs',
    '{% tabs %}\n{% tab title="‹1›" %}\n…\n{% endtab %}\n\n{% tab title="2" %}\n…\n{% endtab %}\n{% endtabs %}',
    'tab',
  ],
  [
    'stepper',
    '{% stepper %}\n{% step %}\n### ‹1›\n\n…\n{% endstep %}\n\n{% step %}\n### 2\n\n…\n{% endstep %}\n{% endstepper %}',
    'step guide',
  ],
  [
    'columns',
    '{% columns %}\n{% column %}\n‹…›\n{% endcolumn %}\n\n{% column %}\n…\n{% endcolumn %}\n{% endcolumns %}',
    'layout',
  ],
  ['expandable', '<details>\n\n<summary>‹…›</summary>\n\n…\n\n</details>', 'details toggle accordion'],
  ['table', '| ‹A› | B |\n| --- | --- |\n|  |  |', 'grid'],
  [
    'cards',
    '<table data-view="cards">\n<thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead>\n<tbody><tr><td><strong>‹…›</strong></td><td><a href="">…</a></td></tr></tbody>\n</table>',
    'grid table',
  ],
  ['image', '<figure><img src="‹›" alt=""><figcaption></figcaption></figure>', 'picture figure'],
  ['file', '{% file src="‹›" %}', 'attachment download'],
  ['embed', '{% embed url="‹https://›" %}', 'video youtube frame'],
  ['page', '{% content-ref url="‹›" %}\n{% endcontent-ref %}', 'content-ref card reference'],
  ['button', '<a href="‹›" class="button primary">…</a>', 'link call'],
  ['reusable', '{% include "‹.gitbook/includes/›" %}', 'include snippet'],
  ['math', '$$\n‹›\n$$', 'tex latex katex'],
  ['diagram', '```mermaid\n‹graph LR›\n  a --> b\n```', 'mermaid chart flow'],
  [
    'operation',
    '{% openapi-operation spec="‹›" path="/" method="get" %}\n{% endopenapi-operation %}',
    'openapi swagger endpoint',
  ],
  [
    'schemas',
    '{% openapi-schemas spec="‹›" schemas="" grouped="true" %}\n{% endopenapi-schemas %}',
    'openapi swagger models',
  ],
  ['webhook', '{% openapi-webhook spec="‹›" name="" method="post" %}\n{% endopenapi-webhook %}', 'openapi swagger'],
  [
    'updates',
    '{% updates %}\n{% update date="‹2026-01-31›" %}\n## …\n{% endupdate %}\n{% endupdates %}',
    'changelog release',
  ],
  ['prompt', '{% prompt description="‹…›" %}\n…\n{% endprompt %}', 'ai assistant'],
  ['condition', '{% if ‹visitor.claims.plan == "pro"› %}\n…\n{% endif %}', 'if adaptive visitor'],
  ['expression', '<code class="expression">‹space.vars.name›</code>', 'variable value'],
  ['footnote', '[^‹1›]\n\n[^1]: …', 'note annotation'],
];

/** The blocks of pages with the words of a language. */
export const blocksOf = ({ blocks }: Pick<Words, 'blocks'>): EditorBlock[] =>
  templates.map(([name, template, keywords = '']) => {
    const [before = '', selected = '', after = ''] = template.split(/[‹›]/);
    return {
      name,
      label: blocks[name as keyof typeof blocks],
      about: blocks[`${name}About` as keyof typeof blocks],
      keywords,
      text: before + selected + after,
      select: [before.length, before.length + selected.length],
    };
  });
