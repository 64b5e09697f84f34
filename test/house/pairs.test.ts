import { packageFile } from '../../shared/process/package-root.js';
import { countPairs } from './count/pairs.js';

const { rooms, services, groups } = countPairs(packageFile('.'));

it.each(Object.entries(rooms))('no rooms and doors of %s import each other', (_, pairs) => {
  expect(pairs).toEqual([]);
});

it('no services and no groups of content import each other', () => {
  expect([services, groups]).toEqual([[], []]);
});
