import { type BothForms, readText } from './read-text.js';

describe('refuses Markdown', () => {
  const zero = '\u200b\u200d\ufeff\u2060';
  it.each([
    ['a\u0000b', 'markdown: holds the character U+0000, which is not allowed'],
    ['a\u0007', 'U+0007'],
    ['a\u009f', 'U+009F'],
    ['a\u202eb', 'U+202E'],
    ['a\u202d', 'U+202D'],
    ['a\ud800', 'U+D800'],
    ['a &#x202e; b', 'U+202E'],
    ['', 'markdown: shows nothing'],
    [` \n\t${zero}\u3164\u00a0`, 'shows nothing'],
    ['&#8203;', 'shows nothing'],
    [`# ${zero}\n\n> -\n\n\`\`\`js\n\`\`\``, 'shows nothing'],
    ['[a]: https://b.example', 'shows nothing'],
    [Array.from({ length: 51 }, (_, at) => `[a](/users/u${at})`).join(' '), 'mentions more than 50 users'],
    [
      `|${'a|'.repeat(100)}\n|${'-|'.repeat(100)}\n${`|${'b|'.repeat(100)}\n`.repeat(90)}`,
      'makes a document of more than 500,000',
    ],
  ])('%j', (markdown, why) => {
    expect(readText({ markdown })).toEqual({ refused: expect.stringContaining(why) });
  });
});

const body = (...nodes: unknown[]) => ({ document: { object: 'document', nodes } });
const paragraph = (...nodes: unknown[]) => ({ object: 'block', type: 'paragraph', nodes });
const words = (value: unknown, more: object = {}) => ({
  object: 'text',
  leaves: [{ object: 'leaf', text: value, ...more }],
});
const linked = (data: unknown) => paragraph({ object: 'inline', type: 'link', data, nodes: [words('a')] });

describe('refuses a document', () => {
  const deep = (levels: number): unknown =>
    levels === 0 ? paragraph(words('a')) : { object: 'block', type: 'blockquote', nodes: [deep(levels - 1)] };
  it.each<[string, unknown, string]>([
    ['of another kind', null, 'document: must be an object'],
    ['that says to be something else', { object: 'block', nodes: [] }, 'document.object: must be "document"'],
    ['without nodes', { object: 'document' }, 'document.nodes: required'],
    ['with a node that is no object', body(1).document, 'document.nodes.0: must be an object'],
    [
      'with an unknown block',
      body(paragraph(words('a')), { object: 'block', type: 'embed' }).document,
      'document.nodes.1.type: texts have no blocks of the type "embed"',
    ],
    ['with text where blocks are', body(words('a')).document, 'document.nodes.0.object: must be "block"'],
    [
      'with an unknown inline',
      body(paragraph({ object: 'inline', type: 'icon', data: {} })).document,
      'document.nodes.0.nodes.0.type: texts have no inlines of the type "icon"',
    ],
    [
      'with an unknown mark',
      body(paragraph(words('a', { marks: [{ object: 'mark', type: 'color' }] }))).document,
      'document.nodes.0.nodes.0.leaves.0.marks.0.type: texts have no marks of the type "color"',
    ],
    ['without leaves', body(paragraph({ object: 'text' })).document, 'document.nodes.0.nodes.0.leaves: required'],
    [
      'with text that is none',
      body(paragraph(words(1))).document,
      'document.nodes.0.nodes.0.leaves.0.text: must be a text',
    ],
    [
      'with a void paragraph',
      body({ ...paragraph(words('a')), isVoid: true }).document,
      'document.nodes.0.isVoid: must be false',
    ],
    [
      'with a divider of text',
      body({ object: 'block', type: 'divider', nodes: [words('a')] }).document,
      'document.nodes.0.nodes: must be empty',
    ],
    [
      'with a list of paragraphs',
      body({ object: 'block', type: 'list-ordered', nodes: [paragraph(words('a'))] }).document,
      'document.nodes.0.nodes.0.type: must be "list-item"',
    ],
    [
      'with a wrong start',
      body({ object: 'block', type: 'list-ordered', data: { start: -1 }, nodes: [] }).document,
      'document.nodes.0.data.start: must be a whole number',
    ],
    [
      'with a link of a script',
      body(linked({ ref: { kind: 'url', url: 'java\tscript:a' } })).document,
      'document.nodes.0.nodes.0.data.ref.url: must be an address of http, https or mailto',
    ],
    [
      'with a link of data',
      body(linked({ ref: { kind: 'url', url: 'DATA:a' } })).document,
      'document.nodes.0.nodes.0.data.ref.url: must be',
    ],
    [
      'with a reference to a specification',
      body(linked({ ref: { kind: 'openapi', spec: 'a' } })).document,
      'texts have no links to targets of the kind "openapi"',
    ],
    [
      'with a reference to an object’s own properties',
      body(linked({ ref: { kind: 'constructor' } })).document,
      'of the kind "constructor"',
    ],
    ['with a wrong id', body(linked({ ref: { kind: 'page', page: '../a' } })).document, 'data.ref.page: must be an id'],
    ['of many levels', body(deep(60)).document, 'more than 50 levels'],
    [
      'of many nodes',
      body(...Array.from({ length: 2001 }, () => paragraph())).document,
      'document.nodes.2000: more than 2000 nodes',
    ],
    ['of much text', body(paragraph(words('a'.repeat(20_001)))).document, 'more than 20,000 characters of text'],
    ['with a control character', body(paragraph(words('a\u0000'))).document, 'document: holds the character U+0000'],
    ['that shows nothing', body(paragraph(words(' \u200b'))).document, 'document: shows nothing'],
  ])('%s', (_, document, why) => {
    expect(readText({ document })).toEqual({ refused: expect.stringContaining(why) });
  });
});

it('takes documents as other clients send them, and keeps what texts have', () => {
  const sent = {
    object: 'document',
    data: { schemaVersion: 9 },
    nodes: [
      {
        ...paragraph(words('a '), {
          object: 'inline',
          type: 'emoji',
          isVoid: true,
          data: { code: '1f389' },
          nodes: [words('')],
        }),
        meta: { id: 'x' },
        data: { align: 'center' },
        key: 'k',
      },
      {
        object: 'block',
        type: 'list-tasks',
        nodes: [{ object: 'block', type: 'list-item', nodes: [paragraph(words('b', { marks: [{ type: 'bold' }] }))] }],
      },
    ],
  };
  expect(readText({ document: sent })).toMatchObject({ markdown: 'a 🎉\n\n- [ ] **b**', mentions: [] });
  const made = readText({ document: sent }) as BothForms;
  expect(made.document.data).toEqual({});
  expect(made.document.nodes[0]).not.toHaveProperty('meta');
  expect(made.document.nodes[0]?.data).toEqual({});
});
