import fc from 'fast-check';
import { runs } from '../../../../../shared/testing/runs.js';
import { toDocument } from '../document.js';
import { mixes } from '../testing/mixes.js';
import { readPageParts } from './page-parts.js';

const textsOf = (source: string, title?: string) => {
  const { start, parts } = readPageParts(source, { title });
  return [start, ...parts.map(({ text, space }) => text + space)];
};

describe('the parts of a body', () => {
  it.each([
    [
      'blocks that follow one another',
      ['', '# A\n', 'b\nc\n', '* d\n* e\n\n  f\n', '***\n', '| g |\n| - |\n| h |\n\n', 'i\n=\n'],
    ],
    ['front matter and lines before the first block', ['---\na: 1\n---\n\n \n', 'a\n\n', 'b']],
    ['tags around blocks', ['', 'a\n\n', '{% hint %}\nb\n\n{% endhint %}\n', 'c\n\n', '{% embed url="u" %}\n', '# d']],
    ['a tag over lines', ['', 'a\n', '{% embed\nurl="u" %}\n\n', 'b\n']],
    [
      'elements around blocks',
      ['', '<details>\n\n<summary>a</summary>\n\nb\n\n</details>\n\n', 'c\n\n', '<hr>\n\n', 'd'],
    ],
    ['inline HTML that makes one block', ['', 'a\n\n', '<img src="a">\n\n<!-- b -->\n\n<img src="c">\n\n', 'd\n']],
    [
      'comments and definitions',
      ['', 'a\n\n', '<!-- b -->\n\n', '[c]: d\n\n', '[^e]: f\n\n    g\n\n', 'h\n\n', '[i]: j\nk\n'],
    ],
    ['a list around a definition', ['', 'a\n\n', '* b\n\n[c]: d\n\n* e\n\n', '[f]: g\n\n', 'h']],
    ['code and formulas', ['', '```\na\n\n```\n', '$$\nb\n\nc\n$$\n\n', '    d\n\n    e\n\n', 'f\n\n', '```\ng\n\n']],
    ['line ends of any kind', ['\uFEFF\r\n', 'a\r\n\r', '# b\r', 'c\n\r\n', 'd']],
  ])('are %s', (_name, texts) => {
    expect(textsOf(texts.join(''))).toEqual(texts);
  });

  it('hold each line, and in their order the blocks of the document', () => {
    fc.assert(
      fc.property(mixes, fc.constantFrom(undefined, 'alpha'), (source, title) => {
        expect(textsOf(source, title).join('')).toBe(source);
        const { parts } = readPageParts(source, { title });
        const blocks = [...parts.flatMap(({ blocks }) => blocks), ...parts.flatMap(({ unused }) => unused)];
        const document = toDocument(source, () => undefined, { title });
        const shown = (nodes: unknown) => JSON.stringify(nodes, (key, value) => (key === 'meta' ? undefined : value));
        expect(shown(blocks)).toBe(shown(document.nodes));
      }),
      { numRuns: runs(250) },
    );
  });
});
