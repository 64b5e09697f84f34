import type { Analytics } from '../../../shared/analytics/analytics.js';
import type { Table } from '../../../shared/analytics/table.js';
import type { EventType } from './resources.js';

/**
 * The columns of the table of events, by name, with their ClickHouse types. Those that most events leave empty, or
 * that reports seldom ask for, have no dictionary: it would slow merges.
 */
export const eventColumns = {
  /** ULID of the time of the event: the order of exports. */
  id: 'String CODEC(ZSTD(1))',
  organization: 'LowCardinality(String)',
  site: 'LowCardinality(String)',
  timestamp: "DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1))",
  type: 'LowCardinality(String)',
  visitor: 'String CODEC(ZSTD(1))',
  session: 'String CODEC(ZSTD(1))',
  // Distinct values are counted by hash: half the time of the texts.
  visitorKey: 'UInt64 MATERIALIZED sipHash64(visitor)',
  sessionKey: 'UInt64 MATERIALIZED sipHash64(session)',
  url: 'String CODEC(ZSTD(1))',
  siteSection: 'String',
  siteSpace: 'LowCardinality(String)',
  shareKey: 'String',
  space: 'LowCardinality(String)',
  revision: 'LowCardinality(String)',
  page: 'LowCardinality(String)',
  country: 'LowCardinality(String)',
  continent: 'String',
  city: 'LowCardinality(String)',
  /** H3 cell of resolution 15; 0 where the place is not known. */
  cell: 'UInt64',
  device: 'LowCardinality(String)',
  browser: 'LowCardinality(String)',
  os: 'LowCardinality(String)',
  bot: 'String',
  language: 'LowCardinality(String)',
  referrer: 'String CODEC(ZSTD(1))',
  referrerDomain: 'LowCardinality(String)',
  utmSource: 'String',
  utmMedium: 'String',
  utmCampaign: 'String',
  utmTerm: 'String',
  utmContent: 'String',
  /** Canonical JSON; empty without claims. */
  claims: 'String CODEC(ZSTD(1))',
  /** The leaves of the claims, by their dotted paths. */
  claimValues: 'Map(LowCardinality(String), String)',
  query: 'String CODEC(ZSTD(1))',
  resultSpace: 'String',
  resultPage: 'String',
  feedbackRating: 'String',
  feedbackComment: 'String CODEC(ZSTD(1))',
  response: 'String CODEC(ZSTD(1))',
  /** 1, -1, or 0 where nothing was rated. */
  responseRating: 'Int8',
  /** A content reference in canonical JSON. */
  linkTarget: 'String CODEC(ZSTD(1))',
  linkKind: 'String',
  linkDomain: 'String',
  linkPosition: 'String',
  apiPath: 'String',
  apiMethod: 'String',
  adDomain: 'String',
  adZone: 'String',
  adPlacement: 'String',
  trademarkPlacement: 'String',
} as const;

/** A site's events of a day lie together, by type and page: what dashboards ask for. */
export const eventsTable: Table = {
  name: 'insights_events',
  columns: eventColumns,
  partitionBy: 'toYYYYMM(timestamp)',
  orderBy: 'organization, site, toDate(timestamp), type, page, timestamp',
  timeColumn: 'timestamp',
  shardBy: 'sipHash64(site)',
};

/** The prepared table, and how to reach it. */
export interface EventsTable {
  client: Analytics['client'];
  /** Its name. */
  table: string;
  cluster: string | undefined;
}

type Typed = typeof eventColumns;
type Computed = 'visitorKey' | 'sessionKey';
type ValueOf<T extends string> = T extends `Map${string}`
  ? Record<string, string>
  : T extends `Int${string}`
    ? number
    : string;
type Required = 'id' | 'organization' | 'site' | 'timestamp' | 'type' | 'visitor' | 'session' | 'url';

/** An event as it is stored. What is unknown or does not apply is left out, and is read as an empty text, or 0. */
export type EventRow = { [K in Required]: string } & { type: EventType } & {
  [K in Exclude<keyof Typed, Computed | Required>]?: ValueOf<Typed[K]> | undefined;
};
