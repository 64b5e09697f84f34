import { readRows } from '../../../shared/analytics/reading.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import { decodeCursor, encodeCursor, notOfThisList } from '../../../shared/lists/paging.js';
import type { FairTurns } from '../../../shared/work/fair-turns.js';

import type { segmentOperations } from '../contract.js';
import type { EventsTable } from '../events/model.js';
import type { VisitorSegment } from './resources.js';

interface SegmentRow {
  anyClaims: string;
  events: number;
  visitors: number;
  sessions: number;
  /** Hash of the claims. */
  segment: string;
}

const ofSite = 'FROM {table:Identifier} WHERE organization = {organization:String} AND site = {site:String}';

/** Groups by the hash of the claims: many visitors may share claims, which may be long. */
const segmentsOfSite = `
SELECT any(claims) AS anyClaims, toFloat64(count()) AS events, toFloat64(uniqExact(visitorKey)) AS visitors,
  toFloat64(uniqExact(sessionKey)) AS sessions, toString(sipHash64(claims)) AS segment
${ofSite}
GROUP BY sipHash64(claims)
HAVING (events, segment) < ({events:Float64}, {segment:String})
ORDER BY events DESC, segment DESC
LIMIT {limit:UInt32}`;

const countOfSite = `SELECT toFloat64(uniqExact(sipHash64(claims))) AS count ${ofSite}`;

/** Above every segment. */
const start = [Number.MAX_VALUE, ''] as const;

function decodeStart(page: string | undefined): readonly [events: number, segment: string] {
  if (page === undefined) return start;
  const [events, segment] = decodeCursor(page, start.length);
  if (typeof events !== 'number' || typeof segment !== 'string') throw notOfThisList();
  return [events, segment];
}

export const segmentHandlers = ({
  analytics,
  queries,
}: {
  queries: FairTurns;
  analytics: () => Promise<EventsTable>;
}): HandlersOf<typeof segmentOperations> => ({
  async listSiteVisitorSegments({ path: { organizationId: organization, siteId: site }, query: { page, limit } }) {
    const [events, segment] = decodeStart(page);
    const { client, table } = await analytics();
    const parameters = { table, organization, site, events, segment };
    const readSegments = <R>(query: string, more: object = {}) =>
      queries.run(organization, () => readRows<R>(client, { query, parameters: { ...parameters, ...more } }));
    const [{ count } = { count: 0 }] = await readSegments<{ count: number }>(countOfSite);
    // One row more than asked for shows whether there is another page.
    const found = limit === 0 ? [] : await readSegments<SegmentRow>(segmentsOfSite, { limit: limit + 1 });
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const next = last && found.length > limit ? { next: { page: encodeCursor([last.events, last.segment]) } } : {};
    return { ...next, count, items: shown.map(presentSegment) };
  },
});

function presentSegment({ anyClaims: text, events, visitors, sessions }: SegmentRow): VisitorSegment {
  const claims = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  return { title: segmentTitle(claims), claims, events, visitors, sessions };
}

const maxTitleLength = 200;

/** `plan: pro, company: {"name":"Acme"}` */
function segmentTitle(claims: Record<string, unknown>): string {
  const parts = Object.entries(claims).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const title = parts.join(', ') || 'No claims';
  return title.length > maxTitleLength
    ? `${title.slice(0, maxTitleLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
    : title;
}
