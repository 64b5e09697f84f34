import { document } from './page-worker.js';
import { isSmallPage } from './small-pages.js';

/** The nodes of a document: whatever has a type. */
function nodesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = 'object' in value && 'nodes' in value ? 1 : 0;
  return Object.values(value).reduce<number>((sum, each) => sum + nodesIn(each), own);
}

const parts = [
  ...['[', '![', '[a](b)', '[a]:b\n', '<', '<a href="b">', '<!--', '<mark>a', '<details>\n', '<table><tr><td>'],
  ...[
    '*a* ',
    '**a ',
    '_',
    '~~a~~',
    '`a`',
    '>',
    '> a\n',
    '- a\n',
    '1. a\n',
    '- [ ] a\n',
    '* - + ',
    'a\n\n',
    '# a\n',
    '---\n',
  ],
  ...[
    '&amp;',
    '|',
    '|a',
    '|a|b|c|d|e|f|g|h|\n',
    'a|b\n-|-\n',
    '\\',
    '\n',
    '\t',
    '{% hint %}\n',
    '{% tabs %}\n',
    '{{a}}',
    '$$a$$',
  ],
  ...['www.a.b ', 'https://a.b ', 'a@b.co ', ':smile:', '[^a]', 'a ', '.', '1', "'", '(', '-', '/', '漢', '👩‍'],
];

/** The most repetitions of a part that are small, filled up with words. */
function most(part: string): string {
  const filled = (times: number) => part.repeat(times).padEnd(8192, ' word').slice(0, 8192);
  let [small, large] = [1, Math.floor(8192 / part.length) + 1];
  while (large - small > 1) {
    const times = Math.floor((small + large) / 2);
    if (isSmallPage({ source: filled(times) })) small = times;
    else large = times;
  }
  return filled(small);
}

describe('a small page', () => {
  it.each(parts)('has a bounded number of nodes: %j', (part) => {
    const source = most(part);
    expect(isSmallPage({ source })).toBe(true);
    expect(nodesIn(document({ source, refs: new Map() }))).toBeLessThan(3000);
  });

  it('is one of some length and some signs, which is the same for every reader', () => {
    expect(isSmallPage({ source: `# Title\n\n${'Words of a manual. '.repeat(400)}` })).toBe(true);
    expect(isSmallPage({ source: `# Title\n\n${'Words of a manual. '.repeat(500)}` })).toBe(false);
    expect(isSmallPage({ source: '|a|b|\n'.repeat(200) })).toBe(false);
    const inputs = { visitor: { claims: {} }, space: { vars: {} }, page: { vars: {} } } as never;
    expect(isSmallPage({ source: '# Title\n', inputs })).toBe(false);
  });
});
