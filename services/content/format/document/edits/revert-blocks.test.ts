import fc from 'fast-check';
import { runs } from '../../../../../shared/testing/runs.js';
import { plainText, toDocument } from '../document.js';
import { mixes } from '../testing/mixes.js';
import { revertBlocks } from './revert-blocks.js';

const keysOf = (source: string, title?: string) =>
  toDocument(source, () => undefined, { title }).nodes.map(({ key }) => key);
/** The key of the block that contains a text. */
function keyOf(source: string, text: string): string {
  const found = toDocument(source, () => undefined).nodes.find((node) => plainText([node]).includes(text));
  return found?.key ?? `no ${text}`;
}

/** Reverts the blocks of the tip, or else of the base, that contain these texts. */
function revert(base: string, tip: string, ...texts: string[]): string {
  const keys = texts.map((text) => keyOf(tip.includes(text) ? tip : base, text));
  const result = revertBlocks({ base, tip, keys });
  return 'source' in result ? result.source : `unknown ${result.unknown}`;
}

const hint = (text: string) => `{% hint style="info" %}\n${text}\n\n* one\n{% endhint %}\n`;

describe('a reverted block', () => {
  it.each([
    ['that was added is removed', '# T\n\na\n\nc\n', '# T\n\na\n\nX\n\nc\n', ['X'], '# T\n\na\n\nc\n'],
    ['that was added last is removed', 'a\n', 'a\n\nX', ['X'], 'a\n'],
    ['that was deleted is restored', 'a\n\nb\n\nc\n', 'a\n\nc\n', ['b'], 'a\n\nb\n\nc\n'],
    ['that was deleted last is restored', 'a\n\nb', 'a', ['b'], 'a\n\nb'],
    ['that was deleted first is restored', 'a\n\nb', '---\nx: 1\n---\n\nb', ['a'], '---\nx: 1\n---\n\na\n\nb'],
    ['that was the only one is restored', 'a', '---\nx: 1\n---', ['a'], '---\nx: 1\n---\na'],
    ['that changed is reset', 'a\n\nb\nb2\n\nc\n', 'a2\n\n\nB\n\nc2\n', ['B'], 'a2\n\n\nb\nb2\n\nc2\n'],
    ['that changed is reset by its former key', 'a\n\nb\n\nc\n', 'a2\n\nB\n\nc2\n', ['b'], 'a2\n\nb\n\nc2\n'],
    ['of another type now is reset', 'a\n\nb\n\nc\n', 'a\n\n* B\n\nc\n', ['B'], 'a\n\nb\n\nc\n'],
    ['that only points elsewhere now is reset', '[a](b)\n\nc\n', '[a](d)\n\nc2\n', ['a'], '[a](b)\n\nc2\n'],
    [
      'that moved is put back',
      '# T\n\na\n\nb\n\nc\n\nd\n',
      '# T\n\nd\n\na\n\nb\n\nX\n',
      ['d'],
      '# T\n\na\n\nb\n\nX\n\nd\n',
    ],
    ['stands for what is inside it', `a\n\n${hint('b')}c\n`, `a2\n\n${hint('B')}c\n`, ['B'], `a2\n\n${hint('b')}c\n`],
    [
      'of several blocks is reverted as one',
      '<div>\n\na\n\nb\n\n</div>\n',
      '<div>\n\na\n\nB\n\n</div>\n\nX\n',
      ['a'],
      '<div>\n\na\n\nb\n\n</div>\n\nX\n',
    ],
    [
      'that is not wrapped any more is wrapped again',
      '<div>\n\na\n\nb\n\n</div>\n\nc',
      'a\n\nb\n\nc2',
      ['b'],
      '<div>\n\na\n\nb\n\n</div>\n\nc2',
    ],
    ['does not join others', 'a\n\nb\n', 'a\n## X\nb\n', ['X'], 'a\n\nb\n'],
    ['touches others as it did', '## a\nb\n## c\n', '## A\nb2\n## c\n', ['A'], '## a\n\nb2\n## c\n'],
    [
      'leaves comments',
      'a\n\n<!-- x -->\n\nb\n',
      'A\n\n<!-- y -->\n\nb\n\n<!-- z -->\n',
      ['A'],
      'a\n\n<!-- y -->\n\nb\n\n<!-- z -->\n',
    ],
    [
      'brings the definitions it needs',
      'a\n\n[b][c]\n\n[c]: d\n[e]: f\n',
      'a\n\n[e]: g\n',
      ['b'],
      'a\n\n[b][c]\n\n[c]: d\n[e]: f\n\n[e]: g\n',
    ],
    [
      'brings its footnote',
      'a[^1]\n\nb\n\n[^1]: c\n',
      'A[^1]\n\nb\n\n[^1]: C\n\n    D\n',
      ['A'],
      'a[^1]\n\nb\n\n[^1]: c\n',
    ],
    ['may be a footnote', 'a\n', 'a\n\n[^1]: b\n', ['b'], 'a\n'],
    ['keeps line ends', 'a\r\n\r\nb\r\n', 'a\r\n\r\nB\r\n\r\nc\r\n', ['B'], 'a\r\n\r\nb\r\n\r\nc\r\n'],
    ['that is a rule does not begin a front matter', '***\n\na\n\n---\n', 'a\n\n---\n', [], 'a\n\n---\n'],
  ])('%s', (_name, base, tip, texts, expected) => {
    expect(revert(base, tip, ...texts)).toBe(expected);
  });

  it('that was a rule at the start does not make front matter', () => {
    const [base, tip] = ['\n---\n\na\n\n---\nb', 'a\n\n---\nb'];
    expect(revertBlocks({ base, tip, keys: keysOf(base) })).toEqual({ source: base });
  });

  it('is named by a key of either document', () => {
    expect(revertBlocks({ base: 'a', tip: 'b', keys: ['x', ...keysOf('a'), 'y'] })).toEqual({ unknown: ['x', 'y'] });
    expect(revertBlocks({ base: 'a', tip: 'b', keys: [] })).toEqual({ source: 'b' });
    const [key = ''] = keysOf('# A', 'T');
    expect(revertBlocks({ base: '', tip: '# A', keys: [key] })).toEqual({ unknown: [key] });
    expect(revertBlocks({ base: '', tip: '# A', keys: [key], title: 'T' })).toEqual({ source: '' });
  });
});

const forms: ((text: string) => string)[] = [
  (text) => text,
  (text) => `${text}\nsecond line`,
  (text) => `## ${text}`,
  (text) => `> ${text}\n> \n> more`,
  (text) => `\`\`\`js\n${text}\n\n}\n\`\`\``,
  (text) => `| ${text} |\n| --- |\n| b |`,
  hint,
  (text) => `<details>\n\n<summary>${text}</summary>\n\ninside\n\n</details>`,
  (text) =>
    `{% tabs %}\n{% tab title="${text}" %}\na\n{% endtab %}\n\n{% tab title="b" %}\nc\n{% endtab %}\n{% endtabs %}`,
  (text) => `$$\n${text}\n\n$$`,
  (text) => `<div align="center">\n\n${text}\n\n</div>`,
  () => '***',
];
const block = fc.record({ form: fc.constantFrom(...forms), text: fc.constantFrom('a', 'b', 'c', 'd', 'e') });
const blocks = fc.array(block, { maxLength: 8 }).map((list) => list.map(({ form, text }) => form(text).trimEnd()));
const written = (list: string[], lineEnd: string) => list.join('\n\n').replaceAll('\n', lineEnd);

describe('of any two pages', () => {
  it('reverting all blocks gives those of the base', () => {
    fc.assert(
      fc.property(blocks, blocks, fc.constantFrom('\n', '\r\n'), (before, after, lineEnd) => {
        const [base, tip] = [
          `---\na: 1\n---\n${written(before, lineEnd)}`,
          `---\nb: 2\n---\n\n${written(after, lineEnd)}\n`,
        ];
        const result = revertBlocks({ base, tip, keys: [...keysOf(base), ...keysOf(tip)] });
        if (!('source' in result)) throw new Error('unknown keys');
        expect(keysOf(result.source)).toEqual(keysOf(base));
        expect(result.source.startsWith('---\nb: 2\n---\n')).toBe(true);
      }),
      { numRuns: runs(60) },
    );
  });

  it('reverting one leaves all others', () => {
    const hashes = (source: string) => keysOf(source).map((key) => key.split('-', 1)[0] ?? '');
    const counts = (list: string[]) => {
      const sum = new Map<string, number>();
      for (const each of list) sum.set(each, (sum.get(each) ?? 0) + 1);
      return sum;
    };
    fc.assert(
      fc.property(blocks, blocks, fc.nat(), (before, after, nth) => {
        const [base, tip] = [written(before, '\n'), written(after, '\n')];
        const keys = [...keysOf(tip), ...keysOf(base)];
        const key = keys[nth % keys.length];
        if (key === undefined) return;
        const result = revertBlocks({ base, tip, keys: [key] });
        if (!('source' in result)) throw new Error('unknown key');
        const [was, is] = [counts(hashes(tip)), counts(hashes(result.source))];
        const changed = [...new Set([...was.keys(), ...is.keys()])].map(
          (hash) => (is.get(hash) ?? 0) - (was.get(hash) ?? 0),
        );
        expect(changed.filter((by) => by < 0).length).toBeLessThanOrEqual(1);
        expect(changed.filter((by) => by > 0).length).toBeLessThanOrEqual(1);
        expect(changed.every((by) => Math.abs(by) <= 1)).toBe(true);
        const [hash = ''] = key.split('-', 1);
        if (!was.has(hash)) expect(is.has(hash)).toBe(true);
        else if (!hashes(base).includes(hash)) expect(is.get(hash) ?? 0).toBe((was.get(hash) ?? 0) - 1);
      }),
      { numRuns: runs(60) },
    );
  });

  it('no sources make it throw, and those of equal blocks stay', () => {
    fc.assert(
      fc.property(mixes, mixes, (base, tip) => {
        revertBlocks({ base, tip, keys: [...keysOf(base), ...keysOf(tip)] });
        expect(revertBlocks({ base: tip, tip, keys: keysOf(tip) })).toEqual({ source: tip });
      }),
      { numRuns: runs(40) },
    );
  });
});
