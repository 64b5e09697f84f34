import type { Client } from '../server.js';
import { everyType, linkTargets } from './every-type.js';
import { newTrackedSite, type TrackedSite, userAgents } from './tracked-site.js';

const fullLocation = {
  siteSection: 'section-1',
  siteSpace: 'site-space-1',
  siteShareKey: 'share-key',
  space: 'space-1',
  revision: 'revision-1',
  page: 'page-1',
};

const oddTexts = [
  'a\0b',
  `quotes ' " \``,
  'back\\slash \\n \\N \\0',
  'tab\t, line\n, return\r',
  '𝄞 👩‍👩‍👧 𠮷',
  '{name:String} {} %s $1 --',
  "'; DROP TABLE insights_events; --",
  '\u202e\u2028\ufeff',
];

/** What holds for tracked events, whichever database they are stored in. */
export function trackingSuite(client: () => Client): void {
  const newSite = () => newTrackedSite(client());
  /** The events by what makes them one, as the export has them. */
  const exportedOf = async (site: TrackedSite, name: (event: any) => string) =>
    new Map((await site.exported()).map((event) => [name(event), event]));

  it('an event of each type comes back with its fields', async () => {
    const site = await newSite();
    await site.tracked(everyType.map((each) => ({ ...each, location: fullLocation })));
    const found = await exportedOf(site, ({ type }) => type);
    expect(found.size).toBe(everyType.length);
    for (const { type, ...own } of everyType) {
      const { id, timestamp, session, location, visitor, ...rest } = found.get(type);
      expect([type, rest]).toEqual([type, { type, ...own }]);
      expect(location).toEqual({ url: site.url, ...fullLocation });
      expect(session).toEqual({ visitorId: 'visitor', sessionId: 'session', language: null, referrer: null });
      expect(visitor).toEqual({ device: 'desktop', browser: 'chrome', os: 'windows' });
      expect([id, timestamp]).toEqual([expect.stringMatching(/^[0-9A-Z]{26}$/), expect.stringMatching(/Z$/)]);
    }
    const rows = await site.rows({ select: [{ column: 'eventType' }, { column: 'eventsCount' }] });
    expect(rows).toEqual(everyType.map(({ type }) => [type, 1]).sort());
  });

  it('what a location leaves out is null', async () => {
    const site = await newSite();
    const nowhere = Object.fromEntries(Object.keys(fullLocation).map((name) => [name, undefined]));
    await site.tracked([{ type: 'rss_request', location: nowhere }]);
    const [event, ...others] = await site.exported();
    const known = Object.fromEntries(Object.keys(fullLocation).map((name) => [name, null]));
    expect([event.location, others]).toEqual([{ url: site.url, ...known }, []]);
  });

  it('a clicked link comes back with its target, of each kind', async () => {
    const site = await newSite();
    await site.tracked(
      linkTargets.map((target, at) => ({
        type: 'link_click',
        session: { visitorId: `${at}` },
        link: { target, position: 'content' },
      })),
    );
    const found = await exportedOf(site, ({ session }) => session.visitorId);
    expect(linkTargets.map((_, at) => found.get(`${at}`).link.target)).toEqual(linkTargets);
    const rows = await site.rows({ select: [{ column: 'eventLinkTargetValue' }, { column: 'eventsCount' }] });
    expect(rows).toHaveLength(linkTargets.length);
    expect(rows).toEqual(expect.arrayContaining(linkTargets.map((target) => [target, 1])));
  });

  it('the time of an event is that which it tells, else that of its arrival', async () => {
    const site = await newSite();
    const before = Date.now();
    const at = (ms: number) => new Date(before + ms).toISOString();
    const sent = [at(-240_000), at(0), at(240_000), at(-1000).replace('Z', '+00:00')];
    await site.tracked([...sent.map((timestamp) => ({ timestamp })), {}]);
    const after = Date.now();
    const found = (await site.exported()).map(({ timestamp }) => timestamp);
    for (const timestamp of sent) expect(found).toContain(new Date(timestamp).toISOString());
    const [arrival] = found.filter((timestamp) => !sent.includes(timestamp) && timestamp !== at(-1000));
    expect(Date.parse(arrival)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(arrival)).toBeLessThanOrEqual(after);
  });

  it('every text comes back as it was sent', async () => {
    const site = await newSite();
    const events = oddTexts.flatMap((text, at) => [
      {
        type: 'search_type_query',
        query: text,
        session: { visitorId: `${at} ${text}`, sessionId: text, visitorAuthClaims: { [`claim ${text}`]: [text] } },
        location: { page: `${at}`, space: text },
      },
      {
        type: 'link_click',
        location: { page: `link ${at}` },
        link: { target: { kind: 'anchor', anchor: text }, position: 'footer' },
      },
    ]);
    await site.tracked(events);
    const found = await exportedOf(site, ({ location }) => location.page);
    for (const [at, text] of oddTexts.entries()) {
      const { query, session, location } = found.get(`${at}`);
      expect([query, location.space, session.sessionId]).toEqual([text, text, text]);
      expect([session.visitorId, session.visitorAuthClaims]).toEqual([`${at} ${text}`, { [`claim ${text}`]: [text] }]);
      expect(found.get(`link ${at}`).link.target.anchor).toBe(text);
      const where = [{ column: 'eventSearchQuery', values: [text] }];
      expect([text, await site.count({ where })]).toEqual([text, 1]);
    }
  });

  it('the address of a page is stored as browsers read it', async () => {
    const site = await newSite();
    await site.tracked([{ location: { url: ' https://docs.example/a\n/b\t?c ' } }]);
    expect((await site.exported()).map(({ location }) => location.url)).toEqual(['https://docs.example/a/b?c']);
  });

  it('a batch with one bad event stores nothing', async () => {
    const site = await newSite();
    for (const bad of [{ type: 'page_views' }, { session: { visitorAuthClaims: { a: 'x'.repeat(5000) } } }]) {
      const { status, body } = await site.track([site.event(), site.event(bad), site.event()]);
      expect([status, body.error.message]).toEqual([400, expect.stringContaining('events.1.')]);
    }
    expect(await site.count()).toBe(0);
  });

  it('the place of a visitor is what the renderer says of it', async () => {
    const site = await newSite();
    const send = (visitorId: string, headers: Record<string, string>) =>
      site.tracked([{ session: { visitorId } }], { headers });
    await send('zurich', {
      'x-location-country': 'CH',
      'x-location-continent': 'EU',
      'x-location-latitude': '47.3769',
      'x-location-longitude': '8.5417',
    });
    await send('half', { 'x-location-country': 'US', 'x-location-latitude': '40' });
    await send('nonsense', {
      'x-location-country': 'Switzerland',
      'x-location-latitude': '91',
      'x-location-longitude': 'x',
    });
    const found = await exportedOf(site, ({ session }) => session.visitorId);
    const { country, continent, latitude, longitude } = found.get('zurich').visitor;
    expect([country, continent]).toEqual(['CH', 'EU']);
    expect(latitude).toBeCloseTo(47.3769, 4);
    expect(longitude).toBeCloseTo(8.5417, 4);
    const agent = { device: 'desktop', browser: 'chrome', os: 'windows' };
    expect(found.get('half').visitor).toEqual({ country: 'US', ...agent });
    expect(found.get('nonsense').visitor).toEqual(agent);
  });

  it('tells device, browser, system and bot from the user agent', async () => {
    const site = await newSite();
    const agents = [...Object.entries(userAgents), ['none', ''], ['odd', '\0'.repeat(2000)]];
    await site.tracked(agents.map(([visitorId, userAgent]) => ({ session: { visitorId, userAgent } })));
    const found = await exportedOf(site, ({ session }) => session.visitorId);
    const unknown = { device: 'unknown', browser: 'unknown', os: 'unknown' };
    expect(found.get('iPhone').visitor).toEqual({ device: 'mobile', browser: 'safari', os: 'ios' });
    expect(found.get('googlebot').visitor.bot).toBe('googlebot');
    expect([found.get('none').visitor, found.get('odd').visitor]).toEqual([unknown, { ...unknown, bot: 'unknown' }]);
  });

  it('takes claims from the session, else from its token', async () => {
    const site = await newSite();
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const visitorAuthToken = `${part({ alg: 'HS256' })}.${part({ plan: 'token', exp: 1, iat: 1 })}.none`;
    const visitorAuthClaims = { plan: 'pro', company: { name: 'Acme', sizes: [1, 2] }, beta: true };
    await site.tracked([
      { session: { visitorId: 'claims', visitorAuthClaims } },
      { session: { visitorId: 'token', visitorAuthToken } },
      { session: { visitorId: 'both', visitorAuthClaims, visitorAuthToken } },
      { session: { visitorId: 'neither', visitorAuthToken: 'no token' } },
    ]);
    const found = await exportedOf(site, ({ session }) => session.visitorId);
    const claims = ['claims', 'token', 'both', 'neither'].map((name) => found.get(name).session.visitorAuthClaims);
    expect(claims).toEqual([visitorAuthClaims, { plan: 'token' }, visitorAuthClaims, undefined]);
    const plans = await site.rows({
      select: [{ column: 'visitorClaim', claim: 'company.sizes' }, { column: 'eventsCount' }],
      where: [{ column: 'visitorClaim', claim: 'beta', values: ['true'] }],
    });
    expect(plans).toEqual([['[1,2]', 2]]);
  });

  it('knows afterwards no address, no cookie, no user agent and no token', async () => {
    const site = await newSite();
    const session = {
      cookies: { secretCookie: 'secret-value' },
      userAgent: `${userAgents.chrome} SecretAgent/1`,
      ip: '203.0.113.77',
      visitorAuthToken: 'secret.token.text',
      referrer: 'https://user:secret-password@example.com/from#secret-fragment',
    };
    await site.tracked([{ session }], { headers: { 'x-forwarded-for': '203.0.113.78', cookie: 'a=secret-header' } });
    const [{ location: _, ...event }] = await site.exported();
    const text = JSON.stringify(event);
    expect(text).toContain('https://example.com/from');
    expect(text).not.toMatch(/secret|203\.0\.113|127\.0\.0\.1|Mozilla|cookie|userAgent|"ip"|authToken/i);
  });

  it('two hundred events are one request, and one more is too many', async () => {
    const site = await newSite();
    await site.tracked(Array.from({ length: 200 }, (_, at) => ({ session: { visitorId: `${at % 50}` } })));
    const { status, body } = await site.track(Array.from({ length: 201 }, () => site.event()));
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^events: /)]);
    expect(await site.rows({ select: [{ column: 'eventsCount' }, { column: 'visitorsCount' }] })).toEqual([[200, 50]]);
  });
}
