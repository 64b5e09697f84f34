import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { aggregationHandlers } from '../../services/insights/aggregation/aggregation-handlers.js';
import { aggregationQuery } from '../../services/insights/aggregation/query.js';
import { aggregatedSchema, aggregationSchema } from '../../services/insights/aggregation/resources.js';
import { aggregatedInMemory } from '../../services/insights/aggregation/testing/in-memory.js';
import {
  now,
  organizations,
  randomAggregation,
  randomEvent,
  sites,
} from '../../services/insights/aggregation/testing/random.js';
import { eventColumns } from '../../services/insights/events/model.js';
import { openQueries } from '../../services/insights/events/queries.js';
import type { Analytics, openAnalytics } from '../../shared/analytics/analytics.js';
import { readRows } from '../../shared/analytics/reading.js';
import { createLog } from '../../shared/monitoring/log.js';
import { packageFile } from '../../shared/process/package-root.js';

const built = pathToFileURL(packageFile('dist/shared/analytics/analytics.js')).href;
const table = 'events';
const events = fc.sample(randomEvent, { numRuns: 3000, seed: 1 });

let dataDir: string;
let analytics: Analytics;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bindery-aggregation-test-'));
  const module = (await import(built)) as { openAnalytics: typeof openAnalytics };
  analytics = await module.openAnalytics({ dataDir, log: createLog('silent') });
  const columns = Object.entries(eventColumns).map(([name, type]) => `${name} ${type}`);
  await analytics.client.command({
    query: `CREATE TABLE ${table} (${columns.join(', ')}) ENGINE=MergeTree PARTITION BY toYYYYMM(timestamp)
      ORDER BY (organization, site, toDate(timestamp), type, page, timestamp)`,
  });
  await analytics.client.insert({ table, format: 'JSONEachRow', values: events });
});
afterAll(async () => {
  await analytics.close();
  await rm(dataDir, { recursive: true });
});

function queryOf(organization: string, site: string, body: unknown) {
  const request = { organization, site, body: aggregationSchema.parse(body), now };
  return { request, query: aggregationQuery({ ...request, table }) };
}

async function aggregated(organization: string, site: string, body: unknown) {
  const { request, query } = queryOf(organization, site, body);
  const answer = query.decode(await readRows(analytics.client, query, 'JSONCompactEachRow'));
  return { answer, expected: aggregatedInMemory(events, request) };
}

describe('the aggregation of events on an engine', () => {
  it('answers what a look at each event finds', async () => {
    const place = [fc.constantFrom(...organizations), fc.constantFrom(...sites)] as const;
    const property = fc.asyncProperty(...place, randomAggregation, async (organization, site, body) => {
      const { answer, expected } = await aggregated(organization, site, body);
      expect(answer).toEqual(expected);
      expect(aggregatedSchema.parse(answer)).toEqual(answer);
    });
    await fc.assert(property, { seed: 11, numRuns: 500 });
  });

  it('reads the events of the site that is asked for', async () => {
    const { aggregateSiteEvents } = aggregationHandlers({
      analytics: async () => ({ client: analytics.client, table, cluster: undefined }),
      queries: openQueries(),
    });
    const body = aggregationSchema.parse({ range: { from: '2020-01-01T00:00:00Z', to: '2030-01-01T00:00:00Z' } });
    const [organizationId = '', siteId = ''] = [organizations[0], sites[0]];
    const answer = await aggregateSiteEvents({ path: { organizationId, siteId }, query: {}, body }, {} as never);
    const { length } = events.filter(({ organization, site }) => organization === organizationId && site === siteId);
    expect(length).toBeGreaterThan(100);
    expect(answer).toEqual({ columns: [{ column: 'eventsCount', values: [length] }] });
  });

  it.each(['a', "'", '\\', '日', '\t', '\u0001'])(
    'takes as many values as a query may have (of %j)',
    async (character) => {
      const body = (count: number) => {
        const values = Array.from({ length: count }, (_, at) => character.repeat(5) + at);
        return { range: 'lastYear', where: [{ column: 'url', operator: 'notIn', values }] };
      };
      const isTaken = (count: number) => {
        try {
          return Boolean(queryOf('org-a', 'site-a', body(count)));
        } catch {
          return false;
        }
      };
      let most = 1000;
      while (!isTaken(most)) most -= 1;
      expect(most).toBeGreaterThan(100);
      const { answer, expected } = await aggregated('org-a', 'site-a', body(most));
      expect(answer).toEqual(expected);
    },
  );
});

describe('a query that fails on an engine', () => {
  const failing = (query: string, settings: Record<string, number | string>) => {
    const own = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    const limited = own.length > 0 ? `${query} SETTINGS ${own.join(', ')}` : query;
    return readRows(analytics.client, { query: limited, parameters: {} });
  };

  it('is answered with 422 when it reaches a limit', async () => {
    const limits = {
      max_memory_usage: '10000000',
      max_rows_to_read: '10',
      max_bytes_to_read: '10',
      max_result_rows: '1',
    };
    const grouped = 'SELECT number, groupArray(toString(number)) FROM numbers(1000000) GROUP BY number';
    for (const [limit, value] of Object.entries(limits))
      await expect(failing(grouped, { [limit]: value })).rejects.toMatchObject({ type: 'UNPROCESSABLE' });
    const slow = { max_execution_time: 0.2, max_block_size: '1' };
    await expect(failing('SELECT sleepEachRow(0.1) FROM numbers(20)', slow)).rejects.toMatchObject({
      type: 'UNPROCESSABLE',
      message: 'The query takes too long: narrow its range or group by less',
    });
  });

  it('is answered with 503 when the engine is closed', async () => {
    await analytics.close();
    await expect(failing('SELECT 1', {})).rejects.toMatchObject({ type: 'UNAVAILABLE' });
  });
});
