import { request } from 'node:http';
import { shared } from '../support/fixtures.js';
import { newTrackedSite, type TrackedSite } from '../support/insights/tracked-site.js';
import { trackingSuite } from '../support/insights/tracking-suite.js';

trackingSuite(shared);

describe('refused is', () => {
  let site: TrackedSite;
  beforeAll(async () => {
    site = await newTrackedSite(shared());
  });
  afterEach(async () => {
    expect(await site.count()).toBe(0);
  });

  it.each([
    ['older than five minutes', -302_000],
    ['more than five minutes ahead', 302_000],
    ['older than a month', -2_678_400_000],
  ])('an event that is %s', async (_, ms) => {
    const timestamp = new Date(Date.now() + ms).toISOString();
    const { status, body } = await site.track([site.event(), site.event({ timestamp })]);
    expect([status, body.error.message]).toEqual([400, 'events.1.timestamp: must be within 5 minutes of now']);
  });

  it('nothing of a batch without events, which stores nothing', async () => {
    expect((await site.track([])).status).toBe(204);
  });

  it('a batch of 100,000 events, which is never sent', async () => {
    const body = JSON.stringify({ events: Array.from({ length: 100_000 }, () => site.event()) });
    const headers = {
      authorization: `Bearer ${site.client.token}`,
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const text = await new Promise<string>((resolve, reject) => {
      const sent = request(site.client.url + site.events(), { method: 'POST', headers }, (answer) => {
        answer
          .toArray()
          .then((chunks) => resolve(chunks.join('')), reject)
          .finally(() => sent.destroy());
      });
      sent.once('error', reject).flushHeaders();
    });
    expect(JSON.parse(text)).toEqual({
      error: {
        code: 413,
        message: 'The body is larger than 512 KiB, the limit of this operation',
        reason: 'too_large',
      },
    });
  });
});
