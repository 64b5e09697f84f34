import { documentOf, surroundings } from '../html/testing/rendered-source.js';
import { compareBodies } from './compare-bodies.js';
import { partsOfSources, shortPart } from './testing/read-parts.js';

const difference = (before: string, after: string) => partsOfSources(before, after).map(shortPart);
/** The only change of two sources. */
const change = (before: string, after: string) => difference(before, after).filter((part) => !part.startsWith('same'));

it.each([
  [
    'words of a paragraph, within the elements around them',
    'Read **the long guide** and [the notes](a.md).',
    'Read **the short guide** and [all the notes](a.md).',
    'changed: <p>Read <strong>the <del>long</del><ins>short</ins> guide</strong> and <a href="⟦pguides/a⟧"><ins>all </ins>the notes</a>.</p>',
  ],
  [
    'neighbouring words that all changed as one change',
    'It takes one fine day here.',
    'It takes two dull weeks here.',
    'changed: <p>It takes <del>one fine day</del><ins>two dull weeks</ins> here.</p>',
  ],
  [
    'words that got another form or another target',
    'A word, and [a link](a.md).',
    'A **word**, and [a link](b.md).',
    'changed: <p>A <del>word</del><strong><ins>word</ins></strong>, and <a href="⟦pguides/a⟧"><del>a link</del></a><a href="⟦pb⟧"><ins>a link</ins></a>.</p>',
  ],
  [
    'characters of scripts without spaces',
    '打开资料库的页面',
    '打开文件库的页面',
    'changed: <p>打开<del>资料</del><ins>文件</ins>库的页面</p>',
  ],
  [
    'an image in a line',
    'Press ![](a.png) here',
    'Press ![](dark.png) here',
    /^changed: <p>Press <del><img [^>]*a\.png[^>]*><\/del><ins><img [^>]*dark\.png[^>]*><\/ins> here<\/p>$/,
  ],
  [
    'a heading',
    '## Get started',
    '## Get going',
    'changed: <div class="heading"><h2>Get <del>started</del><ins>going</ins></h2></div>',
  ],
  [
    'items of lists, and lists in them',
    '* one item\n* two items\n  * below it',
    '* one item\n* three items\n  * below it\n  * also new\n* last',
    'changed: <ul><li>one item</li><li><del>two</del><ins>three</ins> items<ul><li>below it</li><li class="added"><ins>also new</ins></li></ul></li><li class="added"><ins>last</ins></li></ul>',
  ],
  [
    'a task that is done',
    '- [ ] to do\n- [ ] other',
    '- [x] to do\n- [ ] other',
    /<li class="task removed"><del><input type="checkbox" disabled aria.*<del>to do<\/del>.*<li class="task added"><ins><input type="checkbox" disabled checked.*<ins>to do<\/ins>.*<li class="task"><input/,
  ],
  [
    'lines of code',
    '```js\nconst a = 1;\nrun(a);\n```',
    '```js\nconst a = 2;\nrun(a);\nend();\n```',
    /<span class="line removed"><del>.*1<.*<span class="line added"><ins>.*2<.*<span class="line"><span class="hl-title">run.*<span class="line added"><ins><span class="hl-title">end/s,
  ],
  [
    'cells and rows of tables',
    '| A | B |\n|---|---|\n| one | two |\n| go | away |',
    '| A | B |\n|---|---|\n| one | three |\n| come | in |',
    /<tr><td>one<\/td><td><del>two<\/del><ins>three<\/ins><\/td><\/tr><tr class="removed"><td><del>go<\/del><\/td><td><del>away<\/del><\/td><\/tr><tr class="added"><td><ins>come</,
  ],
  [
    'columns of tables, in every row',
    '| A | B |\n|---|---|\n| one | two |\n| three | four |',
    '| A | New | B |\n|---|---|---|\n| one | | two |\n| three | x | four |\n| five | y | six |',
    /<th scope="col">A<\/th><th scope="col" class="added"><ins>New<\/ins><\/th><th scope="col">B<\/th><\/tr><\/thead><tbody><tr><td>one<\/td><td class="added"><\/td><td>two<\/td><\/tr><tr><td>three<\/td><td class="added"><ins>x<\/ins><\/td><td>four<\/td><\/tr><tr class="added">/,
  ],
  [
    'blocks in hints',
    '{% hint style="info" %}\nOld text here\n\nStays\n{% endhint %}',
    '{% hint style="info" %}\nNew text here\n\nStays\n\n***\n{% endhint %}',
    /<div class="hint-body"><p><del>Old<\/del><ins>New<\/ins> text here<\/p><p>Stays<\/p><hr class="added"\/><\/div>/,
  ],
  [
    'titles and blocks of expandables, which are open',
    '<details>\n\n<summary>More of it</summary>\n\nText in it\n\n</details>',
    '<details>\n\n<summary>More of that</summary>\n\nText in that\n\n</details>',
    'changed: <details class="expandable" open><summary><span>More of <del>it</del><ins>that</ins></span></summary><div class="expandable-body"><p>Text in <del>it</del><ins>that</ins></p></div></details>',
  ],
  [
    'blocks in steps and columns',
    '{% columns %}\n{% column %}\nLeft side\n{% endcolumn %}\n{% column %}\nRight side\n{% endcolumn %}\n{% endcolumns %}',
    '{% columns %}\n{% column %}\nLeft side\n{% endcolumn %}\n{% column %}\nOther side\n{% endcolumn %}\n{% endcolumns %}',
    'changed: <div class="columns"><div class="column span-6"><p>Left side</p></div><div class="column span-6"><p><del>Right</del><ins>Other</ins> side</p></div></div>',
  ],
  [
    'a quotation',
    '> To be or not',
    '> To see or not',
    'changed: <blockquote><p>To <del>be</del><ins>see</ins> or not</p></blockquote>',
  ],
  [
    'a footnote',
    'Text[^1]\n\n[^1]: Said so',
    'Text[^1]\n\n[^1]: Said no',
    'changed: <section class="notes-list" aria-label="⟦wfootnotes⟧"><ol><li value="1"><p>Said <del>so</del><ins>no</ins></p></li></ol></section>',
  ],
  [
    'the caption of an image',
    '<figure><img src="a.png" alt=""><figcaption><p>One shot</p></figcaption></figure>',
    '<figure><img src="a.png" alt=""><figcaption><p>Two shot</p></figcaption></figure>',
    /^changed: <figure class="figure"><img [^>]*><figcaption><del>One<\/del><ins>Two<\/ins> shot<\/figcaption><\/figure>$/,
  ],
])('marks %s', (_, before, after, expected) => {
  const [made, ...rest] = change(before, after);
  if (typeof expected === 'string') expect(made).toBe(expected);
  else expect(made).toMatch(expected);
  expect(rest).toEqual([]);
});

const tabs = (...items: [title: string, text: string][]) =>
  `{% tabs %}\n${items.map(([title, text]) => `{% tab title="${title}" %}\n${text}\n{% endtab %}`).join('\n\n')}\n{% endtabs %}`;

it('keeps each tab in one group with its button and its panel, and says in its label that the panel changed', () => {
  const [made = ''] = change(
    tabs(['One', 'Same text'], ['Two', 'Old text'], ['Gone', 'Not there']),
    tabs(['One', 'Same text'], ['Two', 'New text'], ['Come', 'Quite fresh']),
  );
  const parts = [...made.matchAll(/<(input|label|div) [^>]*class="(tab-[a-z]+(?: [a-z]+)?)"/g)].map(
    ([, , name]) => name,
  );
  expect(parts).toEqual([
    ...['tab-input', 'tab-label', 'tab-panel'],
    ...['tab-input', 'tab-label changed', 'tab-panel'],
    ...['tab-input', 'tab-label removed', 'tab-panel removed'],
    ...['tab-input', 'tab-label added', 'tab-panel added'],
  ]);
  const names = (attribute: string) =>
    [...made.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g'))].map(([, name]) => name);
  expect(new Set(names('name')).size).toBe(1);
  expect(new Set(names('id')).size).toBe(4);
  expect(names('for')).toEqual(names('id'));
});

it.each([
  ['an image', '![](a.png)', '![](dark.png)', /^changed: <figure .*a\.png.* → <figure .*dark\.png/],
  [
    'a kind of block',
    'Get started now',
    '## Get started now',
    'changed: <p>Get started now</p> → <div class="heading"><h2>Get started now</h2></div>',
  ],
  ['a level', '## Title', '### Title', /<h2>Title<\/h2><\/div> → .*<h3>Title<\/h3>/],
  [
    'a style',
    '{% hint style="info" %}\nText\n{% endhint %}',
    '{% hint style="danger" %}\nText\n{% endhint %}',
    /hint-info.* → .*hint-danger/,
  ],
  ['the language of code', '```js\na\n```', '```ts\na\n```', /data-language="js".* → .*data-language="ts"/s],
  ['a formula', '$$\na^2\n$$', '$$\na^3\n$$', /^changed: <div class="math".* → <div class="math"/],
  ['a diagram', '```mermaid\ngraph TD\n```', '```mermaid\ngraph LR\n```', / → /],
  [
    'a card that leads to a page',
    '{% content-ref url="a.md" %}\n[a](a.md)\n{% endcontent-ref %}',
    '{% content-ref url="b.md" %}\n[b](b.md)\n{% endcontent-ref %}',
    /Page A.* → .*Page B/,
  ],
  [
    'an embed',
    '{% embed url="https://x.example/a" %}',
    '{% embed url="https://x.example/b" %}',
    /^changed: <div class="late-block late-embed">.*x\.example\/a.* → .*x\.example\/b/,
  ],
  [
    'a component',
    '{% @kit/counter from="1" %}',
    '{% @kit/counter from="2" %}',
    /kit\/counter.*&quot;1&quot;.* → .*&quot;2&quot;/s,
  ],
  [
    'an operation',
    '{% openapi-operation spec="pets" path="/pets" method="get" %}\nx\n{% endopenapi-operation %}',
    '{% openapi-operation spec="pets" path="/pets" method="post" %}\nx\n{% endopenapi-operation %}',
    /<code>pets<\/code> <code>GET \/pets<\/code>.* → .*<code>POST \/pets<\/code>/,
  ],
])('shows %s before and after', (_, before, after, expected) => {
  const [made, ...rest] = change(before, after);
  if (typeof expected === 'string') expect(made).toBe(expected);
  else expect(made).toMatch(expected);
  expect(rest).toEqual([]);
});

it('shows conditions with their content', () => {
  const page = (name: string, text: string) => `{% if visitor.claims.${name} %}\n${text}\n{% endif %}`;
  expect(difference(page('beta', 'For some'), page('beta', 'For all'))).toEqual([
    'changed: <div class="condition"><code class="condition-head">visitor.claims.beta</code><div class="condition-body"><p>For <del>some</del><ins>all</ins></p></div></div>',
  ]);
  expect(change(page('beta', 'Same'), page('gamma', 'Same'))[0]).toContain(
    'visitor.claims.<del>beta</del><ins>gamma</ins>',
  );
});

it('shows added, removed and moved blocks where they stand', () => {
  expect(difference('First\n\nSecond\n\nThird\n\nFourth', 'Third\n\nFirst\n\nQuite new\n\nFourth')).toEqual([
    'removed moved: <p>First</p>',
    'removed: <p>Second</p>',
    'same: <p>Third</p>',
    'added moved: <p>First</p>',
    'added: <p>Quite new</p>',
    'same: <p>Fourth</p>',
  ]);
});

it('takes for the same what only depends on what is before it', () => {
  const page = (start: string) => `${start}Text[^2] with ![](a.png)\n\n${tabs(['A', 'a'])}\n\n[^2]: Note\n`;
  const before = '![](a.png)\n\n![](dark.png)\n\n';
  const kinds = difference(page(''), page(`${before}First[^1]\n\n[^1]: One\n\n`)).map((part) => part.split(':', 1)[0]);
  expect(kinds).toEqual(['added', 'added', 'added', 'same', 'same', 'changed']);
});

it('takes a link to a page for the same where the path of that page changed, and an image for another where its file did', () => {
  const document = documentOf('[to it](a.md)\n\n![](a.png)');
  const moved = {
    ...surroundings,
    pages: new Map([['a.md', { path: 'moved/a', title: 'Page A' }]]),
    files: new Map([['a.png', { ...surroundings.files.get('a.png'), path: '/files/other' } as never]]),
  };
  const made = compareBodies({ document, surroundings }, { document, surroundings: moved });
  expect(made?.form === 'blocks' && made.parts.map(({ kind }) => kind)).toEqual(['same', 'changed']);
});

it('gives blocks their keys, and no element an id of an author', () => {
  const source = '## Title\n\nText';
  const keys = documentOf(source).nodes.map(({ key }) => key);
  const parts = partsOfSources(source, source);
  expect(parts.map(({ key }) => key)).toEqual(keys);
  expect(shortPart(parts[0] as never)).toBe('same: <div class="heading"><h2>Title</h2></div>');
});

it('counts references out of the space over both sides', () => {
  const sides = ['[one](space/1) and [two](space/2)', '[two](space/2) and [three](space/3)'].map((source) => ({
    document: documentOf(source),
    surroundings,
  }));
  const made = compareBodies(sides[0] as never, sides[1] as never);
  expect(made?.form === 'blocks' && made.outside).toEqual(
    ['space/1', 'space/2', 'space/3'].map((space) => ({ kind: 'space', space })),
  );
});
