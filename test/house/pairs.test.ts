import { packageFile } from '../../shared/process/package-root.js';
import { countPairs } from './count/pairs.js';

/** A service, or content with its groups, that gets fewer lowers its number. */
const maxPairs = { comments: 0, content: 0, gateway: 0, identity: 0, insights: 0, integrations: 0, sites: 0 };
const maxServicePairs = 0;
const maxGroupPairs = 0;

const { rooms, services, groups } = countPairs(packageFile('.'));

it.each(Object.entries(maxPairs))('no more rooms and doors of %s import each other', (service, max) => {
  expect(rooms[service]?.slice(max)).toEqual([]);
});

it('no more services and groups of content import each other', () => {
  expect([services.slice(maxServicePairs), groups.slice(maxGroupPairs)]).toEqual([[], []]);
});
