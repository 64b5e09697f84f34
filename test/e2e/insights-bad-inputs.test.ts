import { shared } from '../support/fixtures.js';
import { badAggregations, hostileTexts } from '../support/insights/bad-aggregations.js';
import { badBatches, badEvents } from '../support/insights/bad-events.js';
import { newTrackedSite, TrackedSite } from '../support/insights/tracked-site.js';
import { dimensions, trackVisits, visits } from '../support/insights/visits.js';
import { RefusalClient } from '../support/refusals.js';
import type { Answer } from '../support/server.js';

const client = shared();
const asking = new RefusalClient(client);

/** The same site, asked by the client for bad input. */
const asked = ({ organization, id }: TrackedSite) => new TrackedSite(asking, organization, id);

/** A refusal in the one shape, that names the field. */
function expectRefused({ status, body }: Answer<any>, field: string): void {
  const message = expect.stringMatching(`^[^:]*${field.replaceAll('.', '\\.')}(\\.[^:]*)?: `);
  expect([status, body]).toEqual([400, { error: { code: 400, message, reason: 'invalid_request' } }]);
}

const inWords = (value: unknown): string => {
  const text = JSON.stringify(value, (_, each) => (each === undefined ? 'nothing' : each));
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
};

describe('a batch', () => {
  let site: TrackedSite;
  beforeAll(async () => {
    site = await newTrackedSite(client);
  });
  afterAll(async () => {
    expect(await site.count()).toBe(0);
    expect(await site.exported()).toEqual([]);
  });

  /** A good event with one field replaced; without `session` and `location` where they are not objects. */
  const broken = ({ session, location, ...fields }: any) => {
    const isPart = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
    const event = site.event({
      ...fields,
      ...(isPart(session) ? { session } : {}),
      ...(isPart(location) ? { location } : {}),
    });
    const replaced = {
      ...(session === undefined || isPart(session) ? {} : { session }),
      ...(location === undefined || isPart(location) ? {} : { location }),
    };
    return { ...event, ...replaced };
  };

  it.each(badEvents.map(([field, fields]) => [field, inWords(fields), fields]))(
    'is refused for %s: %s',
    async (field, _, fields) => {
      expectRefused(await asked(site).track([site.event(), broken(fields), site.event()]), `events.1.${field}`);
    },
  );

  it.each(badBatches.map(([field, body]) => [field, inWords(body), body]))(
    'is refused for %s: %s',
    async (field, _, body) => {
      const raw = JSON.stringify(body);
      expectRefused(await client.post(site.events(), {}, { raw }), field);
    },
  );

  it('with a name twice has the last value, and nothing of a prototype', async () => {
    const other = await newTrackedSite(client, { organization: site.organization });
    const event = JSON.stringify(other.event()).slice(1);
    const raw = `{"events":[{"type":"nothing","__proto__":{"type":"x"},"constructor":{"prototype":{"x":1}},${event}]}`;
    expect((await client.post(other.events(), {}, { raw })).status).toBe(204);
    expect((await other.exported()).map(({ type }) => type)).toEqual(['page_view']);
  });
});

describe('a query', () => {
  let site: TrackedSite;
  beforeAll(async () => {
    site = await newTrackedSite(client);
    const foreign = await newTrackedSite(client);
    await Promise.all([
      trackVisits(site),
      trackVisits(foreign),
      foreign.tracked([{ location: { siteSpace: 'foreign' } }]),
    ]);
  });
  afterAll(async () => {
    expect(await site.count()).toBe(visits);
  });

  it.each(badAggregations.map(([field, query]) => [field, inWords(query), query]))(
    'is refused for %s: %s',
    async (field, _, query) => {
      expectRefused(await asked(site).aggregate(query), field);
    },
  );

  const harmless = 'a text that no event has';
  /** Each column whose values are texts. */
  const columns = dimensions({ url: '' })
    .filter(({ groups }) => groups[0]?.[0] === null || typeof groups[0]?.[0] === 'string')
    .map(({ column }) => column)
    .filter(({ column }) => column !== 'visitorGeoPoint');

  /** What a query with texts answers; it must not tell them from others that no event has. */
  async function answerTo(query: (texts: string[]) => object, texts: string[]): Promise<unknown> {
    const { status, body } = await site.aggregate(query(texts));
    if (status === 400) return 'refused';
    expect([texts, status]).toEqual([texts, 200]);
    return texts.reduce((text, each) => text.replaceAll(JSON.stringify(each), '"…"'), JSON.stringify(body));
  }

  const without =
    ({ column, claim }: { column: string; claim?: string }, operator: string) =>
    (values: string[]) => ({
      groupBy: [{ column, claim }],
      where: [{ column, claim, operator, values }],
    });

  it.each(columns.map((column) => [JSON.stringify(column), column]))(
    'takes every text for no more than a text: %s',
    async (_, column) => {
      for (const operator of ['in', 'notIn']) {
        const query = without(column as { column: string }, operator);
        expect(await answerTo(query, hostileTexts)).toBe(await answerTo(query, [harmless]));
      }
    },
  );

  it.each([{ column: 'eventSearchQuery' }, { column: 'siteSpace' }, { column: 'visitorClaim', claim: 'plan' }])(
    'takes each text for no more than a text: %j',
    async (column) => {
      const query = without(column, 'in');
      const expected = await answerTo(query, [harmless]);
      for (const text of hostileTexts) expect([text, await answerTo(query, [text])]).toEqual([text, expected]);
    },
  );

  it.each([
    ['greaterThan', (order: number) => order > 0],
    ['lessThanOrEqual', (order: number) => order <= 0],
  ])('%s compares with every text as with a text', async (operator, holds) => {
    const known = ['', 'Install', 'how?', 'install', 'why?'];
    for (const text of hostileTexts) {
      const where = [{ column: 'eventSearchQuery', operator, values: [text] }];
      const { status, body } = await site.aggregate({ groupBy: [{ column: 'eventSearchQuery' }], where });
      expect([text, status]).toEqual([text, 200]);
      const expected = known.filter((value) => holds(Buffer.compare(Buffer.from(value), Buffer.from(text))));
      expect([text, body.columns[0].values]).toEqual([text, expected]);
    }
  });

  it('takes every claim for no more than the path of a claim', async () => {
    const ordered = ([claim]: string[]) => ({
      select: [{ column: 'visitorClaim', claim }, { column: 'eventsCount' }],
      where: [{ column: 'visitorClaim', claim, operator: 'notIn', values: ['pro'] }],
      order: { by: { column: 'visitorClaim', claim }, direction: 'desc' },
    });
    const expected = await answerTo(ordered, [harmless]);
    for (const text of hostileTexts) expect([text, await answerTo(ordered, [text])]).toEqual([text, expected]);
  });

  it('refuses texts that are no columns, operators, intervals, directions, ranges and limits', async () => {
    for (const text of hostileTexts)
      for (const [field, query] of [
        ['select.0.column', { select: [{ column: text }] }],
        ['groupBy.0.column', { groupBy: [{ column: text }] }],
        ['where.0.column', { where: [{ column: text, values: [] }] }],
        ['where.0.operator', { where: [{ column: 'url', operator: text, values: [''] }] }],
        ['select.0.interval', { select: [{ column: 'datetime', interval: text }] }],
        [
          'where.0.values.0.h3',
          { where: [{ column: 'visitorGeoPoint', values: [{ latitude: 0, longitude: 0, h3: text }] }] },
        ],
        ['order.direction', { groupBy: [{ column: 'url' }], order: { by: { column: 'url' }, direction: text } }],
        ['range', { range: text }],
        ['range.from', { range: { from: text, to: '2026-01-01T00:00:00Z' } }],
        ['limit', { limit: text }],
      ] as [string, object][])
        expectRefused(await asked(site).aggregate(query), field.startsWith('range') ? 'range' : field);
  });

  it('answers nothing of another site, whatever is asked for', async () => {
    const { body } = await site.aggregate({ groupBy: columns, limit: 1000 });
    expect(body.columns).toHaveLength(columns.length + 1);
    expect(JSON.stringify(body)).not.toContain('foreign');
    expect(await site.count({ where: [{ column: 'siteSpace', operator: 'notIn', values: [] }] })).toBe(visits);
  });
});
