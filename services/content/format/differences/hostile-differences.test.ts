import type { BlockNode, JSONDocument } from '../document/document-model.js';
import { readHtml } from '../html/testing/html-facts.js';
import { documentOf, readable, surroundings } from '../html/testing/rendered-source.js';
import { compareBodies } from './compare-bodies.js';
import { compareLines } from './compare-lines.js';
import { Budget } from './merging/budget.js';
import { htmlOfPart, partsOfDocuments } from './testing/read-parts.js';

const textNode = (text: string) => ({ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] });
const block = (type: string, nodes: unknown[], data: unknown = {}): BlockNode =>
  ({ object: 'block', type, key: '', isVoid: false, data, nodes }) as never;
const documentWith = (nodes: unknown[]): JSONDocument => ({ object: 'document', data: {}, nodes }) as never;
const paragraphs = (texts: string[]) => documentWith(texts.map((text) => block('paragraph', [textNode(text)])));

/** The difference of two documents, with the work that it took. */
function compare(before: JSONDocument, after: JSONDocument) {
  const budget = new Budget();
  const made = compareBodies({ document: before, surroundings }, { document: after, surroundings }, { budget });
  const parts = made?.form === 'blocks' ? made.parts : undefined;
  return { parts, budget: { ...budget } };
}

const attacks = [
  '"><script>alert(1)</script>',
  '</del><img src=x onerror=alert(1)>',
  '&lt;b&gt; </ins>',
  '\u0001b0\u0002',
  '__proto__',
];

it('runs nothing that either side says', () => {
  const types = [
    'paragraph',
    'heading-1',
    'code',
    'hint',
    'tabs',
    'math',
    'images',
    'embed',
    'integration',
    'if',
    'updates',
  ];
  const saying = (text: string) => {
    const data = {
      title: text,
      style: text,
      syntax: text,
      formula: text,
      url: text,
      expression: text,
      integration: text,
      props: { [text]: text },
    };
    const link = { object: 'inline', type: 'link', data: { ref: { kind: 'url', url: text } }, nodes: [textNode(text)] };
    return documentWith(
      types.map((type) =>
        block(type, [block('tabs-item', [textNode(`kept ${text}`), link], data), textNode(text)], data),
      ),
    );
  };
  for (const before of attacks)
    for (const after of attacks) {
      const html = partsOfDocuments(saying(before), saying(after)).flatMap(htmlOfPart).join('');
      expect(readHtml(html).forbidden).toEqual([]);
      expect(html).not.toContain('\u0001b');
    }
  const { parts = [] } = compare(
    paragraphs(['said <b>one</b> &amp; more']),
    paragraphs(['said <b>two</b> &amp; more']),
  );
  expect(parts.flatMap(htmlOfPart)).toEqual(['<p>said &lt;b><del>one</del><ins>two</ins>&lt;/b> &amp;amp; more</p>']);
});

it('never divides a mark', () => {
  const gone = (url: string) => documentOf(`All of {% include "${url}" %} and [x](space/${url})\n\n[**it**](${url})`);
  for (const html of partsOfDocuments(gone('one.md'), gone('two.md')).flatMap(htmlOfPart))
    expect(readable(html).replace(/⟦[a-z][^⟦⟧<>]*⟧/g, '')).not.toMatch(/[⟦⟧]/);
});

it('shows a line of 2 MB as it was and as it is, and does not compare its words', () => {
  const line = 'word '.repeat(400_000);
  const { parts, budget } = compare(paragraphs([line]), paragraphs([`${line}more`]));
  expect(parts?.map(({ kind }) => kind)).toEqual(['changed']);
  expect(budget).toEqual({ pairs: 2, text: 0 });
});

it('compares 50,000 blocks with bounded work', () => {
  const texts = Array.from({ length: 50_000 }, (_, at) => `${at}`);
  const other = texts.map((text, at) => (at % 1000 === 0 ? text : `other${text}`));
  const { parts = [], budget } = compare(paragraphs(texts), paragraphs(other));
  const counts = new Map(parts.map(({ kind }) => [kind, 0]));
  for (const { kind } of parts) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  expect(Object.fromEntries(counts)).toEqual({ same: 50, removed: 49_950, added: 49_950 });
  expect(budget.pairs).toBeLessThanOrEqual(200_000);
  expect(budget.text).toBeLessThanOrEqual(500_000);
});

it('makes no table of many rows and many columns of two that have only the one or the other', () => {
  const [high, wide] = [
    '|a|\n|-|'.concat('\n|a|'.repeat(2000)),
    `|${'a|'.repeat(2000)}\n|${'-|'.repeat(2000)}\n|${'a|'.repeat(2000)}`,
  ];
  const { parts } = compare(documentOf(high), documentOf(wide));
  expect(parts?.map((part) => [part.kind, 'before' in part])).toEqual([['changed', true]]);
});

it('compares the words of a page up to a bound, and shows the blocks behind it before and after', () => {
  const texts = (own: string) => Array.from({ length: 40 }, (_, at) => `${'some words '.repeat(1000)}${own}${at}`);
  const { parts = [], budget } = compare(paragraphs(texts('a')), paragraphs(texts('b')));
  expect(parts.filter((part) => part.kind === 'changed' && 'html' in part)).toHaveLength(22);
  expect(parts.filter((part) => part.kind === 'changed' && 'before' in part)).toHaveLength(18);
  expect(budget.text).toBeLessThanOrEqual(500_000);
});

it('does not compare what is too deep or too large to be shown whole', () => {
  let deep = block('paragraph', [textNode('deep')]);
  for (let depth = 0; depth < 150; depth++) deep = block('blockquote', [deep]);
  const shallow = paragraphs(['shallow']);
  expect(compare(documentWith([deep]), shallow).parts).toBeUndefined();
  expect(compare(shallow, documentWith([deep])).parts).toBeUndefined();
  const large = paragraphs(Array.from({ length: 5 }, () => '"'.repeat(400_000)));
  expect(compare(large, shallow).parts).toBeUndefined();
});

it('compares sources line by line, and none that are too large for that', () => {
  const made = compareLines('one\r\n<b>\u0001t0\u0002\r\nthree', 'one\r\n<i>\r\nthree');
  expect(made.form === 'lines' && made.parts.map((part) => [part.kind, ...htmlOfPart(part)])).toEqual([
    ['same', '<pre class="source-lines"><code>one\r\n</code></pre>'],
    ['removed', '<pre class="source-lines"><code>&lt;b>t0\r\n</code></pre>'],
    ['added', '<pre class="source-lines"><code>&lt;i>\r\n</code></pre>'],
    ['same', '<pre class="source-lines"><code>three</code></pre>'],
  ]);
  const large = '&'.repeat(1_000_000);
  expect(compareLines(large, `${large}&`)).toEqual({ form: 'tooLarge' });
});
