import { z } from 'zod';
import { timestampSchema, urlSchema } from '../../../shared/contract/fields.js';

const textSchema = (max: number) => z.string().max(max);
const id = textSchema(100);
/** An id where an event has one. Required in the published API; renderers leave out what they do not know. */
const idOrNull = id.nullable().default(null);

/** Characters of the longest user agent, search query or path that an event may have. */
const maxText = 2048;

export const feedbackRatings = ['bad', 'ok', 'good'] as const;
export const linkPositions = ['announcement', 'header', 'footer', 'sidebar', 'content'] as const;
export const trademarkPlacements = ['sidebar', 'ad', 'footer', 'pdf'] as const;
export const adPlacements = ['aside'] as const;
export const linkKinds = ['url', 'page', 'file', 'anchor', 'space', 'collection', 'user', 'reusable-content'] as const;

export const linkTargetSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('url'), url: textSchema(maxText).min(1) }),
    z.object({ kind: z.literal('page'), page: id, space: id.optional() }),
    z.object({ kind: z.literal('file'), file: id, space: id.optional() }),
    z.object({ kind: z.literal('anchor'), anchor: textSchema(500), page: id.optional(), space: id.optional() }),
    z.object({ kind: z.literal('space'), space: id }),
    z.object({ kind: z.literal('collection'), collection: id }),
    z.object({ kind: z.literal('user'), user: id }),
    z.object({ kind: z.literal('reusable-content'), reusableContent: id, space: id.optional() }),
    z.object({ kind: z.literal('openapi'), spec: id }),
  ])
  .meta({ id: 'InsightsLinkTarget', description: 'What a link leads to.' });

export type LinkTarget = z.output<typeof linkTargetSchema>;

const claimsSchema = z.record(z.string(), z.unknown());

const sessionSchema = z
  .object({
    visitorId: textSchema(256).min(1).meta({ description: 'The same for all events of a visitor.' }),
    sessionId: textSchema(256).min(1).meta({ description: 'The same for all events of one visit.' }),
    cookies: z.record(textSchema(256), textSchema(4096)).meta({
      description: 'Cookies of the page. They are kept only until integrations that may read views have them.',
    }),
    ip: z.union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' }).optional().meta({
      description:
        'Address of the visitor, from which country and city are found; it is kept only until integrations that may read views have it. Default: the address that the request comes from.',
    }),
    userAgent: textSchema(maxText).meta({
      description:
        'Tells device, browser, system and bot; it is kept only until integrations that may read views have it.',
    }),
    language: textSchema(100).nullable(),
    referrer: z
      .union([z.literal(''), urlSchema, z.null()])
      .meta({ description: 'The page that the visitor came from.' }),
    visitorAuthClaims: claimsSchema
      .optional()
      .meta({ description: 'Claims of the visitor; visitors with the same claims form a segment.' }),
    visitorAuthToken: textSchema(8192).nullish().meta({
      deprecated: true,
      description: 'A JWT with the claims of the visitor, instead of `visitorAuthClaims`; it is not stored.',
    }),
  })
  .meta({ id: 'InsightsEventSession' });
export type Session = z.output<typeof sessionSchema>;

const locationSchema = z
  .object({
    url: urlSchema.meta({ description: 'Address of the page in the browser.' }),
    siteSection: idOrNull,
    siteSpace: idOrNull,
    siteShareKey: idOrNull,
    space: idOrNull,
    revision: idOrNull,
    page: idOrNull,
  })
  .meta({ id: 'InsightsEventLocation' });

const common = {
  timestamp: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: 'When it happened, at most five minutes before or after now. Default: now.' }),
  session: sessionSchema,
  location: locationSchema,
};

const query = textSchema(maxText);
const rating = z.enum(feedbackRatings);
const ad = z.object({ domain: textSchema(253), zoneId: textSchema(100), placement: z.enum(adPlacements) });
const operation = z.object({ path: textSchema(maxText), method: textSchema(20) });

/** The fields of each type of event, besides a session, a location and a time. */
const ownFields = {
  page_view: {},
  search_open: {},
  search_type_query: { query },
  search_open_result: { query, result: z.object({ spaceId: id, pageId: id }) },
  page_post_feedback: { feedback: z.object({ rating }) },
  page_post_feedback_comment: { feedback: z.object({ rating, comment: textSchema(512).min(1) }) },
  ask_question: { query },
  ask_rate_response: { query, responseId: textSchema(256), rating: z.literal([1, -1]) },
  link_click: { link: z.object({ target: linkTargetSchema, position: z.enum(linkPositions) }) },
  api_client_open: { operation },
  api_client_request: { operation },
  trademark_click: { placement: z.enum(trademarkPlacements) },
  ad_click: { ad },
  ad_display: { ad },
  // Newer than the published API; renderers send them. What they add is not stored.
  page_markdown_request: {},
  agent_feedback: {},
  ask_view: {},
  llms_request: {},
  mcp_request: {},
  rss_request: {},
} as const;

export type EventType = keyof typeof ownFields;
export const eventTypes = Object.keys(ownFields) as [EventType, ...EventType[]];

const eventSchema = <T extends EventType>(type: T) =>
  z.object({ type: z.literal(type), ...common, ...ownFields[type] });

export const insightsEventSchema = z
  .discriminatedUnion('type', [
    eventSchema('page_view'),
    eventSchema('search_open'),
    eventSchema('search_type_query'),
    eventSchema('search_open_result'),
    eventSchema('page_post_feedback'),
    eventSchema('page_post_feedback_comment'),
    eventSchema('ask_question'),
    eventSchema('ask_rate_response'),
    eventSchema('link_click'),
    eventSchema('api_client_open'),
    eventSchema('api_client_request'),
    eventSchema('trademark_click'),
    eventSchema('ad_click'),
    eventSchema('ad_display'),
    eventSchema('page_markdown_request'),
    eventSchema('agent_feedback'),
    eventSchema('ask_view'),
    eventSchema('llms_request'),
    eventSchema('mcp_request'),
    eventSchema('rss_request'),
  ])
  .meta({ id: 'InsightsEvent', description: 'Something that a visitor did.' });
export type InsightsEvent = z.output<typeof insightsEventSchema>;

export const devices = ['desktop', 'tablet', 'mobile', 'unknown'] as const;
export const browsers = ['chrome', 'firefox', 'safari', 'edge', 'ie', 'opera', 'unknown'] as const;
export const systems = ['windows', 'macos', 'linux', 'android', 'ios', 'unknown'] as const;
export const bots = [
  'unknown',
  'googlebot',
  'bingbot',
  'duckduckbot',
  'facebookbot',
  'applebot',
  'chatgpt',
  'anthropic',
] as const;

/** Place, device and software of a visitor, derived from its address and user agent. */
const visitorSchema = z
  .object({
    country: z.string().optional().meta({ description: 'ISO 3166-1 code of two letters.' }),
    continent: z.string().optional(),
    city: z.string().optional(),
    latitude: z.number().optional(),
    longitude: z.number().optional(),
    device: z.enum(devices),
    browser: z.enum(browsers),
    os: z.enum(systems),
    bot: z.enum(bots).optional(),
  })
  .meta({ id: 'InsightsEventVisitor' });

/** An event as the export has it: what was sent, without address, cookies and user agent, and what was derived from them. */
export const recordedEventSchema = z
  .looseObject({
    id: z.string(),
    type: z.enum(eventTypes),
    timestamp: timestampSchema,
    session: sessionSchema.pick({
      visitorId: true,
      sessionId: true,
      language: true,
      referrer: true,
      visitorAuthClaims: true,
    }),
    location: locationSchema,
    visitor: visitorSchema,
  })
  .meta({ id: 'RecordedInsightsEvent' });
export type RecordedEvent = z.output<typeof recordedEventSchema>;
