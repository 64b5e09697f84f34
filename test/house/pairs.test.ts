import { packageFile } from '../../shared/process/package-root.js';
import { countPairs } from './count/pairs.js';

/** A service, or content with its groups, that gets fewer lowers its number. */
const maxPairs = { comments: 3, content: 16, gateway: 0, identity: 9, insights: 1, integrations: 5, sites: 6 };
const maxServicePairs = 5;
const maxGroupPairs = 2;

const { rooms, services, groups } = countPairs(packageFile('.'));

it.each(Object.entries(maxPairs))('no more rooms and doors of %s import each other', (service, max) => {
  expect(rooms[service]?.slice(max)).toEqual([]);
});

it('no more services and groups of content import each other', () => {
  expect([services.slice(maxServicePairs), groups.slice(maxGroupPairs)]).toEqual([[], []]);
});
