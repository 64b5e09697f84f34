import fc from 'fast-check';
import { newId } from '../../../../../shared/values/ids.js';
import { keyBetween } from './order-keys.js';

it('a key lies between its neighbours, wherever nodes are put, or there is none', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), (places) => {
      const keys = [newId(), newId()];
      for (const place of places) {
        const at = place % (keys.length + 1);
        const key = keyBetween(keys[at - 1], keys[at]);
        if (key !== undefined) keys.splice(at, 0, key);
      }
      expect(keys).toEqual([...new Set(keys)].sort());
      expect(keys.length).toBe(places.length + 2);
    }),
  );
});

it('what is made later stands after what was moved to the end', () => {
  const moved = keyBetween(newId());
  expect(String(moved) < newId()).toBe(true);
  expect(keyBetween('Z')).toBe('ZG');
});

it.each([
  ['the first place', (keys: string[]) => keyBetween(undefined, keys[0])],
  ['the place after one node', (keys: string[]) => keyBetween('01KB', keys[0])],
])('hundreds of nodes find room at %s before their keys get long', (_, next) => {
  const keys = ['01KB5W2Y7VJ4Q8Z0C3N6M9RTXE'];
  for (let key = next(keys); key !== undefined; key = next(keys)) keys.unshift(key);
  expect(keys.length).toBeGreaterThan(300);
  expect(keys).toEqual([...keys].sort());
});

it('there is no room between equal keys', () => {
  expect(keyBetween('01', '01')).toBeUndefined();
  expect(keyBetween('01', '010')).toBeUndefined();
});
