import fc from 'fast-check';
import { expectLinear } from '../../../../shared/testing/processor-time.js';
import { anyCharacter, runs } from '../../../../shared/testing/runs.js';
import { plainText, toDocument } from './document.js';
import { parsePage } from './page.js';
import { mixes, WORDS } from './testing/mixes.js';

const everything = (source: string) => {
  const page = parsePage(source);
  const document = toDocument(source, () => undefined);
  return { page, text: `${page.title ?? ''}\n${plainText(document.nodes)}` };
};

describe('any source', () => {
  it('is read without an exception', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: anyCharacter, maxLength: 300 }), mixes),
        (source) => void everything(source),
      ),
      { numRuns: runs(125) },
    );
  });

  it('gives sections that hold the text of the document', () => {
    const words = (text: string) => (text.match(/[\p{L}\p{N}]+/gu) ?? []).sort();
    fc.assert(
      fc.property(mixes, (source) => {
        const { sections } = parsePage(source);
        const document = toDocument(source, () => undefined, { title: '' });
        expect(words(sections.map(({ title = '', text }) => `${title} ${text}`).join('\n'))).toEqual(
          words(plainText(document.nodes)),
        );
      }),
      { numRuns: runs(125) },
    );
  });

  // Words may hide where the format says so: in URLs and attributes, fence infos, tags, fallbacks of references.
  const hiding = new RegExp(
    `\\[|\\]|\`\`\`|~~~|<(?:a|summary)|<[^>]* (?:${WORDS.join('|')})|{%[^%]* (?:${WORDS.join('|')})`,
  );

  it('keeps every visible word', () => {
    fc.assert(
      fc.property(
        mixes.filter((source) => !hiding.test(source)),
        (source) => {
          const { text } = everything(source);
          for (const word of WORDS) if (source.includes(` ${word} `)) expect(text).toContain(word);
        },
      ),
      { numRuns: runs(125) },
    );
  });
});

describe('a large source', () => {
  const nonsense = [
    '[',
    '![',
    '[a](',
    '*a ',
    'a**b',
    '_a_ ',
    '*a b_ ',
    '> ',
    '- ',
    '<a ',
    '<a b="',
    '<div>',
    '<!-- ',
    '` `` ``` ',
    '[^a]',
    '$$',
    '{% hint %}\n',
    '{% x ',
    '| a ',
    '|a|b|\n|-|-|\n',
    '&',
    '\\',
    '\n',
    'a@',
    'http://a/(',
    '<code class="expression">',
    '[a]: b\n',
  ];
  it.each(nonsense)('of nothing but %j is read in linear time', (piece) =>
    expectLinear((length) => parsePage(piece.repeat(Math.ceil(length / piece.length))), 10_000),
  );

  it('reads a table with many columns and short rows in linear time', () => {
    expectLinear((count) => parsePage(`|${'a|'.repeat(count)}\n|${'-|'.repeat(count)}\n${'|a\n'.repeat(count)}`), 500);
  });

  it('limits the depth and keeps the text', () => {
    for (const open of ['> ', '- ', '<div>', '{% hint %}\n', '<b>', '**a ', '![a ', '[a ']) {
      expect(everything(`${open.repeat(5_000)}deep`).text).toContain('deep');
    }
    const notes = Array.from({ length: 2_000 }, (_, at) => `[^${at}]: note${at} [^${at + 1}] [^${at + 1}]`).join('\n');
    expect(everything(`[^0]\n\n${notes}`).text).toContain('note1999');
  });
});
