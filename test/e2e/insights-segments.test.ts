import { shared } from '../support/fixtures.js';
import { segmentsSuite } from '../support/insights/segments-suite.js';
import { newTrackedSite } from '../support/insights/tracked-site.js';

segmentsSuite(shared);

it('a page that no answer named is refused', async () => {
  const site = await newTrackedSite(shared());
  await site.tracked([{}]);
  for (const page of ['x', 'e30', 'WyJhIl0', 'W10', 'W3t9LHt9XQ', 'WyJ4IiwiLTEiXQ']) {
    const { status, body } = await site.segments(`?page=${page}`);
    expect([page, status, body.error?.message]).toEqual([page, 400, expect.stringContaining('page')]);
  }
  for (const limit of ['-1', '1001', 'x', '1.5', '']) expect((await site.segments(`?limit=${limit}`)).status).toBe(400);
});
