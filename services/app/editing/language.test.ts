import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { pageLanguage } from '../browser/editor/language.js';

const opened = (text: string): EditorState => {
  const { doc } = EditorState.create({ doc: text });
  return EditorState.create({ doc, extensions: pageLanguage(doc) });
};

/** The parts of a text with the names of these kinds. */
function partsOf(state: EditorState, ...names: string[]): [name: string, text: string][] {
  const parts: [string, string][] = [];
  ensureSyntaxTree(state, state.doc.length, 10_000)?.iterate({
    enter({ name, from, to }) {
      if (names.includes(name)) parts.push([name, state.sliceDoc(from, to)]);
    },
  });
  return parts;
}

it('front matter is read with its keys, up to the line that ends it', () => {
  const state = opened('---\ntitle: Some "thing"\nlist:\n  - key: x # why\n---\n\n# Heading\n\n---\n');
  expect(partsOf(state, 'FrontMatter', 'FrontMatterKey', 'ATXHeading1', 'HorizontalRule')).toEqual([
    ['FrontMatter', '---\ntitle: Some "thing"\nlist:\n  - key: x # why\n---'],
    ['FrontMatterKey', 'title'],
    ['FrontMatterKey', 'list'],
    ['FrontMatterKey', 'key'],
    ['ATXHeading1', '# Heading'],
    ['HorizontalRule', '---'],
  ]);
  expect(partsOf(opened('\uFEFF---\na: b\n---\n'), 'FrontMatterKey')).toEqual([['FrontMatterKey', 'a']]);
  expect(partsOf(opened('---\nnever: closed\n'), 'FrontMatter')).toEqual([]);
  expect(partsOf(opened('x\n---\na: b\n---\n'), 'FrontMatter')).toEqual([]);
});

it('front matter is read anew when it is closed, or opened, far from its beginning', () => {
  const lines = Array.from({ length: 200 }, (_, at) => `key${at}: x\n\n`).join('');
  let state = opened(`---\n${lines}`);
  expect(partsOf(state, 'FrontMatter')).toEqual([]);
  state = state.update({ changes: { from: state.doc.length, insert: '---\n' } }).state;
  expect(partsOf(state, 'FrontMatter')).toHaveLength(1);
  expect(syntaxTree(state).topNode.firstChild?.to).toBe(state.doc.length - 1);
  state = state.update({ changes: { from: state.doc.length - 4, to: state.doc.length } }).state;
  expect(partsOf(state, 'FrontMatter')).toEqual([]);
});

it.each([
  [
    'a line of tags',
    'Text\n{% tabs %}{% tab title="a %} \\" b" icon=x %}\nText\n{% endtab %} {% endtabs %}\n',
    [
      ['Tag', '{% tabs %}'],
      ['TagName', 'tabs'],
      ['Tag', '{% tab title="a %} \\" b" icon=x %}'],
      ['TagName', 'tab'],
      ['TagArgument', 'title'],
      ['TagValue', '"a %} \\" b"'],
      ['TagArgument', 'icon'],
      ['TagValue', 'x'],
      ['Tag', '{% endtab %}'],
      ['TagName', 'endtab'],
      ['Tag', '{% endtabs %}'],
      ['TagName', 'endtabs'],
    ],
  ],
  [
    'tags behind text, in lists and quotes',
    '* one {% endstep %}\n\n> {% @mermaid/diagram %}\n',
    [
      ['Tag', '{% endstep %}'],
      ['TagName', 'endstep'],
      ['Tag', '{% @mermaid/diagram %}'],
      ['TagName', '@mermaid/diagram'],
    ],
  ],
  [
    'formulas',
    'and $$a_b_c$$ of\n\n$$\nx\n$$\n',
    [
      ['Formula', '$$a_b_c$$'],
      ['Formula', '$$\nx\n$$'],
    ],
  ],
  ['no tag that is not closed', 'a {% b\n\n{% c\n', []],
  ['no tag in code', '```\n{% hint %}\n```\n\n`{% x %}`\n', []],
])('%s', (_, text, parts) => {
  expect(partsOf(opened(text), 'Tag', 'TagName', 'TagArgument', 'TagValue', 'Formula')).toEqual(parts);
});
