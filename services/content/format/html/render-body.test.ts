import { toDocument } from '../document/document.js';
import { renderBody } from './render-body.js';
import { readHtml } from './testing/html-facts.js';
import { bodyOf, htmlOf, surroundings } from './testing/rendered-source.js';

it('gives headings below the title of the page their anchors, links to themselves and places in the outline', () => {
  const { html, outline } = bodyOf('## One *two*\n\n### Three\n\n#### Four');
  expect(html).toContain(
    '<h2 id="one-two">One <em>two</em></h2><a class="anchor" href="#one-two" aria-label="⟦wcopyLink⟧">',
  );
  expect(html).toContain('<h3 id="three">');
  expect(outline).toEqual([
    { id: 'one-two', title: 'One two', level: 1 },
    { id: 'three', title: 'Three', level: 2 },
    { id: 'four', title: 'Four', level: 3 },
  ]);
});

it('lists headings of steps and columns in the outline, and none that may be hidden', () => {
  const { outline } = bodyOf(
    '{% stepper %}\n{% step %}\n## Step\n{% endstep %}\n{% endstepper %}\n\n{% columns %}\n{% column %}\n## Column\n{% endcolumn %}\n{% endcolumns %}\n\n' +
      '{% tabs %}\n{% tab title="T" %}\n## In tab\n{% endtab %}\n{% endtabs %}\n\n<details><summary>S</summary>\n\n## In details\n\n</details>',
  );
  expect(outline).toMatchObject([{ title: 'Step' }, { title: 'Column' }]);
});

it('leaves marks for pages and files, and says which links are broken', () => {
  expect(htmlOf('[a](a.md) [x](a.md#x) [f](paper.pdf)')).toBe(
    '<p><a href="⟦pguides/a⟧">a</a> <a href="⟦pguides/a#x⟧">x</a> <a href="⟦f/files/paper.pdf?token=x⟧">f</a></p>',
  );
  expect(htmlOf('[gone](gone.md)')).toBe('<p><span class="broken" title="⟦wbrokenLink⟧">gone</span></p>');
  expect(htmlOf('[out](https://x.example/?a=1&b=2) [here](#y)')).toBe(
    '<p><a class="external" href="https://x.example/?a=1&amp;b=2" rel="noopener">out</a> <a href="#y">here</a></p>',
  );
});

it('names what is out of the space by its position', () => {
  const { html, outside } = bodyOf(
    '[s](space/1) [again](space/1) [t](space/2)\n\n{% content-ref url="space/1" %}\n{% endcontent-ref %}',
  );
  expect(html).toContain('<a href="⟦o0⟧">s</a> <a href="⟦o0⟧">again</a> <a href="⟦o1⟧">t</a>');
  expect(html).toContain('<span class="card-title">⟦t0⟧</span>');
  expect(outside).toEqual([
    { kind: 'space', space: 'space/1' },
    { kind: 'space', space: 'space/2' },
  ]);
});

it('keeps marks of texts, their colors as classes', () => {
  expect(htmlOf('***a*** ~~b~~ `c` <kbd>d</kbd> x<sup>2</sup>\n')).toBe(
    '<p><strong><em>a</em></strong> <s>b</s> <code>c</code> <kbd>d</kbd> x<sup>2</sup></p>',
  );
  expect(htmlOf('<mark style="color:red;">r</mark> <mark style="background-color:$primary;">p</mark>')).toBe(
    '<p><span class="text-red">r</span> <mark class="back-primary">p</mark></p>',
  );
});

it('opens notes without a script, and lists them for paper', () => {
  const html = htmlOf('Text[^1] and [this](#user-content-fn-2)[^2].\n\n[^1]: First.\n\n[^2]: Second.');
  expect(html).toContain(
    '<button type="button" class="note-mark" popovertarget="note:1" aria-describedby="note:1">1</button>',
  );
  expect(html).toContain('<span class="noted">this</span><button');
  expect(html).toMatch(
    /<section class="notes".*<li value="1"><div class="note" id="note:1" popover="auto"><p>First\.<\/p>/,
  );
});

it('shows lists and tasks, tight where an item is one line', () => {
  expect(htmlOf('3. a\n4. b\n   - c')).toBe('<ol start="3"><li>a</li><li>b<ul><li>c</li></ul></li></ol>');
  expect(htmlOf('- [x] a\n- [ ] b')).toContain(
    '<li class="task"><input type="checkbox" disabled checked aria-label="⟦wchecked⟧"/><div>a</div></li>',
  );
});

it('gives images the size of their file and loads the first two at once', () => {
  const html = htmlOf(
    '![one](a.png)\n\n![](a.png)\n\n<img src="a.png" alt="" width="320">\n\n<img src="a.png" width="52%">',
  );
  expect(html).toContain('<img src="⟦f/files/a.png?token=x⟧" alt="one" width="640" height="360" decoding="async"/>');
  expect(html).toContain('width="320" height="180" loading="lazy"');
  expect(html).toContain('class="part-50"');
  expect(html).toMatch(/alt(?:="")? /);
});

it('has an image for each theme, and the text of one that is missing', () => {
  const html = htmlOf(
    '<picture><source srcset="dark.png" media="(prefers-color-scheme: dark)"><img src="a.png" alt="x"></picture>\n\n![Lost](gone.png)',
  );
  expect(html).toMatch(/<img class="only-light" [^>]*><img class="only-dark" [^>]*loading="lazy"/);
  expect(html).toContain('<span class="broken">Lost</span>');
});

it('switches tabs by radio buttons with names of their own, without a script', () => {
  const tabs =
    '{% tabs %}\n{% tab title="One" %}\nX\n{% endtab %}\n{% tab title="Two" %}\nY\n{% endtab %}\n{% endtabs %}\n\n';
  const html = htmlOf(tabs + tabs);
  expect(html).toContain(
    '<input type="radio" class="tab-input" name="tabs:1" id="tabs:1:1"/><label class="tab-label" for="tabs:1:1">One</label><div class="tab-panel" id="one"><p>X</p></div>',
  );
  expect(html).toContain('name="tabs:2"');
  const { ids } = readHtml(html);
  expect(new Set(ids).size).toBe(ids.length);
});

it('shows hints, expandables, steps, columns and quotes', () => {
  expect(htmlOf('{% hint style="warning" %}\nW\n{% endhint %}')).toMatch(
    /^<aside class="hint hint-warning" role="note" aria-label="⟦wwarning⟧"><svg .*<div class="hint-body"><p>W<\/p><\/div><\/aside>$/,
  );
  expect(htmlOf('<details open><summary>S <b>t</b></summary>\n\nB\n\n</details>')).toBe(
    '<details class="expandable" id="s-t" open><summary><span>S <strong>t</strong></span></summary><div class="expandable-body"><p>B</p></div></details>',
  );
  expect(
    htmlOf(
      '{% columns %}\n{% column width="25%" %}\nL\n{% endcolumn %}\n{% column %}\nR\n{% endcolumn %}\n{% endcolumns %}',
    ),
  ).toBe(
    '<div class="columns"><div class="column span-3"><p>L</p></div><div class="column span-9"><p>R</p></div></div>',
  );
});

it('shows reusable content in its place, with other ids the second time, and ends a circle', () => {
  const include = '{% include "part.md" %}\n\n';
  const { html, outline } = bodyOf(include + include);
  expect(html).toMatch(/<h2 id="shared">.*<h2 id="shared-2">/);
  expect(outline).toMatchObject([{ id: 'shared' }, { id: 'shared-2' }]);
  const reference = {
    object: 'block',
    type: 'reusable-content',
    key: '',
    isVoid: true,
    data: { ref: { kind: 'reusable-content', reusableContent: 'r' } },
  } as const;
  const circle = { object: 'document' as const, data: {}, nodes: [reference] };
  expect(renderBody(circle, { ...surroundings, reusable: new Map([['r', circle]]) }).html).toBe('');
});

it('leaves blocks that depend on more than the revision for later', () => {
  const { html, late, outline } = bodyOf(
    '{% embed url="https://x.example" %}\n\n{% @jira/issue key="A" url="https://j.example" %}\n\n{% openapi-operation spec="pets" path="/pets" method="get" %}\n{% endopenapi-operation %}',
  );
  expect(html).toBe('⟦b0⟧⟦b1⟧⟦b2⟧');
  expect(outline).toEqual([{ late: 2 }]);
  expect(late).toMatchObject([
    { kind: 'embed', url: 'https://x.example', fullWidth: false },
    { kind: 'integration', integration: 'jira', block: 'issue', url: 'https://j.example' },
    { kind: 'openapi', spec: { slug: 'pets' }, shown: { type: 'operation', path: '/pets', method: 'get' } },
  ]);
});

it('shows updates whole, and gives them to feeds', () => {
  const { html, updates } = bodyOf(
    '{% updates %}\n{% update date="2026-01-31" tags="new,other" %}\n## Better\n\nText.\n{% endupdate %}\n{% endupdates %}',
  );
  expect(html).toContain('<article class="update" id="update-2026-01-31" data-tags="new other">');
  expect(html).toContain('<time datetime="2026-01-31">⟦d2026-01-31⟧</time><span class="chip">New things</span>');
  expect(html).toContain('<option value="new">New things</option>');
  expect(updates).toMatchObject([
    { id: 'update-2026-01-31', date: '2026-01-31', title: 'Better', tags: ['New things', 'other'] },
  ]);
  expect(updates[0]?.html).toMatch(/<h2 id="better">Better<\/h2>.*<p>Text\.<\/p>$/);
});

it('shows prompts, buttons, files, mentions and cards of pages', () => {
  expect(htmlOf('{% prompt description="Ask" %}\n```\nDo\n```\n{% endprompt %}')).toMatch(
    /^<figure class="prompt"><figcaption>Ask<\/figcaption><div class="prompt-body"><figure class="code">/,
  );
  expect(
    htmlOf(
      '<a href="a.md" class="button secondary">Go</a> <button type="button" class="button primary" data-action="search" data-query="q &amp; a">Find</button>',
    ),
  ).toBe(
    '<p class="buttons"><a class="button button-secondary" href="⟦pguides/a⟧">Go</a> <a class="button button-primary" href="⟦sq &amp; a⟧" data-action="search" data-query="q &amp; a">Find</a></p>',
  );
  expect(htmlOf('{% file src="paper.pdf" %}\nThe *paper*\n{% endfile %}')).toMatch(
    /<a class="card-title" href="⟦f[^"]*">paper\.pdf<\/a><span class="card-note">1\.2 MB · PDF<\/span>.*download="paper\.pdf".*<figcaption>The <em>paper<\/em><\/figcaption>/,
  );
  expect(htmlOf('[b](b.md "mention")')).toBe('<p><a class="mention" href="⟦pb⟧">🎉 Page B</a></p>');
  expect(htmlOf('{% content-ref url="a.md" %}\n[a](a.md)\n{% endcontent-ref %}')).toMatch(
    /^<a class="ref-card" href="⟦pguides\/a⟧">.*<span class="card-title">Page A<\/span><span class="card-note">About A<\/span>/,
  );
});

it('shows what is in blocks and inlines that it does not know, and names them', () => {
  const text = { object: 'text', leaves: [{ object: 'leaf', text: 'inside', marks: [] }] };
  const document = {
    object: 'document',
    data: {},
    nodes: [
      {
        object: 'block',
        type: 'carousel',
        data: {},
        nodes: [
          {
            object: 'block',
            type: 'paragraph',
            data: {},
            nodes: [{ object: 'inline', type: 'blink', data: {}, nodes: [text] }],
          },
        ],
      },
    ],
  };
  const { html, unknown } = renderBody(document as never, surroundings);
  expect(html).toBe('<p>inside</p>');
  expect(unknown).toEqual(['carousel', 'blink']);
});

it('shows a paragraph that begins with spaces', () => {
  const leaves = ['\n', '      ', 'text'].map((text) => ({ object: 'leaf', text, marks: [] }));
  const nodes = [{ object: 'block', type: 'paragraph', data: {}, nodes: [{ object: 'text', leaves }] }];
  expect(renderBody({ object: 'document', data: {}, nodes } as never, surroundings).html).toContain('text</p>');
});

it('names blocks by their keys where that is asked for, and leaves a mark at the end of each', () => {
  const source =
    'One\n\n## Two\n\n{% updates %}\n{% update date="2026-01-02" %}\nNew\n{% endupdate %}\n{% endupdates %}\n';
  const made = toDocument(source, () => undefined, { title: 'T', blocks: 'all' });
  const [first, second] = made.nodes;
  const { html } = renderBody(made, surroundings, { namesBlocks: true });
  expect(html).toContain(`<div class="block" data-block="${first?.key}"><p>One</p>\u0001k${first?.key}\u0002</div>`);
  expect(html).toContain(`data-block="${second?.key}"`);
  expect(html.match(/data-block/g)).toHaveLength(2);
  expect(renderBody(made, surroundings).html).not.toContain('data-block');
});
