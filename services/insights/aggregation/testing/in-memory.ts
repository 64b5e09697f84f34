import { cellToLatLng, cellToParent, getResolution } from 'h3-js';
import type { EventRow } from '../../events/model.js';
import type { AggregationRequest } from '../query.js';
import type { Aggregated, ColumnReference, Condition } from '../resources.js';

/**
 * The answer to an aggregation, computed from the meaning of its columns: one event after the other, without a database. Tests compare
 * queries with it.
 */
export function aggregatedInMemory(events: EventRow[], request: Omit<AggregationRequest, 'table'>): Aggregated {
  const { body } = request;
  const grouped = body.groupBy ?? [];
  const answered: ColumnReference[] = body.select ?? [
    ...grouped,
    ...(grouped.some(({ column }) => column === 'eventsCount') ? [] : [{ column: 'eventsCount' } as const]),
  ];
  const dimensions = distinct([...grouped, ...answered].filter(({ column }) => !isMetric(column)));
  const chosen = chosenEvents(events, request);
  const groups = groupsOf(chosen, dimensions).filter((group) =>
    (body.where ?? []).every((condition) => !isMetric(condition.column) || holds(condition, metric(condition, group))),
  );
  const rows = groups
    .map((group) => ({
      group,
      value: (reference: ColumnReference) =>
        isMetric(reference.column)
          ? metric(reference, group)
          : group.values[dimensions.findIndex((each) => isSame(each, reference))],
    }))
    .sort((a, b) => {
      const by = body.order?.by;
      const first = by ? ordered(by, a.value(by), b.value(by)) : 0;
      if (first !== 0) return body.order?.direction === 'desc' ? -first : first;
      return dimensions.map((each) => ordered(each, a.value(each), b.value(each))).find((each) => each !== 0) ?? 0;
    })
    .slice(0, body.limit);
  const columns = answered.map((reference) => ({
    column: reference.column,
    ...(reference.column === 'visitorClaim' ? { claim: reference.claim } : {}),
    values: rows.map(({ value }) => value(reference)),
  }));
  return { columns } as Aggregated;
}

interface Group {
  values: unknown[];
  events: EventRow[];
}

const metrics = ['eventsCount', 'sessionsCount', 'visitorsCount', 'pageFeedbackRating', 'askResponseRating'];
const isMetric = (column: string): boolean => metrics.includes(column);

function isSame(one: ColumnReference, other: ColumnReference): boolean {
  if (one.column === 'datetime' && other.column === 'datetime') return one.interval === other.interval;
  if (one.column === 'visitorGeoPoint' && other.column === 'visitorGeoPoint')
    return (one.precision ?? 5) === (other.precision ?? 5);
  if (one.column === 'visitorClaim' && other.column === 'visitorClaim') return one.claim === other.claim;
  return one.column === other.column;
}

const distinct = (references: ColumnReference[]): ColumnReference[] =>
  references.filter((each, at) => references.findIndex((other) => isSame(each, other)) === at);

function chosenEvents(
  events: EventRow[],
  { organization, site, body, now }: Omit<AggregationRequest, 'table'>,
): EventRow[] {
  const within = rangeTest(body.range, now);
  return events.filter(
    (event) =>
      event.organization === organization &&
      event.site === site &&
      within(timeOf(event)) &&
      (body.where ?? []).every((condition) => isMetric(condition.column) || eventHolds(condition, event)),
  );
}

const timeOf = ({ timestamp }: EventRow): number => Date.parse(`${timestamp.replace(' ', 'T')}Z`);

function rangeTest(range: AggregationRequest['body']['range'], now: Date): (time: number) => boolean {
  if (typeof range === 'object') return (time) => time >= Date.parse(range.from) && time < Date.parse(range.to);
  const from = new Date(now);
  if (range === 'lastYear') from.setUTCFullYear(from.getUTCFullYear() - 1);
  if (range === 'last3Months') from.setUTCMonth(from.getUTCMonth() - 3);
  if (range === 'last30Days') from.setUTCDate(from.getUTCDate() - 30);
  if (range === 'last7Days') from.setUTCDate(from.getUTCDate() - 7);
  if (range === 'last24Hours') from.setUTCHours(from.getUTCHours() - 24);
  return (time) => time >= from.getTime();
}

/** The groups of events; an event has one value of most columns, none or several of others. */
function groupsOf(events: EventRow[], dimensions: ColumnReference[]): Group[] {
  if (dimensions.length === 0) return [{ values: [], events }];
  const groups = new Map<string, Group>();
  for (const event of events) {
    const combinations = dimensions.reduce<unknown[][]>(
      (before, each) => before.flatMap((values) => valuesOf(each, event).map((value) => [...values, value])),
      [[]],
    );
    for (const values of combinations) {
      const key = JSON.stringify(values);
      const group = groups.get(key) ?? { values, events: [] };
      groups.set(key, group);
      group.events.push(event);
    }
  }
  return [...groups.values()];
}

function metric({ column }: { column: string }, { events }: Group): unknown {
  const among = (test: (event: EventRow) => boolean) => events.filter(test).length;
  const rated = (rating: string) =>
    among(({ type, feedbackRating }) => type === 'page_post_feedback' && feedbackRating === rating);
  switch (column) {
    case 'eventsCount':
      return events.length;
    case 'sessionsCount':
      return new Set(events.map(({ session }) => session)).size;
    case 'visitorsCount':
      return new Set(events.map(({ visitor }) => visitor)).size;
    case 'pageFeedbackRating':
      return { bad: rated('bad'), ok: rated('ok'), good: rated('good') };
    default:
      return {
        positive: among(({ responseRating }) => responseRating === 1),
        negative: among(({ responseRating }) => responseRating === -1),
      };
  }
}

/** Columns that have null for events without a value. */
const nullable: Record<string, keyof EventRow> = {
  siteSection: 'siteSection',
  siteSpace: 'siteSpace',
  siteShareKey: 'shareKey',
  visitorGeoCountry: 'country',
  visitorLanguage: 'language',
  visitorBot: 'bot',
  eventLinkTargetDomain: 'linkDomain',
  eventAPIOperationPath: 'apiPath',
  eventAPIOperationMethod: 'apiMethod',
};
/** Columns that leave events without a value out. */
const own: Record<string, keyof EventRow> = {
  eventLinkTargetKind: 'linkKind',
  eventLinkPosition: 'linkPosition',
  eventPageFeedbackRating: 'feedbackRating',
  eventAskResponseRating: 'responseRating',
  eventAdPlacement: 'adPlacement',
  eventTrademarkPlacement: 'trademarkPlacement',
};
/** Columns that have an empty text for events without a value. */
const texts: Record<string, keyof EventRow> = {
  url: 'url',
  eventType: 'type',
  visitorDevice: 'device',
  visitorBrowser: 'browser',
  visitorOS: 'os',
  eventSearchQuery: 'query',
  eventPageFeedbackComment: 'feedbackComment',
  referrer: 'referrer',
  referrerDomain: 'referrerDomain',
  utmSource: 'utmSource',
  utmMedium: 'utmMedium',
  utmCampaign: 'utmCampaign',
  utmTerm: 'utmTerm',
  utmContent: 'utmContent',
  eventAdDomain: 'adDomain',
};

function valuesOf(reference: ColumnReference, event: EventRow): unknown[] {
  const { column } = reference;
  const nullableField = nullable[column];
  if (nullableField) return [event[nullableField] || null];
  const ownField = own[column];
  if (ownField) return event[ownField] ? [event[ownField]] : [];
  const textField = texts[column];
  if (textField) return [event[textField] ?? ''];
  switch (reference.column) {
    case 'datetime':
      return [startOf(reference.interval, timeOf(event))];
    case 'page':
      return [event.space ? { page: event.page || null, space: event.space } : null];
    case 'visitorGeoPoint':
      return [pointOf(event, reference.precision ?? 5)];
    case 'eventLinkTargetValue':
      return event.linkTarget ? [JSON.parse(event.linkTarget)] : [];
    case 'visitorClaim':
      return [event.claimValues?.[reference.claim] ?? ''];
    case 'visitorClaimProperty':
      return Object.keys(event.claimValues ?? {});
    default:
      throw new Error(`${column} is no column`);
  }
}

function startOf(interval: string | undefined, time: number): string {
  const date = new Date(time);
  if (interval) date.setUTCMinutes(0, 0, 0);
  if (interval && interval !== 'hour') date.setUTCHours(0);
  if (interval === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (interval === 'month') date.setUTCDate(1);
  return date.toISOString();
}

const nameOfCell = (cell: string): string => BigInt(cell).toString(16);

function pointOf({ cell = '0' }: EventRow, precision: number): unknown {
  if (cell === '0') return null;
  const h3 = cellToParent(nameOfCell(cell), precision);
  const [latitude, longitude] = cellToLatLng(h3);
  const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6;
  return { latitude: rounded(latitude), longitude: rounded(longitude), h3 };
}

/** Whether a condition holds for an event. */
function eventHolds(condition: Condition, event: EventRow): boolean {
  const { column, operator, values } = condition;
  if (column === 'visitorGeoPoint') {
    const isIn = values.some((value) => isInCell(value as { h3: string } | null, event));
    return operator === 'in' ? isIn : !isIn;
  }
  const found = valuesOf(condition as ColumnReference, event);
  if (column === 'visitorBot')
    return holds(
      { ...condition, values: values.map((value, at) => (isList(operator) || at > 0 ? value || null : value)) },
      found[0],
    );
  if (found.length === 0) return operator === 'notIn';
  if (operator === 'notIn') return found.every((value) => holds(condition, value));
  return found.some((value) => holds(condition, value));
}

const isList = (operator: string): boolean => operator === 'in' || operator === 'notIn';

function isInCell(value: { h3: string } | null, { cell = '0' }: EventRow): boolean {
  if (value === null || cell === '0') return value === null && cell === '0';
  return cellToParent(nameOfCell(cell), getResolution(value.h3)) === value.h3;
}

function holds({ column, operator, values }: Condition, value: unknown): boolean {
  const isAny = values.some((each) => sortKey(column, each) === sortKey(column, value));
  if (operator === 'in') return isAny;
  if (operator === 'notIn') return !isAny;
  if (value === null) return false;
  const difference = compared(scalarOf(column, value), scalarOf(column, values[0]));
  if (operator === 'greaterThan') return difference > 0;
  if (operator === 'greaterThanOrEqual') return difference >= 0;
  return operator === 'lessThan' ? difference < 0 : difference <= 0;
}

/** A text that is the same for the same values only. */
function sortKey(column: string, value: unknown): string {
  if (column === 'datetime') return String(scalarOf(column, value));
  if (value !== null && typeof value === 'object')
    return JSON.stringify(Object.entries(value).sort(([a], [b]) => compared(a, b)));
  return JSON.stringify(value);
}

const scalarOf = (column: string, value: unknown): string | number =>
  column === 'datetime' ? Date.parse(value as string) : (value as string | number);

function compared(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

/** The order of two values of a column: without a value first, pages by their spaces, cells by their names, counts one after the other. */
function ordered({ column }: ColumnReference, a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  const others = orderKeys(column, b);
  return (
    orderKeys(column, a)
      .map((key, at) => compared(key, others[at] ?? ''))
      .find((each) => each !== 0) ?? 0
  );
}

function orderKeys(column: string, value: unknown): (string | number)[] {
  if (column === 'page') {
    const { page, space } = value as { page: string | null; space: string };
    return [space, page ?? ''];
  }
  if (column === 'visitorGeoPoint') return [(value as { h3: string }).h3];
  if (column === 'eventLinkTargetValue') return [JSON.stringify(value)];
  if (typeof value === 'object') return Object.values(value as object);
  return [scalarOf(column, value)];
}
