import { createRequire } from 'node:module';
import { toDocument } from './document.js';
import { markupRows } from './testing/markup-rows.js';
import { b, h, leaf, p, read, resolve, short, t } from './testing/nodes.js';
import { tagRows } from './testing/tag-rows.js';

const require = createRequire(import.meta.url);
const officialSchemas: Record<string, { properties?: { type?: { enum?: string[] } } }> =
  require('@gitbook/api/spec/openapi.json').components.schemas;

const officialTypes = new Set(
  Object.entries(officialSchemas)
    .filter(([name]) => /^Document(?:Block|Inline|Mark)/.test(name))
    .flatMap(([, { properties }]) => properties?.type?.enum ?? []),
);

/** The types of blocks, inlines and marks at any depth. */
function typesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(typesIn);
  if (typeof value !== 'object' || value === null) return [];
  const { object, type, nodes, fragments, leaves, marks } = value as Record<string, unknown>;
  const own = typeof type === 'string' && object !== 'fragment' ? [type] : [];
  return [...own, ...[nodes, fragments, leaves, marks].flatMap(typesIn)];
}

const rows = [...tagRows, ...markupRows];

describe('toDocument', () => {
  it.each(rows)('reads %s', (_name, source, expected) => {
    expect(read(source)).toEqual(expected);
  });

  it('leaves out the heading that titles the page, and nothing else', () => {
    expect(read('---\nicon: x\n---\n# T\n\na\n\n# U')).toEqual([p('a'), h(1, 'U', 'u')]);
    expect(read('<h1 align="center">T</h1>\n\na')).toEqual([p('a')]);
    expect(read('## S\n\n# T')).toEqual([h(1, 'S', 's'), h(1, 'T', 't')]);
  });

  it('writes the fields that renderers need on every node', () => {
    const [block] = toDocument('a *b*', resolve).nodes;
    expect(block).toMatchObject({
      object: 'block',
      type: 'paragraph',
      isVoid: false,
      data: {},
      key: expect.any(String),
    });
    expect(block?.nodes?.[0]).toEqual({
      object: 'text',
      leaves: [
        { object: 'leaf', text: 'a ', marks: [] },
        { object: 'leaf', text: 'b', marks: [{ object: 'mark', type: 'italic' }] },
      ],
    });
  });

  it('shows the tags of updates with the labels of the space', () => {
    const source = '{% update date="2024-01-31" tags="new-api, other" %}\nx\n{% endupdate %}';
    const { nodes } = toDocument(source, resolve, { tags: new Map([['new-api', 'New API']]) });
    expect(short(nodes)).toEqual([p(t(leaf('2024-01-31', 'bold')), ' · New API · other'), p('x')]);
  });

  it('makes blocks of updates and prompts where all blocks are wanted', () => {
    const source =
      '{% updates %}\n{% update date="2024-01-31" tags="new-api,other" %}\nx\n{% endupdate %}\n{% endupdates %}\n\n{% prompt description="D" icon="i" %}\ny\n{% endprompt %}';
    const { nodes } = toDocument(source, resolve, { tags: new Map([['new-api', 'New API']]), blocks: 'all' });
    const tags = [
      { tag: 'new-api', label: 'New API' },
      { tag: 'other', label: 'other' },
    ];
    expect(short(nodes)).toEqual([
      b('updates', {}, [b('update', { date: '2024-01-31', tags }, [p('x')])]),
      b('prompt', { description: 'D', icon: 'i' }, [p('y')]),
    ]);
  });

  it.each([
    ['Getting started', '# 🚀 Getting  Started'],
    ['🚀 Getting started', '# Getting started'],
    ["What's new?", '# What’s **new**?'],
    ['A & B', '<h1>A &amp; B</h1>'],
    ['Any', '# '],
  ])('leaves out a first heading that repeats the title: %s', (title, heading) => {
    expect(short(toDocument(`${heading}\n\nx`, resolve, { title }).nodes)).toEqual([p('x')]);
  });

  it('keeps a first heading that differs from the title, and assigns the anchors of the others first', () => {
    const source = '# Services\n\n## Services\n\n## Other';
    expect(short(toDocument(source, resolve, { title: 'Azure' }).nodes)).toEqual([
      h(1, 'Services', 'services-1'),
      h(1, 'Services', 'services'),
      h(1, 'Other', 'other'),
    ]);
    const inDiv = toDocument('<div>\n\n<h1 id="top">A <em>b</em></h1>\n\n</div>', resolve, { title: 'C' });
    expect(inDiv.nodes).toMatchObject([{ type: 'heading-1', meta: { id: 'top' } }]);
  });

  it('writes no block, inline or mark that the public schema lacks', () => {
    const tags = ['updates', 'update', 'prompt', 'hint', 'tab', 'step', 'column', 'code', 'if', 'swagger', 'whatever'];
    const sources = [
      ...rows.map(([, source]) => source),
      ...tags.map((name) => `{% ${name} title="t" date="d" %}\n# x\n\n$$a$$ \`b\`\n{% end${name} %}`),
    ];
    const types = sources.flatMap((source) => typesIn(toDocument(source, resolve, { title: '' }).nodes));
    expect(types.length).toBeGreaterThan(200);
    expect([...new Set(types)].filter((type) => !officialTypes.has(type))).toEqual([]);
  });

  it('gives headings the anchors they would have without tabs and expandables', () => {
    const [, heading] = toDocument(
      '{% tabs %}\n{% tab title="Go" %}\nx\n{% endtab %}\n{% endtabs %}\n\n## Go',
      resolve,
    ).nodes;
    expect(heading?.meta?.id).toBe('go');
  });
});
