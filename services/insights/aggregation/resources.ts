import { z } from 'zod';
import { timestampSchema } from '../../../shared/contract/fields.js';
import {
  adPlacements,
  bots,
  browsers,
  devices,
  eventTypes,
  feedbackRatings,
  linkKinds,
  linkPositions,
  linkTargetSchema,
  systems,
  trademarkPlacements,
} from '../events/resources.js';

export const intervals = ['hour', 'day', 'week', 'month'] as const;
export const operators = ['in', 'notIn', 'greaterThan', 'greaterThanOrEqual', 'lessThan', 'lessThanOrEqual'] as const;
export const presets = ['lastYear', 'last3Months', 'last30Days', 'last7Days', 'last24Hours'] as const;

const text = z.string().max(2048);
const nullableText = text.nullable();
const number = z.number();
const claim = z.string().min(1).max(500).meta({ description: 'The dotted path of a claim, such as `company.plan`.' });

/** The type of the values of each column that has no parameters. */
const valueTypes = {
  url: text,
  eventType: z.enum(eventTypes),
  eventsCount: number,
  sessionsCount: number,
  visitorsCount: number,
  siteSection: nullableText,
  siteSpace: nullableText,
  siteShareKey: nullableText,
  page: z.object({ page: nullableText, space: text }).nullable(),
  visitorGeoCountry: nullableText,
  visitorDevice: z.enum(devices),
  visitorBrowser: z.enum(browsers),
  visitorOS: z.enum(systems),
  visitorBot: z.union([z.enum(bots), z.literal(''), z.null()]),
  visitorLanguage: nullableText,
  eventLinkTargetValue: linkTargetSchema,
  eventLinkTargetKind: z.enum([...linkKinds, 'openapi']),
  eventLinkTargetDomain: nullableText,
  eventLinkPosition: z.enum(linkPositions),
  eventAPIOperationPath: nullableText,
  eventAPIOperationMethod: nullableText,
  eventSearchQuery: text,
  eventPageFeedbackRating: z.enum(feedbackRatings),
  eventPageFeedbackComment: text,
  eventAskResponseRating: z.literal([1, -1]),
  pageFeedbackRating: z.object({ bad: number, ok: number, good: number }),
  askResponseRating: z.object({ positive: number, negative: number }),
  referrer: text,
  referrerDomain: text,
  utmSource: text,
  utmMedium: text,
  utmCampaign: text,
  utmTerm: text,
  utmContent: text,
  visitorClaimProperty: text,
  eventAdDomain: text,
  eventAdPlacement: z.enum(adPlacements),
  eventTrademarkPlacement: z.enum(trademarkPlacements),
} as const;
type PlainColumn = keyof typeof valueTypes;
const plainColumns = Object.keys(valueTypes) as [PlainColumn, ...PlainColumn[]];

const pointSchema = z
  .object({ latitude: number, longitude: number, h3: z.string().max(20) })
  .nullable()
  .meta({ description: 'The middle of an H3 cell, and its name.' });

/** Names a column of a query. */
export const columnSchema = z
  .discriminatedUnion('column', [
    z.object({
      column: z.literal('datetime'),
      interval: z.enum(intervals).optional().meta({
        description:
          'Rounds down to the start of an hour, day, week (Monday) or month, in UTC. Without it: the exact time.',
      }),
    }),
    z.object({
      column: z.literal('visitorGeoPoint'),
      precision: z.int().min(0).max(15).optional().meta({ description: 'Resolution of H3 cells. Default: 5.' }),
    }),
    z.object({ column: z.literal('visitorClaim'), claim }),
    z.object({ column: z.literal(plainColumns) }),
  ])
  .meta({ id: 'InsightsColumn' });
export type ColumnReference = z.output<typeof columnSchema>;
export type ColumnName = ColumnReference['column'];

/** Values that one condition may have. */
const maxValues = 1000;
/** Columns that one query may select or group by, and conditions that it may have. */
const maxColumns = 50;

const operator = z.enum(operators).default('in').meta({
  description:
    'Comparisons use the first value; they apply to times, numbers and texts. `in` without values matches nothing.',
});
const valuesSchema = <T extends z.ZodType>(item: T) => z.array(item).max(maxValues);

const plainCondition = <C extends PlainColumn>(column: C) =>
  z.object({ column: z.literal(column), operator, values: valuesSchema(valueTypes[column]) });

/** Events, or with a count as column groups, that have, or do not have, one of the values. */
export const conditionSchema = z
  .discriminatedUnion('column', [
    z.object({
      column: z.literal('datetime'),
      operator,
      values: valuesSchema(z.iso.datetime({ offset: true })),
    }),
    z.object({ column: z.literal('visitorGeoPoint'), operator, values: valuesSchema(pointSchema) }),
    z.object({ column: z.literal('visitorClaim'), claim, operator, values: valuesSchema(text) }),
    ...plainColumns.map(plainCondition),
  ])
  .meta({ id: 'InsightsCondition' });
export interface Condition {
  column: ColumnName;
  claim?: string;
  operator: (typeof operators)[number];
  values: unknown[];
}

const rangeSchema = z
  .union([z.enum(presets), z.object({ from: z.iso.datetime({ offset: true }), to: z.iso.datetime({ offset: true }) })])
  .meta({ description: 'Events from `from` until before `to`, or those of the time before now.' });

export const aggregationSchema = z
  .object({
    range: rangeSchema,
    select: z.array(columnSchema).min(1).max(maxColumns).optional().meta({
      description: 'Columns of the answer, in this order. Default: those of `groupBy`, and `eventsCount`.',
    }),
    where: z.array(conditionSchema).max(maxColumns).optional().meta({ description: 'All of them must hold.' }),
    groupBy: z.array(columnSchema).max(maxColumns).optional().meta({
      description: 'Columns that tell groups apart, besides those selected.',
    }),
    order: z
      .object({ by: columnSchema, direction: z.enum(['asc', 'desc']) })
      .optional()
      .meta({ description: 'By a column that is selected or grouped by. Default: the columns of the groups.' }),
    limit: z.int().min(1).max(1000).default(1000).meta({ description: 'Rows of the answer.' }),
  })
  .meta({
    examples: [
      {
        range: 'last30Days',
        select: [{ column: 'page' }, { column: 'eventsCount' }, { column: 'visitorsCount' }],
        where: [{ column: 'eventType', values: ['page_view'] }],
        order: { by: { column: 'eventsCount' }, direction: 'desc' },
        limit: 10,
      },
    ],
  });
export type Aggregation = z.output<typeof aggregationSchema>;

const plainAnswer = <C extends PlainColumn>(column: C) =>
  z.object({ column: z.literal(column), values: z.array(valueTypes[column]) });

export const aggregatedSchema = z
  .object({
    columns: z
      .array(
        z.discriminatedUnion('column', [
          z.object({ column: z.literal('datetime'), values: z.array(timestampSchema) }),
          z.object({ column: z.literal('visitorGeoPoint'), values: z.array(pointSchema) }),
          z.object({ column: z.literal('visitorClaim'), claim: z.string(), values: z.array(text) }),
          ...plainColumns.map(plainAnswer),
        ]),
      )
      .meta({ description: 'The value of each row, column by column.' }),
  })
  .meta({ id: 'InsightsAggregationResult' });
export type Aggregated = z.output<typeof aggregatedSchema>;
