import { isPlainText } from './plain-text.js';

it.each([
  ['The second step is missing.', true],
  ['Zwei Zeilen,\r\n\tund *Betonung* 👩‍👩‍👧 https://a.example', true],
  ['次の手順がありません。', true],
  ['- one\n\ntwo', true],
  ['', false],
  [' \n\u200b', false],
  ['\u3164', false],
  ['- \n# \n```js', false],
  ['```js\u2028a', false],
  ['a <b>', false],
  ['[Ada](/users/01H)', false],
  ['a &#x202e;', false],
  ['a\u0000', false],
  ['a\u0085', false],
  ['a\u202eb', false],
  ['a\ud800', false],
  ['see ftp://a.example', false],
  ['see https://a.example\u200d', false],
  ['see www.a.example/👩‍👩‍👧', false],
  [`see https://a.example/${'a'.repeat(2048)}`, false],
])('%j: %s', (text, plain) => {
  expect(isPlainText(text)).toBe(plain);
});
