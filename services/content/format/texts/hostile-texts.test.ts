import { expectLinear } from '../../../../shared/testing/processor-time.js';
import { readText } from './read-text.js';

/** Throws unless Markdown of any length, and the document that it is, are read in a time by their length only. */
function expectLinearText(markdownOf: (length: number) => string, length: number): void {
  expectLinear((size) => {
    const made = readText({ markdown: markdownOf(size) });
    readText({ document: 'refused' in made ? null : made.document });
  }, length);
}

describe('a text takes time by its length only', () => {
  const parts = [
    ...['[', '![', '](', '[a](', '[[]]', '[a][', '[a]: ', '[a]:b\n', '<', '<a ', '<!--', '</', '<?', '<http:', '<a@'],
    ...[
      '*',
      '_',
      '~~',
      '**a ',
      '*a _b ',
      '*a b_ ',
      '**a **b ',
      'a** b',
      '_**a **_b ',
      '**a ~~b ',
      '前**「',
      '_a*',
      'a*_',
      '***a',
      '__a',
      '`',
      '`a',
      '``a`',
      '>',
      '> ',
      '>\n',
      '- ',
      '- a\n',
      '1. ',
      '* - + ',
    ],
    ...[
      '&',
      '&amp;',
      '&#',
      '&#x1;',
      '|',
      '|a',
      '| a |\n|-|\n',
      'a|b\n-|-\n',
      '\\',
      '\\\n',
      '  \n',
      '\n',
      '\t',
      '#',
      '# ',
      '===\n',
      '---\n',
    ],
    ...[
      'www.',
      'http://',
      'https://a.',
      'a@',
      'a@b.',
      '(',
      'https://a.b/(',
      'https://a.b/)',
      'https://a.b/&amp;',
      'ftp://',
      '- [ ] ',
      '```\n',
      '~~~',
      '!',
      '\u0301',
      '\u200b',
    ],
    ...['](java&#115;cript:', ']:&#9;', '](\t', '[@a](/users/a) ', ' ', 'a ', 'a\u00a0', '漢', '👩‍'],
  ];
  const much = (part: string, length: number) => part.repeat(Math.ceil(length / part.length));

  it.each(parts)('%j', (part) => {
    expectLinearText((length) => much(part, length), 500);
    expectLinearText((length) => `a ${much(part, length)} a`, 500);
  });

  /** Lines, each one deeper than the last, of so many characters together. */
  const deeper = (mark: string, text: string, length: number) =>
    Array.from({ length: Math.sqrt(2 * length) }, (_, at) => `${mark.repeat(at)}${text}`).join('\n');

  it.each<[string, (length: number) => string]>([
    ['ever deeper quotes', (length) => deeper('>', ' a', length)],
    ['ever deeper lists', (length) => deeper(' ', '- a', length)],
    ['ever longer code spans', (length) => deeper('`', ' a', length)],
    ['a table of many columns', (length) => `${'|a'.repeat(0.3 * length)}|\n${'|-'.repeat(0.2 * length)}|`],
  ])('%s', (_, markdownOf) => expectLinearText(markdownOf, 1000));
});
