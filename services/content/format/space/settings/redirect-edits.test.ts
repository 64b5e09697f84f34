import { renameRedirectTargets } from './redirect-edits.js';

const renamed = new Map([
  ['docs/a.md', 'docs/b c.md'],
  ['docs/x/README.md', 'docs/y/README.md'],
]);

test('redirects to renamed files lead to their new names, each in the quotes that it has', () => {
  const text =
    'root: ./docs/\r\nredirects: # old ones\r\n  one: a.md\r\n  two: "a.md#part" # why\r\n  three: \'./a.md\'\r\n  four: x/README.md\r\n  five: other.md\r\n  six: x\r\n';
  expect(renameRedirectTargets(text, { root: 'docs', renamed })).toBe(
    'root: ./docs/\r\nredirects: # old ones\r\n  one: "b c.md"\r\n  two: "b c.md#part" # why\r\n  three: \'b c.md\'\r\n  four: y/README.md\r\n  five: other.md\r\n  six: y/README.md\r\n',
  );
});

test.each([
  '',
  'root: x',
  'redirects: []',
  'redirects:\n  a: 1\n',
  'redirects: {a: other.md}',
  ': : :',
  'redirects: *x',
])('a configuration without such redirects stays as it is: %j', (text) => {
  expect(renameRedirectTargets(text, { root: '', renamed })).toBe(text);
});
