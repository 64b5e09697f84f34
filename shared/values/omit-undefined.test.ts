import { omitUndefined } from './omit-undefined.js';

test('keys whose value is undefined are left out, and all others are kept in their order', () => {
  const given = { b: undefined, a: 0, c: null, d: '', e: false, f: undefined };
  const copy = omitUndefined(given);
  expect(Object.entries(copy)).toEqual([
    ['a', 0],
    ['c', null],
    ['d', ''],
    ['e', false],
  ]);
  expect(Object.keys(given)).toHaveLength(6);
});
