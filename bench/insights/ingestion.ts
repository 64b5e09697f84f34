import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { type EventRow, eventsTable } from '../../services/insights/events/model.js';
import { eventRows } from '../../services/insights/tracking/rows.js';
import { Places } from '../../services/insights/visitors/places.js';
import { prepareTable } from '../../shared/analytics/table.js';
import { anonymous } from '../../shared/contract/caller.js';
import { createLog } from '../../shared/monitoring/log.js';
import { readConfig } from '../../shared/settings/config.js';
import { median } from '../median.js';
import { type Running, start } from '../processes.js';
import { caller, token } from '../product.js';
import { type AnalyzedSite, fill, withSite } from './analyzed-site.js';
import { type OpenEngine, openData } from './engine.js';
import { sentEvents } from './sent-events.js';

/** How many events a second are taken, as ratios to floors that are measured in turns in the same run. */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const storedEvents = Number(process.env.BENCH_EVENTS ?? 10_000_000);
const connections = 64;
const bodies = 20;
const many = 50;
const rowsOfInsert = 10_000;

interface Sample {
  /** Events a second. */
  rate: number;
  /** Milliseconds; of direct inserts, both are those of one insert. */
  p50: number;
  p99: number;
}

type Measure = () => Promise<Sample>;

interface Load {
  /** Events of one request. */
  each: number;
  /** Without it, the requests are those of visitors. */
  token?: string;
}

/** Sends events to a site from all connections. */
async function load({ url }: Running, { address, events }: AnalyzedSite, { each, token }: Load): Promise<Sample> {
  const path = `/v1${events}`;
  const requests = sentEvents(bodies, each, address).map((sent) => ({ path, body: JSON.stringify({ events: sent }) }));
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const result = await autocannon({ url, requests, method: 'POST', headers, connections, duration: seconds });
  const failed = result.requests.total - (result.statusCodeStats?.['204']?.count ?? 0) + result.errors;
  if (failed > 0) throw new Error(`${failed} requests failed: ${JSON.stringify(result.statusCodeStats)}`);
  const { p50, p99 } = result.latency;
  return { rate: (result.requests.total * each) / result.duration, p50, p99 };
}

/** Inserts rows as they are stored, as fast as one client can. */
async function insertDirectly({ client }: OpenEngine, rows: EventRow[]): Promise<Sample> {
  const began = performance.now();
  const until = began + seconds * 1000;
  const times: number[] = [];
  for (let start = began; start < until; start = performance.now()) {
    await client.insert({
      table: eventsTable.name,
      values: rows,
      format: 'JSONEachRow',
      clickhouse_settings: { date_time_input_format: 'best_effort', insert_deduplication_token: randomUUID() },
    });
    times.push(performance.now() - start);
  }
  const taken = (performance.now() - began) / 1000;
  return { rate: (times.length * rows.length) / taken, p50: median(times), p99: Math.max(...times) };
}

function rowsOfSite({ organization, site, address }: AnalyzedSite): EventRow[] {
  const context = { caller: anonymous, client: { address: '127.0.0.1', headers: {} } };
  const reading = { places: new Places(undefined, createLog('error')), windowMs: 60_000, now: Date.now() };
  return sentEvents(rowsOfInsert / many, many, address).flatMap((events) =>
    eventRows({ organization, site, events, context }, reading),
  );
}

interface Compared {
  name: string;
  goal: number;
  measured: Measure;
  floor: Measure;
}

const shown = ({ rate, p50, p99 }: Sample) =>
  `${Math.round(rate)}/s, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`;

/** Measures after a pause in which the engines merge what was inserted before: they share the processors. */
async function afterPause(measure: Measure): Promise<Sample> {
  await pause(seconds * 1000);
  return measure();
}

async function compare({ name, goal, measured, floor }: Compared): Promise<boolean> {
  await floor();
  await measured();
  const samples: { ours: Sample; floor: Sample }[] = [];
  for (let round = 0; round < rounds; round++)
    samples.push({ floor: await afterPause(floor), ours: await afterPause(measured) });
  const middle = (of: 'ours' | 'floor'): Sample => {
    const one = (key: keyof Sample) => median(samples.map((sample) => sample[of][key]));
    return { rate: one('rate'), p50: one('p50'), p99: one('p99') };
  };
  const ratio = median(samples.map(({ ours, floor }) => ours.rate / floor.rate));
  const spread = median(samples.map(({ ours }) => ours.p99 / Math.max(1, ours.p50)));
  const ok = ratio >= goal && spread < 4;
  process.stdout.write(
    `${ok ? 'ok  ' : 'MISS'} ${name}: ${ratio.toFixed(2)} of the floor (goal ${goal}), p99 ${spread.toFixed(1)}x p50 (goal 4)\n     ${shown(middle('ours'))}; floor ${shown(middle('floor'))}\n`,
  );
  return ok;
}

async function againstFloors(site: AnalyzedSite): Promise<boolean[]> {
  const copy = join(site.folder, 'floor');
  await cp(site.dataDir, copy, { recursive: true });
  const direct = await openData(join(site.folder, 'direct'));
  const [product, floor] = await Promise.all([site.start(), start('bench/insights/floor.js', { DATA_DIR: copy })]);
  try {
    const { EVENT_RETENTION_DAYS: retentionDays } = readConfig({});
    await prepareTable({ client: direct.client, table: eventsTable, retentionDays });
    const rows = rowsOfSite(site);
    const inserts = () => insertDirectly(direct, rows);
    return [
      await compare({
        name: `${many} events a request, against inserts of ${rowsOfInsert}`,
        goal: 0.5,
        measured: () => load(product, site, { each: many, token }),
        floor: inserts,
      }),
      await compare({
        name: `${many} events a request without a token, against inserts of ${rowsOfInsert}`,
        goal: 0.5,
        measured: () => load(product, site, { each: many }),
        floor: inserts,
      }),
      await compare({
        name: 'one event a request, against bare node:http',
        goal: 0.7,
        measured: () => load(product, site, { each: 1, token }),
        floor: () => load(floor, site, { each: 1, token }),
      }),
    ];
  } finally {
    await Promise.all([product.stop(), floor.stop()]);
    await direct.close();
  }
}

/** Asks for a report over all events again and again while something is measured. */
async function besideQueries(
  product: Running,
  { events }: AnalyzedSite,
  measure: Measure,
): Promise<Sample & { times: number[] }> {
  const call = caller(product);
  const body = { range: 'lastYear', select: [{ column: 'url' }, { column: 'visitorsCount' }] };
  const times: number[] = [];
  let done = false;
  const asking = (async () => {
    while (!done) {
      const began = performance.now();
      await call('POST', `${events}/aggregate`, body);
      times.push(performance.now() - began);
    }
  })();
  try {
    return { ...(await measure()), times };
  } finally {
    done = true;
    await asking;
  }
}

async function againstQueries(site: AnalyzedSite): Promise<boolean> {
  await fill(site, storedEvents, 1);
  const product = await site.start();
  try {
    const asked: number[] = [];
    const alone = () => load(product, site, { each: many, token });
    const beside = async () => {
      const { times, ...sample } = await besideQueries(product, site, alone);
      asked.push(...times);
      return sample;
    };
    const name = `${many} events a request, beside reports over ${storedEvents} events`;
    const ok = await compare({ name, goal: 0.5, measured: beside, floor: alone });
    process.stdout.write(
      `     ${asked.length} reports, median ${median(asked).toFixed(0)} ms, longest ${Math.max(...asked).toFixed(0)} ms\n`,
    );
    return ok;
  } finally {
    await product.stop();
  }
}

await withSite(async (site) => {
  const results = [...(await againstFloors(site)), await againstQueries(site)];
  process.exitCode = results.every(Boolean) ? 0 : 1;
});
