import { leastMs, processorMs } from '../../../../shared/testing/processor-time.js';
import { readText } from './read-text.js';

const below = 1000;
const msToRead = (text: Parameters<typeof readText>[0]) =>
  leastMs(async () => processorMs(() => readText(text)), { below });

describe('20,000 characters take little time', () => {
  const much = (part: string) => part.repeat(Math.ceil(20_000 / part.length)).slice(0, 20_000);
  const parts = [
    ...['[', '![', '](', '[a](', '[[]]', '[a][', '[a]: ', '[a]:b\n', '<', '<a ', '<!--', '</', '<?', '<http:', '<a@'],
    ...[
      '*',
      '_',
      '~~',
      '**a ',
      '*a _b ',
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
  it.each(parts)('%j', async (part) => {
    for (const markdown of [much(part), `a ${much(part)} a`]) {
      expect(await msToRead({ markdown })).toBeLessThan(below);
      const made = readText({ markdown });
      expect(await msToRead({ document: 'refused' in made ? null : made.document })).toBeLessThan(below);
    }
  });

  it.each<[string, string]>([
    ['ever deeper quotes', Array.from({ length: 190 }, (_, at) => `${'>'.repeat(at)} a`).join('\n')],
    ['ever deeper lists', Array.from({ length: 190 }, (_, at) => `${' '.repeat(at)}- a`).join('\n')],
    ['ever longer code spans', Array.from({ length: 190 }, (_, at) => `${'`'.repeat(at)} a`).join(' ')],
    ['a table of many columns', `${'|a'.repeat(6000)}|\n${'|-'.repeat(3900)}|`],
  ])('%s', async (_, markdown) => {
    expect(await msToRead({ markdown })).toBeLessThan(below);
  });

  it('an ordinary text takes a millisecond', () => {
    const markdown = 'Please see [the guide](https://a.example/b): **the second step** is `missing`.\n\n- a\n- b\n';
    const many = () => {
      for (let run = 0; run < 200; run++) readText({ markdown });
    };
    many();
    expect(processorMs(many) / 200).toBeLessThan(1);
  });
});
