import { escapeAddress } from './escaped-address.js';

test.each([
  ['a b\tc\n', 'a%20b%09c%0A'],
  [`"'()<>\\\``, '%22%27%28%29%3C%3E%5C%60'],
  ['a\u00a0b\u3000c', 'a%C2%A0b%E3%80%80c'],
  ['guide/über.md?a=1#b%20c', 'guide/über.md?a=1#b%20c'],
])('%j is written as %j, and read as it is', (address, escaped) => {
  expect(escapeAddress(address)).toBe(escaped);
  expect(decodeURIComponent(escaped)).toBe(decodeURIComponent(address));
});
