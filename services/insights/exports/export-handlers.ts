import { decodeTime } from 'ulid';
import { readRows } from '../../../shared/analytics/reading.js';
import type { Piece } from '../../../shared/contract/operation.js';
import type { Handlers } from '../../../shared/contract/service.js';
import { invalid } from '../../../shared/errors/errors.js';
import type { FairTurns } from '../../../shared/work/fair-turns.js';

import type { insightsContract } from '../contract.js';
import { type EventsTable, eventColumns } from '../events/model.js';
import { presentEvent, type StoredEvent } from './recorded-events.js';

/** Events of one piece. */
const pieceSize = 1000;
const dayMs = 86_400_000;

interface Asked {
  organization: string;
  site: string;
  /** Epoch milliseconds. */
  from: number;
  to: number;
  /** The id of an event; those after it are read. */
  after: string;
}

const exported = Object.keys(eventColumns).filter(
  (name) => !['visitorKey', 'sessionKey', 'claimValues'].includes(name),
);

const ofSite = `FROM {table:Identifier}
WHERE organization = {organization:String} AND site = {site:String}
  AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp < fromUnixTimestamp64Milli({to:Int64})`;

/** The database keeps the events of a day together, so a piece is searched in one day. */
const pieceQuery = `SELECT ${exported.map((name) => (name === 'cell' ? 'toString(cell) AS cell' : name)).join(', ')}
${ofSite} AND id > {after:String}
ORDER BY id LIMIT {limit:UInt32}`;

const earliestQuery = `SELECT toString(toUnixTimestamp64Milli(min(timestamp))) AS time, toFloat64(count()) AS count ${ofSite}`;

export const exportHandlers = (deps: {
  queries: FairTurns;
  analytics: () => Promise<EventsTable>;
  eventWindowMs: number;
}): Pick<Handlers<typeof insightsContract>, 'exportSiteEvents'> => ({
  async exportSiteEvents({ path: { organizationId: organization, siteId: site }, query: { from, to, after = '' } }) {
    const asked = {
      organization,
      site,
      from: Math.max(from === undefined ? 0 : Date.parse(from), after === '' ? 0 : decodeTime(after)),
      // Clocks of visitors may be ahead.
      to: to === undefined ? Date.now() + deps.eventWindowMs : Date.parse(to),
      after,
    };
    if (from !== undefined && Date.parse(from) > asked.to) throw invalid('from: must not be after to');
    return deps.queries.run(organization, async () => readPiece(await deps.analytics(), asked));
  },
});

async function readPiece(events: EventsTable, asked: Asked): Promise<Piece> {
  for (let start: number | null = asked.from; start !== null; ) {
    const end = (Math.floor(start / dayMs) + 1) * dayMs;
    const day = { ...asked, from: start, to: Math.min(asked.to, end), limit: pieceSize };
    const rows = await readQuery<StoredEvent>(events, pieceQuery, day);
    const last = rows.at(-1);
    if (last) return { lines: rows.map((row) => `${JSON.stringify(presentEvent(row))}\n`).join(''), after: last.id };
    start = await readEarliest(events, { ...asked, from: end });
  }
  return { lines: '', after: null };
}

/** The time of the earliest event from `from` on; null where there is none. */
async function readEarliest(events: EventsTable, asked: Asked): Promise<number | null> {
  const [{ time, count } = { time: '', count: 0 }] = await readQuery<{ time: string; count: number }>(
    events,
    earliestQuery,
    asked,
  );
  return count === 0 ? null : Number(time);
}

const readQuery = <R>({ client, table }: EventsTable, query: string, asked: Asked & { limit?: number }): Promise<R[]> =>
  readRows<R>(client, { query, parameters: { table, ...asked } });
