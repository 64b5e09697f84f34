import { outline } from '../testing/outline.js';

test('redirects follow each other to a page, and end where none is', () => {
  const redirects = [
    'a: guide',
    'B.md: A#x',
    'c: ./b',
    'loop: round',
    'round: loop',
    'gone: nowhere.md',
    'folder: guide.md',
    'path: guides/inner',
    'e: my%20page.md',
  ];
  const read = outline({
    '.gitbook.yaml': `redirects:\n${redirects.map((line) => `  ${line}`).join('\n')}\n`,
    'SUMMARY.md': '* [Guide](guide/README.md)\n* [Mine](<my page.md>)\n## Guides\n* [Inner](x/inner.md)\n',
    'x/inner.md': '',
    'guide/README.md': '',
    'my page.md': '',
  });
  expect(read.redirects).toEqual([
    { from: 'a', file: 'guide/README.md' },
    { from: 'B.md', file: 'guide/README.md', anchor: 'x' },
    { from: 'c', file: 'guide/README.md', anchor: 'x' },
    { from: 'folder', file: 'guide/README.md' },
    { from: 'path', file: 'x/inner.md' },
    { from: 'e', file: 'my page.md' },
  ]);
  expect(read.problems.map(({ message }) => message)).toEqual([
    'loop is redirected to round, which is not a page',
    'round is redirected to loop, which is not a page',
    'gone is redirected to nowhere.md, which is not a page',
  ]);
});
