import { GitBookAPI } from '@gitbook/api';
import { shared } from '../support/fixtures.js';
import { everyType } from '../support/insights/every-type.js';
import { newTrackedSite, rowsOf, type TrackedSite } from '../support/insights/tracked-site.js';
import { dimensions, trackVisits, visits } from '../support/insights/visits.js';
import { officialOperations, officialWithout } from '../support/official.js';

const client = shared();
// Its types name their own files without extension, which NodeNext does not follow.
const { orgs } = new GitBookAPI({ endpoint: client.url, authToken: client.token }) as any;
const official = officialWithout([
  {
    schema: 'PlainObject',
    reason: 'without a type of its own, a text is one of its values twice: a text, and such an object',
    instead: (schema) => ({ type: 'object', ...schema }),
  },
]);

let site: TrackedSite;
let on: [organization: string, site: string];
beforeAll(async () => {
  site = await newTrackedSite(client);
  on = [site.organization, site.id];
  await trackVisits(site);
});

it('the official client tracks events, aggregates them and lists segments', async () => {
  const own = await newTrackedSite(client);
  const events = everyType.map((fields) => own.event(fields));
  expect((await orgs.trackEventsInSiteById(own.organization, own.id, { events })).status).toBe(204);
  const query = {
    range: 'last30Days',
    select: [{ column: 'eventType' }, { column: 'eventsCount' }],
    where: [{ column: 'eventType', operator: 'in', values: ['page_view', 'link_click'] }],
    order: { by: { column: 'eventType' }, direction: 'asc' },
    limit: 10,
  };
  const { data } = await orgs.aggregateSiteEvents(own.organization, own.id, query);
  expect(rowsOf(data)).toEqual([
    ['link_click', 1],
    ['page_view', 1],
  ]);
  const { data: segments } = await orgs.listSiteVisitorSegments(own.organization, own.id);
  expect(segments.items).toMatchObject([{ claims: {}, events: events.length, visitors: 1, sessions: 1 }]);
  const refused = orgs.aggregateSiteEvents(own.organization, own.id, { range: 'ever' });
  await expect(refused).rejects.toMatchObject({ code: 400 });
});

it('every column of an answer is as the public file says', async () => {
  const columns = [
    ...dimensions(site).map(({ column }) => column),
    ...['eventsCount', 'sessionsCount', 'visitorsCount', 'pageFeedbackRating', 'askResponseRating'].map((column) => ({
      column,
    })),
    ...[undefined, 'hour', 'day', 'week', 'month'].map((interval) => ({ column: 'datetime', interval })),
  ];
  for (const column of columns) {
    const { status, data: body } = await orgs.aggregateSiteEvents(...on, { range: 'lastYear', select: [column] });
    expect(body.columns[0].values.length).toBeGreaterThan(0);
    const mismatches = official.mismatches('aggregateSiteEvents', { status, body });
    expect([column, mismatches]).toEqual([column, []]);
  }
});

it('segments are as the public file says', async () => {
  const { status, data: body } = await orgs.listSiteVisitorSegments(...on);
  expect(body.items.reduce((sum: number, { events }: any) => sum + events, 0)).toBe(visits);
  expect(official.mismatches('listSiteVisitorSegments', { status, body })).toEqual([]);
});

it('the public file knows these operations of insights, and all are there', () => {
  const known = [...officialOperations.keys()].filter((id) => /SiteEvents|EventsInSite|VisitorSegments/.test(id));
  expect(known.sort()).toEqual(['aggregateSiteEvents', 'listSiteVisitorSegments', 'trackEventsInSiteById']);
});
