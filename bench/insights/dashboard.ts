/** A query of a dashboard: as a client asks it, and as somebody would write it by hand for ClickHouse. */
export interface DashboardQuery {
  name: string;
  body: { select: object[]; where?: object[]; order?: object; limit?: number };
  sql: {
    /** In the order of `body.select`. */
    select: string;
    where?: string;
    rest?: string;
  };
}

const column = (name: string) => ({ column: name });
const ofType = (type: string) => [{ column: 'eventType', values: [type] }];
const mostOf = (name: string) => ({ by: column(name), direction: 'desc' });
const views = "AND type = 'page_view'";
const visitors = 'uniqExact(visitorKey)';

export const dashboard: DashboardQuery[] = [
  {
    name: 'totals',
    body: { select: ['eventsCount', 'visitorsCount', 'sessionsCount'].map(column) },
    sql: { select: `count(), ${visitors}, uniqExact(sessionKey)` },
  },
  {
    name: 'views by day',
    body: {
      select: [{ column: 'datetime', interval: 'day' }, column('visitorsCount'), column('eventsCount')],
      where: ofType('page_view'),
    },
    sql: { select: `toDate(timestamp) AS day, ${visitors}, count()`, where: views, rest: 'GROUP BY day ORDER BY day' },
  },
  {
    name: 'top 10 pages',
    body: {
      select: ['page', 'eventsCount', 'visitorsCount'].map(column),
      where: ofType('page_view'),
      order: mostOf('eventsCount'),
      limit: 10,
    },
    sql: {
      // Spaces may have pages with the same id.
      select: `space, page, count() AS events, ${visitors}`,
      where: views,
      rest: 'GROUP BY space, page ORDER BY events DESC LIMIT 10',
    },
  },
  {
    name: 'top 10 referrers',
    body: {
      select: ['referrerDomain', 'eventsCount', 'visitorsCount'].map(column),
      where: ofType('page_view'),
      order: mostOf('eventsCount'),
      limit: 10,
    },
    sql: {
      select: `referrerDomain, count() AS events, ${visitors}`,
      where: views,
      rest: 'GROUP BY referrerDomain ORDER BY events DESC LIMIT 10',
    },
  },
  {
    name: 'browsers and devices',
    body: { select: ['visitorBrowser', 'visitorDevice', 'visitorsCount'].map(column), order: mostOf('visitorsCount') },
    sql: {
      select: `browser, device, ${visitors} AS visitors`,
      rest: 'GROUP BY browser, device ORDER BY visitors DESC',
    },
  },
  {
    name: 'countries',
    body: { select: ['visitorGeoCountry', 'visitorsCount'].map(column), order: mostOf('visitorsCount') },
    sql: { select: `country, ${visitors} AS visitors`, rest: 'GROUP BY country ORDER BY visitors DESC' },
  },
  {
    name: 'top 20 searches',
    body: {
      select: ['eventSearchQuery', 'eventsCount'].map(column),
      where: ofType('search_type_query'),
      order: mostOf('eventsCount'),
      limit: 20,
    },
    sql: {
      select: 'query, count() AS events',
      where: "AND type = 'search_type_query'",
      rest: 'GROUP BY query ORDER BY events DESC LIMIT 20',
    },
  },
  {
    name: 'feedback of pages',
    body: { select: ['page', 'pageFeedbackRating'].map(column), where: ofType('page_post_feedback') },
    sql: {
      select: `space, page, countIf(feedbackRating = 'bad'), countIf(feedbackRating = 'ok'),
        countIf(feedbackRating = 'good')`,
      where: "AND type = 'page_post_feedback'",
      rest: 'GROUP BY space, page ORDER BY space, page LIMIT 1000',
    },
  },
];
