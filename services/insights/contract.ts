import { z } from 'zod';
import { by } from '../../shared/contract/access.js';
import { exampleId } from '../../shared/contract/examples.js';
import { defineContract, operation, pieceSchema } from '../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../shared/lists/paging.js';
import { siteKind } from '../sites/resources.js';
import {
  aggregatedSchema,
  aggregationSchema,
  insightsEventSchema,
  recordedEventSchema,
  visitorSegmentSchema,
} from './resources.js';

const tag = 'Insights';
const insights = '/orgs/{organizationId}/sites/{siteId}/insights';
const events = `${insights}/events` as const;

/** Also for installations that may read what visitors viewed. */
const onSite = (need: keyof typeof siteKind.rights) =>
  ({ ...by(['user'], 'site:views:read'), on: siteKind, id: 'siteId', within: 'organizationId', need }) as const;

/** Events of one request, and its bytes. */
const maxEvents = 200;
const maxBytes = 512 * 1024;

const pageView: z.input<typeof insightsEventSchema> = {
  type: 'page_view',
  session: {
    visitorId: 'b0a7c7d2',
    sessionId: '5f1d3c90',
    cookies: {},
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
    language: 'en',
    referrer: 'https://www.google.com/',
  },
  location: {
    url: 'https://docs.example.com/guide/install',
    siteSection: null,
    siteSpace: exampleId('siteSpace'),
    siteShareKey: null,
    space: exampleId('space'),
    revision: exampleId('revision'),
    page: exampleId('page'),
  },
};

const time = z.iso.datetime({ offset: true }).optional();

export const eventOperations = {
  trackEventsInSiteById: operation({
    method: 'POST',
    path: events,
    summary: 'Track events of visitors',
    description:
      'Pages of a published site need no token: the Origin, and the URL of each event, must then be addresses of the site. The answer comes when the events are stored durably. A batch with one bad event is refused as a whole.',
    tag,
    access: 'public',
    headers: {
      origin: 'Sent by browsers.',
      'x-location-country': 'Where a renderer knows it: the country of the visitor, as two letters.',
      'x-location-continent': 'The continent of the visitor.',
      'x-location-latitude': 'The latitude of the visitor.',
      'x-location-longitude': 'The longitude of the visitor.',
    },
    body: z
      .object({ events: z.array(insightsEventSchema).max(maxEvents) })
      .meta({ examples: [{ events: [pageView] }] }),
    bodyLimit: maxBytes,
    status: 204,
  }),
  exportSiteEvents: operation({
    method: 'GET',
    path: events,
    summary: 'Export the events of visitors',
    description: 'One JSON object a line, in order of time. An answer that breaks off goes on with `after`.',
    tag,
    access: onSite('admin'),
    query: z.object({
      from: time.meta({ description: 'The earliest time.' }),
      to: time.meta({ description: 'The time before which events are exported. Default: all.' }),
      after: z.ulid().optional().meta({ description: 'The id of the event after which to go on.' }),
    }),
    status: 200,
    response: pieceSchema,
    lines: recordedEventSchema,
  }),
};

export const aggregationOperations = {
  aggregateSiteEvents: operation({
    method: 'POST',
    path: `${events}/aggregate`,
    summary: 'Aggregate the events of visitors',
    description:
      'Times are in UTC, and weeks begin on Monday. Groups without events have no row. Events without a value in a column of the answer are left out where that column has no value for it (`null` or an empty text).',
    tag,
    access: onSite('viewInsights'),
    safe: true,
    body: aggregationSchema,
    status: 200,
    response: aggregatedSchema,
  }),
};

export const segmentOperations = {
  listSiteVisitorSegments: operation({
    method: 'GET',
    path: `${insights}/visitor-segments`,
    summary: 'List the segments of visitors',
    description: 'Visitors with the same claims form a segment. The one with the most events comes first.',
    tag,
    access: onSite('viewInsights'),
    query: pageQuery.extend({ limit: pageQuery.shape.limit.unwrap().default(1000) }),
    status: 200,
    response: listOf(visitorSegmentSchema),
  }),
};

export const insightsContract = defineContract('insights', {
  ...eventOperations,
  ...aggregationOperations,
  ...segmentOperations,
});
