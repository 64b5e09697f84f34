import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { median } from '../median.js';
import { type Call, caller } from '../product.js';
import { type AnalyzedSite, fill, withSite } from './analyzed-site.js';
import { type DashboardQuery, dashboard } from './dashboard.js';
import { type OpenEngine, openData } from './engine.js';

/** Queries of a dashboard through the API against SQL by hand on a copy of the data, in turns. Times are medians. */
const rounds = 15;
const goal = 1.3;
const sizes = (process.env.BENCH_EVENTS ?? '1000000,10000000').split(',').map(Number);

interface Range {
  from: string;
  to: string;
}

interface Asking {
  site: AnalyzedSite;
  call: Call;
  engine: OpenEngine;
  range: Range;
}

function lastDays(days: number): Range {
  const now = Date.now();
  return { from: new Date(now - days * 86_400_000).toISOString(), to: new Date(now).toISOString() };
}

const stored = (time: string) => time.replace('T', ' ').slice(0, -1);

interface Result {
  columns: { column: string; values: unknown[] }[];
}

const byApi = ({ site, call, range }: Asking, { body }: DashboardQuery) =>
  call<Result>('POST', `${site.events}/aggregate`, { range, ...body });

async function byHand({ site, engine, range }: Asking, { sql }: DashboardQuery): Promise<unknown[][]> {
  const { select, where = '', rest = '' } = sql;
  const answer = await engine.client.query({
    query: `SELECT ${select} FROM insights_events WHERE organization = '${site.organization}' AND site = '${site.site}'
      AND timestamp >= '${stored(range.from)}' AND timestamp < '${stored(range.to)}' ${where} ${rest}`,
    format: 'JSONCompactEachRow',
    clickhouse_settings: { max_threads: 2 },
  });
  return answer.json<unknown[]>();
}

/** Both must count the same: the sums of the numbers in their answers are compared. */
async function check(asking: Asking, query: DashboardQuery): Promise<void> {
  const numbers = (value: unknown): number[] =>
    typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(numbers)
      : typeof value === 'number' || /^\d+$/.test(String(value))
        ? [Number(value)]
        : [];
  const sum = (values: unknown) => numbers(values).reduce((total, each) => total + each, 0);
  const { columns } = await byApi(asking, query);
  const [ours, theirs] = [sum(columns.map(({ values }) => values)), sum(await byHand(asking, query))];
  if (ours !== theirs || ours === 0) throw new Error(`${query.name}: ${ours} in the API, ${theirs} by hand`);
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

interface Times {
  api: number;
  hand: number;
}

async function measure(asking: Asking, query: DashboardQuery): Promise<Times> {
  await check(asking, query);
  const times = { api: [] as number[], hand: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.hand.push(await timed(() => byHand(asking, query)));
    times.api.push(await timed(() => byApi(asking, query)));
  }
  return { api: median(times.api), hand: median(times.hand) };
}

/** The times of all queries on so many events, of which a third are of the site. */
async function measureAll(events: number): Promise<Times[]> {
  const times: Times[] = [];
  await withSite(async (site) => {
    await fill(site, events, 3);
    const copy = join(site.folder, 'by-hand');
    await cp(site.dataDir, copy, { recursive: true });
    const [product, engine] = [await site.start(), await openData(copy)];
    try {
      const asking = { site, call: caller(product), engine, range: lastDays(30) };
      for (const query of dashboard) times.push(await measure(asking, query));
    } finally {
      await product.stop();
      await engine.close();
    }
  });
  return times;
}

const results: Times[][] = [];
for (const events of sizes) results.push(await measureAll(events));
const [least = [], most = []] = [results[0], results.at(-1)];
for (const [at, { name }] of dashboard.entries()) {
  const [small, large] = [least[at] as Times, most[at] as Times];
  const ratio = large.api / large.hand;
  const line = `${name.padEnd(22)} ${ratio.toFixed(2)} of SQL by hand (goal ${goal}), ${large.api.toFixed(1)} ms against ${large.hand.toFixed(1)} ms`;
  const growth = `${(large.api / small.api).toFixed(1)} times that of ${sizes[0]} events`;
  process.stdout.write(`${ratio <= goal ? 'ok  ' : 'MISS'} ${line}; ${growth}\n`);
}
process.exitCode = most.every(({ api, hand }) => api / hand <= goal) ? 0 : 1;
