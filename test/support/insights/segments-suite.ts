import type { Client } from '../server.js';
import { type EventFields, newTrackedSite, type TrackedSite } from './tracked-site.js';

const pro = { plan: 'pro', company: { name: 'Acme', size: 12 } };

/** A number of events of a visitor in one session. */
const visit = (count: number, visitorId: string, visitorAuthClaims?: object): EventFields[] =>
  Array.from({ length: count }, () => ({
    session: { visitorId, sessionId: `session of ${visitorId}`, ...(visitorAuthClaims ? { visitorAuthClaims } : {}) },
  }));

/** What holds for segments of visitors, whichever database their events are stored in. */
export function segmentsSuite(client: () => Client): void {
  async function all(site: TrackedSite, limit: number): Promise<any[]> {
    const items: any[] = [];
    for (let page = ''; ; ) {
      const { status, body } = await site.segments(`?limit=${limit}${page && `&page=${page}`}`);
      expect(status).toBe(200);
      items.push(...body.items);
      if (!body.next) return items;
      expect(body.items).toHaveLength(limit);
      page = encodeURIComponent(body.next.page);
    }
  }

  it('visitors with the same claims are one segment, however the claims are written', async () => {
    const site = await newTrackedSite(client());
    await site.tracked([
      ...visit(3, 'ada', pro),
      ...visit(2, 'bob', { company: { size: 12, name: 'Acme' }, plan: 'pro' }),
      ...visit(4, 'eve', { plan: 'free' }),
      ...visit(1, 'eve', { plan: 'trial' }),
      ...visit(3, 'nobody'),
      ...visit(3, 'also nobody', {}),
    ]);
    const { status, body } = await site.segments();
    expect([status, body]).toEqual([
      200,
      {
        count: 4,
        items: [
          { title: 'No claims', claims: {}, events: 6, visitors: 2, sessions: 2 },
          {
            title: 'company: {"name":"Acme","size":12}, plan: pro',
            claims: pro,
            events: 5,
            visitors: 2,
            sessions: 2,
          },
          { title: 'plan: free', claims: { plan: 'free' }, events: 4, visitors: 1, sessions: 1 },
          { title: 'plan: trial', claims: { plan: 'trial' }, events: 1, visitors: 1, sessions: 1 },
        ],
      },
    ]);
  });

  it('each segment is on one page, those with the most events first', async () => {
    const site = await newTrackedSite(client());
    const sizes = [1, 5, 2, 2, 2, 1, 1, 3, 2, 1];
    for (const half of [sizes.slice(0, 5), sizes.slice(5)])
      await site.tracked(half.flatMap((size, at) => visit(size, `${half}${at}`, { team: `${half} ${at}` })));
    const whole = await all(site, 1000);
    expect(whole.map(({ events }) => events)).toEqual([...sizes].sort((a, b) => b - a));
    expect(new Set(whole.map(({ title }) => title)).size).toBe(sizes.length);
    for (const limit of [1, 3, 10]) expect(await all(site, limit)).toEqual(whole);
    const { body } = await site.segments('?limit=0');
    expect(body).toEqual({ count: sizes.length, items: [] });
  });

  it('a long title is cut', async () => {
    const site = await newTrackedSite(client());
    const claims = { note: '👍'.repeat(300) };
    await site.tracked(visit(1, 'ada', claims));
    const { items } = (await site.segments()).body;
    expect(items).toMatchObject([{ claims }]);
    expect(items[0].title).toMatch(/^note: (👍)+…$/u);
    expect(items[0].title.length).toBeLessThanOrEqual(200);
  });

  it('a site knows nothing of the visitors of another', async () => {
    const one = await newTrackedSite(client());
    const { organization } = one;
    const [other, foreign, empty] = await Promise.all([
      newTrackedSite(client(), { organization }),
      newTrackedSite(client()),
      newTrackedSite(client(), { organization }),
    ]);
    await one.tracked(visit(1, 'ada', { of: 'one' }));
    await other.tracked(visit(2, 'ada', { of: 'other' }));
    await foreign.tracked(visit(3, 'ada', { of: 'foreign' }));
    const titles = async (site: TrackedSite) => (await site.segments()).body.items.map(({ title }: any) => title);
    expect(await Promise.all([one, other, foreign, empty].map(titles))).toEqual([
      ['of: one'],
      ['of: other'],
      ['of: foreign'],
      [],
    ]);
  });
}
