import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { importLargeSpace } from './large-space.js';
import { median } from './median.js';
import { type Running, start } from './processes.js';
import { benchRoutes } from './routes.js';

/**
 * Ratios against a floor that does the same work behind bare node:http, measured in turns in the same run. With arguments, only
 * the cases whose names contain one of them.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const connections = 64;
const token = 'bench_token_of_the_first_user_0123456789';
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

const chosen = process.argv.slice(2);
const isChosen = (name: string) => chosen.length === 0 || chosen.some((part) => name.includes(part));

interface Case {
  name: string;
  goal: number;
  /** Several are asked for in turn. */
  path: string | string[];
  method?: 'GET' | 'POST';
  body?: string;
  /** Sent in addition. */
  headers?: Record<string, string>;
  /** Of the answers; 200 by default. */
  status?: number;
}

interface Sample {
  rate: number;
  p50: number;
  p99: number;
}

async function load(url: string, measured: Case, duration = seconds): Promise<Sample> {
  const { path, method = 'GET', body, headers: own = {}, status } = measured;
  const result = await autocannon({
    url,
    requests: [path].flat().map((each) => ({ path: each })),
    method,
    headers: { ...headers, ...own },
    connections,
    duration,
    ...(body ? { body } : {}),
  });
  const expected = status === undefined ? result['2xx'] : (result.statusCodeStats?.[`${status}`]?.count ?? 0);
  const failed = result.requests.total - expected + result.errors;
  if (failed > 0) throw new Error(`${method} ${path}: ${failed} failed`);
  return { rate: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

async function compare(product: Running, floor: Running, measured: Case): Promise<boolean> {
  await load(floor.url, measured, 1);
  await load(product.url, measured, 1);
  const samples: { product: Sample; floor: Sample }[] = [];
  for (let round = 0; round < rounds; round++)
    samples.push({ floor: await load(floor.url, measured), product: await load(product.url, measured) });
  const ratio = median(samples.map(({ product, floor }) => product.rate / floor.rate));
  const spread = median(samples.map(({ product }) => product.p99 / Math.max(1, product.p50)));
  const rate = median(samples.map(({ product }) => product.rate));
  const p50 = median(samples.map(({ product }) => product.p50));
  const ok = ratio >= measured.goal;
  const line = `${measured.name.padEnd(24)} ${ratio.toFixed(2)} of the floor (goal ${measured.goal}), ${Math.round(rate)}/s, p50 ${p50} ms, p99 ${spread.toFixed(1)}x p50`;
  process.stdout.write(`${ok && spread < 4 ? 'ok  ' : 'MISS'} ${line}\n`);
  return ok && spread < 4;
}

interface Prepared {
  organization: string;
  /** Many, so that none reaches its bound of spaces. */
  writers: string[];
  space: string;
  /** Spaces that comments are written on. */
  discussed: string[];
  /** A space of 432 pages, its current revision and the version of its page tree. */
  large: { space: string; revision: string; etag: string };
}

async function prepare(product: Running): Promise<Prepared> {
  const ask = (method: string, path: string, body?: unknown) =>
    fetch(`${product.url}/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  const call = async (method: string, path: string, body?: unknown) => {
    const text = await (await ask(method, path, body)).text();
    return text === '' ? undefined : JSON.parse(text);
  };
  const { id: organization } = (await call('POST', '/orgs', { title: 'Bench' })) as { id: string };
  const writers: string[] = [];
  for (let i = 0; i < 16; i++)
    writers.push(((await call('POST', '/orgs', { title: `Writer ${i}` })) as { id: string }).id);
  const made: string[] = [];
  for (let i = 0; i < 200; i++)
    made.push(((await call('POST', `/orgs/${organization}/spaces`, { title: `Space ${i}` })) as { id: string }).id);
  const space = made.at(-1) as string;
  for (let i = 0; i < 60; i++)
    await call('POST', `/spaces/${space}/comments`, {
      body: { markdown: `Comment ${i}: the second step is missing.` },
    });
  const large = await importLargeSpace(call, organization);
  const current = await ask('GET', `/spaces/${large}/content`);
  const { id: revision } = (await current.json()) as { id: string };
  return {
    organization,
    writers,
    space,
    discussed: made.slice(0, 16),
    large: { space: large, revision, etag: current.headers.get('etag') ?? '' },
  };
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-bench-'));
  const settings = {
    BOOTSTRAP_TOKEN: token,
    RATE_LIMIT_PER_MINUTE: '1000000000',
    LOG_LEVEL: 'info',
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
  };
  const env = (name: string) => ({ ...settings, DATA_DIR: join(folder, name) });
  const began = performance.now();
  let product = await start('services/main.js', env('product'));
  await fetch(`${product.url}/v1/user`, { headers });
  process.stdout.write(`first start to first answer ${((performance.now() - began) / 1000).toFixed(2)} s\n`);
  const { organization, writers, space, discussed, large } = await prepare(product);
  await product.stop();
  await cp(join(folder, 'product'), join(folder, 'floor'), { recursive: true });
  product = await start('services/main.js', env('product'));
  await new Promise((resolve) => setTimeout(resolve, 3000));
  process.stdout.write(`idle memory ${Math.round(product.memory())} MiB\n`);
  const floor = await start('bench/floor.js', env('floor'));
  const pages = `/v1/spaces/${large.space}/content/pages`;
  const known = { headers: { 'if-none-match': large.etag }, status: 304 };
  const cases: Case[] = [
    { name: 'point read', goal: 0.45, path: `/v1/spaces/${space}` },
    { name: 'list of 50', goal: 0.7, path: `/v1/orgs/${organization}/spaces` },
    {
      name: 'write',
      goal: 0.5,
      path: writers.map((writer) => `/v1/orgs/${writer}/spaces`),
      method: 'POST',
      body: '{"title":"Bench"}',
    },
    {
      name: 'comment',
      goal: 0.5,
      path: discussed.map((each) => `/v1/spaces/${each}/comments`),
      method: 'POST',
      body: '{"body":{"markdown":"The second step is missing."}}',
    },
    { name: 'page of 50 comments', goal: 0.7, path: `/v1/spaces/${space}/comments` },
    { name: 'page tree', goal: 0.4, path: pages },
    { name: 'page tree, gzip', goal: 0.3, path: pages, headers: { 'accept-encoding': 'gzip' } },
    { name: 'page tree, unchanged', goal: 0.4, path: pages, ...known },
    { name: 'revision', goal: 0.4, path: `/v1/spaces/${large.space}/revisions/${large.revision}` },
    { name: 'revision, unchanged', goal: 0.4, path: `/v1/spaces/${large.space}/revisions/${large.revision}`, ...known },
  ];
  const results: boolean[] = [];
  for (const measured of cases.filter(({ name }) => isChosen(name)))
    results.push(await compare(product, floor, measured));
  await Promise.all([product.stop(), floor.stop()]);
  if (isChosen('routes')) results.push(await benchRoutes(join(folder, 'routes')));
  await rm(folder, { recursive: true, force: true });
  process.exitCode = results.every(Boolean) ? 0 : 1;
}

await main();
