import { shared } from '../support/fixtures.js';
import { exportSuite } from '../support/insights/export-suite.js';
import { newTrackedSite } from '../support/insights/tracked-site.js';

exportSuite(shared);

it.each([
  ['from', 'from=yesterday'],
  ['from', 'from='],
  ['from', 'from=2026-02-30T00:00:00Z'],
  ['from', 'from=2026-01-01T00:00:00Z&from=2026-01-02T00:00:00Z'],
  ['from', 'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z'],
  ['to', 'to=2026-01-01'],
  ['to', 'to=%00'],
  ['after', 'after='],
  ['after', 'after=1'],
  ['after', "after=01HZZZZZZZZZZZZZZZZZZZZZZ'"],
  ['after', 'after=8ZZZZZZZZZZZZZZZZZZZZZZZZZ'],
  ['after', 'after=ZZZZZZZZZZZZZZZZZZZZZZZZZZ'],
])('%s is refused: %s', async (field, query) => {
  const site = await newTrackedSite(shared());
  await site.tracked([{}]);
  const { status, body } = await site.client.get(`${site.events()}?${query}`);
  expect([status, body.error?.message]).toEqual([400, expect.stringContaining(field)]);
});

it.each([
  'from=0000-01-01T00:00:00Z',
  'from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59.999Z',
  'to=9999-12-31T23:59:59.999Z&after=00000000000000000000000000',
  'from=1900-01-01T00:00:00%2B14:00',
])('a range of all time has all events: %s', async (query) => {
  const site = await newTrackedSite(shared());
  await site.tracked([{}, {}]);
  const { status, body } = await site.client.get<string>(`${site.events()}?${query}`);
  expect([status, body.split('\n').length - 1]).toEqual([200, 2]);
});

it('after the last of all ids there is nothing', async () => {
  const site = await newTrackedSite(shared());
  await site.tracked([{}]);
  const { status, body } = await site.client.get(`${site.events()}?after=7ZZZZZZZZZZZZZZZZZZZZZZZZZ`);
  expect([status, body]).toEqual([200, '']);
});
