import type { CommittedFiles } from '../repository.js';
import { png, svg } from './pictures.js';

const lines = (...all: string[]): string => `${all.join('\n')}\n`;
const block = (tag: string, ...content: string[]): string =>
  lines(`{% ${tag} %}`, ...content, `{% end${tag.split(' ')[0]} %}`);

const inlines = lines(
  '## Inlines and marks',
  '',
  'Text **strong**, *emphasis*, ~~struck~~, `code`, <kbd>Ctrl</kbd>, x<sup>2</sup>, H<sub>2</sub>O, $$a^2 + b^2$$ and :tada:.',
  '',
  ['red', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink']
    .map((name) => `<mark style="color:${name};">${name}</mark> <mark style="background-color:${name};">${name}</mark>`)
    .join(' '),
  '',
  'A [link out](https://example.com/out), [a page](tabs.md), [a place](tabs.md#deep-in-rust), [here](#a-heading), [a file](.gitbook/assets/paper.pdf), [mail](mailto:help@example.com), [nothing](gone.md), a mention [tabs.md](tabs.md "mention").',
  '',
  'Noted[^1] and [noted words](#user-content-fn-2)[^2], an icon <i class="fa-book">:book:</i>, an image ![inline](.gitbook/assets/small.png) <img src=".gitbook/assets/small.png" alt="small" data-size="line"> in a line, and $$\\frac{1}{2}$$.',
  '',
  '<a href="tabs.md" class="button primary">Go on</a> <a href="https://example.com" class="button secondary" data-icon="rocket">Out</a> <button type="button" class="button secondary" data-action="search" data-query="wombat">Find</button>',
  '',
  '[^1]: A note with *emphasis* and a [link](tabs.md).',
  '',
  '[^2]: Another note.',
);

const texts = lines(
  '## A heading',
  '',
  'A paragraph.',
  '',
  '<p align="center">In the middle.</p>',
  '',
  '### Lists',
  '',
  '- one\n  - two\n    - three\n- four',
  '',
  '3. third\n4. fourth\n   1. inner',
  '',
  '- [x] done\n- [ ] open',
  '',
  '#### A quote',
  '',
  '> Said **so**.\n>\n> Again.',
  '',
  '***',
  '',
  '$$\n\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}\n$$',
);

const codes = lines(
  '## Code',
  '',
  '```js\nconst wombat = `a`; // <b>\n```',
  '',
  block(
    'code title="main.ts" lineNumbers="true" overflow="wrap"',
    '```ts',
    'export const a: number = 1;',
    '// long '.repeat(40),
    '```',
  ),
  block(
    'code title="long.py" lineNumbers="true" expandable="true"',
    '```python',
    ...Array.from({ length: 30 }, (_, at) => `def f${at}(a="x"): return {"k": ${at}}`),
    '```',
  ),
  '```diff\n- old\n+ new\n```',
  '',
  '```unknown-language\nx <y> & z\n```',
  '',
  '```mermaid\ngraph TD\n  A[One] -->|yes| B[Two]\n  A --> C{Three}\n```',
  '',
  '```mermaid\nsequenceDiagram\n  Alice->>Bob: Hello\n  Bob-->>Alice: Hi\n```',
  '',
  '```mermaid\npie title Pets\n  "Dogs" : 386\n```',
);

const boxes = lines(
  '## Boxes',
  '',
  ...['info', 'success', 'warning', 'danger'].map((style) =>
    block(`hint style="${style}"`, `### About ${style}`, '', 'Text with a [link](tabs.md) and `code`.'),
  ),
  block('hint style="info" icon="rocket"', 'With an icon.'),
  '<details>\n\n<summary>More about *wombats*</summary>\n\n#### In details\n\nHidden at first.\n\n</details>',
  '',
  '<details open>\n\n<summary>Open</summary>\n\nShown at first.\n\n</details>',
  '',
  block('tabs', block('tab title="First"', 'One.'), block('tab title="Second" icon="star"', '```sh\nnpm i\n```')),
  block('stepper', block('step', '### Do this', '', 'First.'), block('step', '### Do that', '', 'Then.')),
  block(
    'columns',
    block('column width="33%"', '### Left', '', 'Text.'),
    block('column', '![Right](.gitbook/assets/photo.png)'),
  ),
  block('content-ref url="tabs.md"', '[tabs.md](tabs.md)'),
  block('content-ref url="gone.md"', '[gone.md](gone.md)'),
  block('file src=".gitbook/assets/paper.pdf"', 'The *paper*'),
  block('embed url="http://127.0.0.1:1/video"', 'A caption'),
  block('prompt description="Ask your assistant" icon="sparkles"', '```', 'Explain wombats.', '```'),
  '{% include ".gitbook/includes/part.md" %}',
  '',
  '{% include ".gitbook/includes/part.md" %}',
  '',
  '{% @jira/issue key="A-1" url="https://jira.example.com/A-1" %}',
);

const pictures = lines(
  '## Pictures',
  '',
  '<figure><img src=".gitbook/assets/photo.png" alt="A photo"><figcaption><p>A caption with <em>emphasis</em></p></figcaption></figure>',
  '',
  '<div align="center"><figure><img src=".gitbook/assets/small.png" alt="Small" width="64"></figure> <figure><img src=".gitbook/assets/drawing.svg" alt="A drawing"></figure></div>',
  '',
  '<figure><picture><source srcset=".gitbook/assets/dark.png" media="(prefers-color-scheme: dark)"><img src=".gitbook/assets/photo.png" alt="By theme"></picture></figure>',
  '',
  '![Missing](.gitbook/assets/missing.png)',
);

const tables = lines(
  '## Tables',
  '',
  '| Name | Count |\n| - | :-: |\n| **a** | `1` |\n| b | 2 |',
  '',
  '<table data-full-width="true"><thead><tr><th width="200">Text</th><th data-type="number">Number</th><th data-type="checkbox">Check</th><th data-type="rating" data-max="5">Rating</th>' +
    '<th data-type="select" data-multiple>Choice<select><option value="v" label="Blue one" color="blue"></option><option value="w" label="Red one" color="red"></option></select></th>' +
    '<th data-type="content-ref">Page</th><th data-type="files">Files</th><th data-type="image">Image</th><th data-type="users">People</th></tr></thead>' +
    '<tbody><tr><td><p>x</p><ul><li>y</li></ul></td><td>4.5</td><td>true</td><td>3</td><td><span data-option="v">Blue one</span><span data-option="w">Red one</span></td><td><a href="tabs.md">Tabs</a></td><td><a href=".gitbook/assets/paper.pdf">paper.pdf</a></td><td><img src=".gitbook/assets/small.png"></td><td></td></tr></tbody></table>',
  '',
  '<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th></tr></thead>' +
    '<tbody><tr><td><strong>Card one</strong></td><td>Text</td><td><a href="tabs.md">tabs.md</a></td><td><a href=".gitbook/assets/photo.png">photo.png</a></td></tr><tr><td><strong>Card two</strong></td><td></td><td><a href="https://example.com">out</a></td><td></td></tr></tbody></table>',
  '',
  '<table data-header-hidden><thead><tr><th>Hidden</th><th>Head</th></tr></thead><tbody><tr><td>no</td><td>head</td></tr></tbody></table>',
);

const openapi = lines(
  '## Operations',
  '',
  block('openapi-operation spec="wombats" path="/wombats/{id}" method="post"', '[wombats](https://example.com)'),
  block('openapi-schemas spec="wombats" schemas="Wombat,Burrow" grouped="true"', '[wombats](https://example.com)'),
  block('openapi-webhook spec="wombats" name="born" method="post"', '[wombats](https://example.com)'),
);

const update = (day: string, tags: string, title: string) =>
  block(`update date="${day}" tags="${tags}"`, `## ${title}`, '', `About ${title}.`);

const tabs = lines(
  '# Tabs',
  '',
  block('tabs', block('tab title="npm"', 'Install by npm.'), block('tab title="yarn"', 'Install by yarn.')),
  block('tabs', block('tab title="npm"', 'Run by npm.'), block('tab title="yarn"', 'Run by yarn.')),
  block('tabs', block('tab title="Go"', 'In Go.'), block('tab title="Rust"', '### Deep in Rust', '', 'In Rust.')),
  '<details>\n\n<summary>Closed</summary>\n\n### Deep in details\n\nWithin.\n\n</details>',
);

const outline = lines(
  '# Long',
  '',
  ...['Alpha', 'Beta', 'Gamma'].map(
    (name) => `## ${name}\n\n${'A paragraph of words that fill the page.\n\n'.repeat(30)}`,
  ),
  '| Word | Of |\n| - | - |',
  ...Array.from({ length: 30 }, (_, at) => `| word${at} | ${at % 2 ? 'odd' : 'even'} |`),
);

/** Every block and inline of the dialect on one page. */
const allBlocks = lines('# All blocks', '', texts, inlines, codes, boxes, pictures, tables, openapi);

/** The pages of the guide, in every layout. */
export const guideFiles: CommittedFiles = {
  'SUMMARY.md': lines(
    '# Summary',
    '',
    '* [Home](README.md)',
    '* [All blocks](all-blocks.md)',
    '* [Tabs](tabs.md)',
    '',
    '## More',
    '',
    '* [Long](long.md)',
    '  * [Covered](covered.md)',
    '  * [Wide](wide.md)',
    '* [Updates](updates.md)',
    '* [Hidden](hidden.md)',
    '* [Out](https://example.com/elsewhere)',
  ),
  'README.md': lines(
    '---\ndescription: The first page.\nicon: house\n---\n\n# Home',
    '',
    'Welcome to the wombats. [All blocks](all-blocks.md), [Tabs](tabs.md), [out](https://example.com/out).',
    '',
    '## Begin',
    '',
    'Text.',
  ),
  'all-blocks.md': allBlocks,
  'tabs.md': tabs,
  'long.md': outline,
  'covered.md': lines(
    '---\ncover: .gitbook/assets/photo.png\ncoverY: -20\ndescription: With a cover.\n---\n\n# Covered\n\nText.',
  ),
  'wide.md': lines(
    '---\ncover: .gitbook/assets/photo.png\nlayout:\n  width: wide\n  cover:\n    visible: true\n    size: full\n  outline:\n    visible: false\n---\n\n# Wide\n\nText.',
  ),
  'updates.md': lines(
    '# Updates',
    '',
    '{% updates %}',
    update('2026-02-01', 'new,fast', 'Faster'),
    update('2026-01-01', 'new', 'Newer'),
    update('2025-12-01', 'fix', 'Fixed'),
    '{% endupdates %}',
  ),
  'hidden.md': lines('---\nhidden: true\n---\n\n# Hidden\n\nNobody looks here.'),
  '.gitbook/includes/part.md': '### Shared part\n\nShared text.\n',
  '.gitbook/assets/photo.png': png(2400, 900),
  '.gitbook/assets/dark.png': png(2400, 900, [20, 20, 40]),
  '.gitbook/assets/small.png': png(64, 64, [200, 80, 40]),
  '.gitbook/assets/drawing.svg': svg(),
  '.gitbook/assets/paper.pdf': '%PDF-1.4\n%%EOF\n',
};

export const hebrewFiles: CommittedFiles = {
  'SUMMARY.md': lines('* [בית](README.md)', '* [בלוקים](all-blocks.md)', '* [Tabs](tabs.md)'),
  'README.md': lines('# בית', '', 'ברוכים הבאים. [בלוקים](all-blocks.md)'),
  'all-blocks.md': allBlocks.replace('# All blocks', '# בלוקים'),
  'tabs.md': tabs,
  ...Object.fromEntries(Object.entries(guideFiles).filter(([path]) => path.startsWith('.gitbook/'))),
};

const large = 400;
const chapters = 20;
const chapterOf = (page: number) => Math.floor(page / (large / chapters));

/** A space of 421 pages. */
export const largeFiles: CommittedFiles = {
  'SUMMARY.md': lines(
    '* [Start](README.md)',
    ...Array.from({ length: chapters }, (_, chapter) =>
      [
        `* [Chapter ${chapter}](c${chapter}/README.md)`,
        ...Array.from({ length: large }, (__, page) => page)
          .filter((page) => chapterOf(page) === chapter)
          .map((page) => `  * [Page ${page}](c${chapter}/p${page}.md)`),
      ].join('\n'),
    ),
  ),
  'README.md': '# Start\n',
  ...Object.fromEntries(Array.from({ length: chapters }, (_, at) => [`c${at}/README.md`, `# Chapter ${at}\n`])),
  ...Object.fromEntries(
    Array.from({ length: large }, (_, page) => [
      `c${chapterOf(page)}/p${page}.md`,
      `# Page ${page}\n\nText ${page}.\n`,
    ]),
  ),
};

export const wombatSpec = {
  openapi: '3.1.0',
  info: { title: 'Wombats', version: '1', description: 'All about **wombats**.' },
  servers: [{ url: 'https://api.example.com/v1' }],
  paths: {
    '/wombats/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', minLength: 1 } }],
      post: {
        tags: ['Wombats'],
        summary: 'Feed a wombat',
        description: 'Gives *grass*.\n\n* slowly',
        deprecated: true,
        security: [{ key: [] }],
        parameters: [{ name: 'when', in: 'query', description: 'The day', schema: { type: 'string', format: 'date' } }],
        requestBody: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Wombat' }, example: { name: 'Wally' } },
          },
        },
        responses: {
          200: {
            description: 'Fed',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Wombat' } } },
          },
          404: { description: 'No such wombat' },
        },
      },
    },
  },
  webhooks: { born: { post: { summary: 'A wombat is born', responses: { 200: { description: 'OK' } } } } },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    schemas: {
      Wombat: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', description: 'Its **name**', maxLength: 20 },
          mood: { type: 'string', enum: ['calm', 'cross'], default: 'calm' },
          home: { oneOf: [{ $ref: '#/components/schemas/Burrow' }, { type: 'null' }] },
          young: { type: 'array', items: { $ref: '#/components/schemas/Wombat' } },
        },
      },
      Burrow: { type: 'object', properties: { depth: { type: 'number', minimum: 0 } } },
    },
  },
};
