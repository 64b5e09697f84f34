import { eventually } from '../testing/eventually.js';
import { KeyedCache } from './keyed-cache.js';

const newCache = (maxSize = 10) => new KeyedCache<string>({ maxSize, sizeOf: ({ length }) => length });

it('loads a value once for all who ask for it', async () => {
  const cache = newCache();
  const load = jest.fn(async () => 'a');
  expect(await Promise.all([cache.get('k', load), cache.get('k', load)])).toEqual(['a', 'a']);
  expect(await cache.get('k', load)).toBe('a');
  expect(load).toHaveBeenCalledTimes(1);
});

it('keeps neither failures nor undefined', async () => {
  const cache = new KeyedCache<string>({ maxSize: 10, sizeOf: () => 1 });
  await expect(cache.get('k', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await cache.get('k', async () => undefined)).toBeUndefined();
  expect(await cache.get('k', async () => 'a')).toBe('a');
});

it('gives a value that is too large to be kept to all who wait for it', async () => {
  const cache = newCache(3);
  expect(await cache.get('k', async () => 'larger')).toBe('larger');
  expect(cache.getIfKept('k')).toBeUndefined();
});

it('keeps a value for as long as its load says', async () => {
  const cache = newCache();
  await cache.get('k', async (keepFor) => {
    keepFor(1);
    return 'a';
  });
  await eventually('the end of its time', () => cache.getIfKept('k') === undefined);
});
