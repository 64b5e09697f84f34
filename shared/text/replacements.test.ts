import { withReplacements } from './replacements.js';

test.each([
  ['none', [], 'abcdef'],
  [
    'some',
    [
      { from: 1, to: 3, text: 'X' },
      { from: 5, to: 6, text: '' },
    ],
    'aXde',
  ],
  [
    'insertions',
    [
      { from: 0, to: 0, text: '<' },
      { from: 6, to: 6, text: '>' },
    ],
    '<abcdef>',
  ],
  [
    'one that begins within another',
    [
      { from: 1, to: 4, text: 'X' },
      { from: 3, to: 5, text: 'Y' },
    ],
    'aXef',
  ],
  [
    'neighbours',
    [
      { from: 1, to: 3, text: 'X' },
      { from: 3, to: 4, text: 'Y' },
    ],
    'aXYef',
  ],
])('%s of the parts of a text are replaced', (_, replacements, expected) => {
  expect(withReplacements('abcdef', replacements)).toBe(expected);
});
