import type { Client } from '../server.js';
import { linesOf, newTrackedSite, type TrackedSite } from './tracked-site.js';

/** Tracks events of visitors `0`, `1`, …, in requests of 200; the page of each is its number too. */
async function trackMany(site: TrackedSite, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, at) => `${at}`);
  const batches = Array.from({ length: Math.ceil(count / 200) }, (_, at) => numbers.slice(at * 200, at * 200 + 200));
  await Promise.all(
    batches.map((batch) => site.tracked(batch.map((at) => ({ session: { visitorId: at }, location: { page: at } })))),
  );
}

const visitors = (events: any[]) => events.map(({ session }) => Number(session.visitorId)).sort((a, b) => a - b);
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);

/** What holds for exports, whichever database the events are stored in. */
export function exportSuite(client: () => Client): void {
  it('exactly the events that were tracked are exported, one a line, in order of time', async () => {
    const site = await newTrackedSite(client());
    const other = await newTrackedSite(client(), { organization: site.organization });
    await Promise.all([trackMany(site, 2500), trackMany(other, 300)]);
    const { status, headers, body } = await site.client.get<string>(site.events());
    expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    expect(body.endsWith('}\n')).toBe(true);
    const events = linesOf(body);
    expect(visitors(events)).toEqual(upTo(2500));
    const ids = events.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
    const times = events.map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort());
    expect(visitors(await other.exported())).toEqual(upTo(300));
  });

  it('goes on after the last event that arrived, wherever it broke off', async () => {
    const site = await newTrackedSite(client());
    await trackMany(site, 1200);
    const events = await site.exported();
    for (const at of [0, 1, 598, 999, 1000, 1198, 1199]) {
      const rest = await site.exported({ after: events[at].id });
      expect(rest).toEqual(events.slice(at + 1));
    }
  });

  it('ends before `to` and begins with `from`', async () => {
    const site = await newTrackedSite(client());
    const start = Date.now() - 60_000;
    const at = (ms: number) => new Date(start + ms).toISOString();
    await site.tracked([0, 1, 2, 3, 4].map((ms) => ({ timestamp: at(ms), session: { visitorId: `${ms}` } })));
    expect(visitors(await site.exported({ from: at(1), to: at(4) }))).toEqual([1, 2, 3]);
    expect(visitors(await site.exported({ from: at(1) }))).toEqual([1, 2, 3, 4]);
    expect(visitors(await site.exported({ to: at(1) }))).toEqual([0]);
    expect(visitors(await site.exported({ from: at(2), to: at(2) }))).toEqual([]);
    const [first] = await site.exported({ from: at(1) });
    expect(visitors(await site.exported({ from: at(3), after: first.id }))).toEqual([3, 4]);
  });

  it('of a site without events is empty', async () => {
    const site = await newTrackedSite(client());
    const { status, headers, body } = await site.client.get(site.events());
    expect([status, headers.get('content-type'), body]).toEqual([200, 'application/x-ndjson', '']);
  });

  it('is asked for by HEAD without its lines', async () => {
    const site = await newTrackedSite(client());
    await trackMany(site, 10);
    const { status, headers, body } = await site.client.request('HEAD', site.events());
    expect([status, headers.get('content-type'), body]).toEqual([200, 'application/x-ndjson', '']);
    expect(await site.count()).toBe(10);
  });

  it('readers who stop reading, or leave, hold up nobody', async () => {
    const site = await newTrackedSite(client());
    await trackMany(site, 2500);
    const leaving = upTo(12).map(async (each) => {
      const gone = new AbortController();
      const headers = { authorization: `Bearer ${site.client.token}` };
      const response = await fetch(site.client.url + site.events(), { headers, signal: gone.signal });
      const reader = response.body?.getReader();
      const parts = [(await reader?.read())?.value];
      expect(parts[0]?.length).toBeGreaterThan(0);
      if (each % 2 === 0) gone.abort();
      /** What it gets when it reads on. */
      return async () => {
        for (let part = await reader?.read(); part?.value; part = await reader?.read()) parts.push(part.value);
        return Buffer.concat(parts as Uint8Array[]).toString();
      };
    });
    const held = (await Promise.all(leaving)).filter((_, each) => each % 2 === 1);
    expect(visitors(await site.exported())).toEqual(upTo(2500));
    expect(await site.count()).toBe(2500);
    await site.tracked([{}]);
    // Nobody was cut off for the others to be served.
    for (const readOn of held) expect(linesOf(await readOn())).toHaveLength(2500);
  });
}
