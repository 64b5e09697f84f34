import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { eventColumns, eventsTable } from '../../services/insights/events/model.js';
import type { Table } from '../../shared/analytics/table.js';
import { median } from '../median.js';
import { openData } from './engine.js';
import { generateEvents } from './generator.js';

/** The table of events against others that it could be, with the same events. Times are medians of turns. */
const events = Number(process.env.BENCH_EVENTS ?? 10_000_000);
const rounds = 15;
const [organization, site] = ['large', 'large'];

/** All columns of texts, but those with a codec of their own, in dictionaries. */
const dictionaries = Object.fromEntries(
  Object.entries(eventColumns).map(([column, type]) => [column, type === 'String' ? 'LowCardinality(String)' : type]),
);

const other = (name: string, change: Partial<Table>): Table => ({ ...eventsTable, name, ...change });
const tables: Record<string, Table> = {
  'as it is': eventsTable,
  'key: site, day, time': other('by_day', { orderBy: 'organization, site, toDate(timestamp), timestamp' }),
  'key: site, time': other('by_time', { orderBy: 'organization, site, timestamp' }),
  'page as text, url in a dictionary': other('texts', {
    columns: { ...eventColumns, page: 'String CODEC(ZSTD(1))', url: 'LowCardinality(String)' },
  }),
  'all in dictionaries': other('dictionaries', { columns: dictionaries }),
};

const [count, visitors, sessions] = ['count() AS events', 'uniqExact(visitorKey) AS visitors', 'uniqExact(sessionKey)'];
const views = "AND type = 'page_view'";
interface Asked {
  select: string;
  where?: string;
  rest?: string;
}
const queries: Record<string, Asked> = {
  totals: { select: `${count}, ${visitors}, ${sessions}` },
  'totals, visitors by text': { select: `${count}, uniqExact(visitor), uniqExact(session)` },
  'by day': {
    select: `toDate(timestamp) AS day, ${count}, ${visitors}`,
    where: views,
    rest: 'GROUP BY day ORDER BY day',
  },
  'by hour of one day': {
    select: `toStartOfHour(timestamp) AS hour, ${count}`,
    where: 'AND toDate(timestamp) = toDate({now:String}) - 3',
    rest: 'GROUP BY hour',
  },
  'top pages': {
    select: `page, ${count}, ${visitors}`,
    where: views,
    rest: 'GROUP BY page ORDER BY events DESC LIMIT 10',
  },
  'top urls': {
    select: `url, ${count}, ${visitors}`,
    where: views,
    rest: 'GROUP BY url ORDER BY events DESC LIMIT 10',
  },
  sources: {
    select: `utmSource, ${count}, ${visitors}`,
    rest: 'GROUP BY utmSource ORDER BY events DESC LIMIT 10',
  },
  'feedback of pages': {
    select: "page, countIf(feedbackRating = 'good') AS good",
    where: "AND type = 'page_post_feedback'",
    rest: 'GROUP BY page ORDER BY good DESC LIMIT 10',
  },
};

const now = new Date();
const from = new Date(now.getTime() - 30 * 86_400_000);
const stored = (time: Date) => time.toISOString().replace('T', ' ').slice(0, -1);
const parameters = { organization, site, from: stored(from), now: stored(now) };

async function ask<R>(client: ClickHouseClient, query: string): Promise<R[]> {
  const settings = { max_threads: 2 };
  const answer = await client.query({
    query,
    query_params: parameters,
    format: 'JSONEachRow',
    clickhouse_settings: settings,
  });
  return answer.json<R>();
}

const sqlOf = ({ select, where = '', rest = '' }: Asked, { name }: Table) =>
  `SELECT ${select} FROM ${name} WHERE organization = {organization:String} AND site = {site:String}
  AND timestamp >= {from:DateTime64(3, 'UTC')} AND timestamp < {now:DateTime64(3, 'UTC')} ${where} ${rest}`;

async function compare(client: ClickHouseClient, [name, asked]: [string, Asked]): Promise<void> {
  const times = Object.values(tables).map((): number[] => []);
  for (let round = 0; round < rounds + 2; round++)
    for (const [at, table] of Object.values(tables).entries()) {
      const began = performance.now();
      await ask(client, sqlOf(asked, table));
      if (round >= 2) times[at]?.push(performance.now() - began);
    }
  print(
    `${name}, ms`,
    times.map((each) => median(each).toFixed(1)),
  );
}

const bytesOf = (column: string) => `SELECT table AS name, sum(column_data_compressed_bytes) / sum(rows) AS bytes
  FROM system.parts_columns WHERE active AND database = currentDatabase() AND column = '${column}' GROUP BY table`;

async function size(client: ClickHouseClient, name: string, query: string): Promise<void> {
  const found = await ask<{ name: string; bytes: number }>(client, query);
  print(
    `${name}, bytes an event`,
    Object.values(tables).map((table) => (found.find((each) => each.name === table.name)?.bytes ?? 0).toFixed(2)),
  );
}

const print = (name: string, values: string[]) => process.stdout.write(`| ${[name, ...values].join(' | ')} |\n`);

const folder = await mkdtemp(join(tmpdir(), 'bindery-bench-'));
const { client, close } = await openData(folder);
try {
  print(`${events} events`, Object.keys(tables));
  const seconds: string[] = [];
  for (const table of Object.values(tables)) {
    const began = performance.now();
    await generateEvents(client, { table, events, organization, site, oneIn: 3 }, now.getTime());
    seconds.push(((performance.now() - began) / 1000).toFixed(0));
  }
  print('generated and merged, s', seconds);
  for (const query of Object.entries(queries)) await compare(client, query);
  const parts = 'SELECT table AS name, sum(bytes_on_disk) / sum(rows) AS bytes FROM system.parts';
  await size(client, 'size', `${parts} WHERE active AND database = currentDatabase() GROUP BY table`);
  for (const column of ['id', 'visitor', 'visitorKey', 'session', 'sessionKey', 'page', 'url', 'timestamp'])
    await size(client, column, bytesOf(column));
} finally {
  await close();
  await rm(folder, { recursive: true, force: true });
}
