import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { median } from './median.js';
import { type Running, start } from './processes.js';
import { benchRoutes } from './routes.js';

/** Ratios against a floor that does the same work behind bare node:http, measured in turns in the same run. */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const connections = 64;
const token = 'bench_token_of_the_first_user_0123456789';
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

interface Case {
  name: string;
  goal: number;
  path: string;
  method?: 'GET' | 'POST';
  body?: string;
}

interface Sample {
  rate: number;
  p50: number;
  p99: number;
}

async function load(url: string, { path, method = 'GET', body }: Case, duration = seconds): Promise<Sample> {
  const result = await autocannon({
    url: url + path,
    method,
    headers,
    connections,
    duration,
    ...(body ? { body } : {}),
  });
  const failed = result.non2xx + result.errors;
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

async function prepare(product: Running): Promise<{ organization: string; space: string }> {
  const call = async (method: string, path: string, body?: unknown) =>
    (
      await fetch(`${product.url}/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    ).json();
  const { id: organization } = (await call('POST', '/orgs', { title: 'Bench' })) as { id: string };
  let space = '';
  for (let i = 0; i < 200; i++)
    space = ((await call('POST', `/orgs/${organization}/spaces`, { title: `Space ${i}` })) as { id: string }).id;
  return { organization, space };
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-bench-'));
  const settings = { BOOTSTRAP_TOKEN: token, RATE_LIMIT_PER_MINUTE: '1000000000', LOG_LEVEL: 'info' };
  const env = (name: string) => ({ ...settings, DATA_DIR: join(folder, name) });
  const began = performance.now();
  let product = await start('services/main.js', env('product'));
  await fetch(`${product.url}/v1/user`, { headers });
  process.stdout.write(`first start to first answer ${((performance.now() - began) / 1000).toFixed(2)} s\n`);
  const { organization, space } = await prepare(product);
  await product.stop();
  await cp(join(folder, 'product'), join(folder, 'floor'), { recursive: true });
  product = await start('services/main.js', env('product'));
  await new Promise((resolve) => setTimeout(resolve, 3000));
  process.stdout.write(`idle memory ${Math.round(product.memory())} MiB\n`);
  const floor = await start('bench/floor.js', env('floor'));
  const cases: Case[] = [
    { name: 'point read', goal: 0.45, path: `/v1/spaces/${space}` },
    { name: 'list of 50', goal: 0.7, path: `/v1/orgs/${organization}/spaces` },
    { name: 'write', goal: 0.5, path: `/v1/orgs/${organization}/spaces`, method: 'POST', body: '{"title":"Bench"}' },
  ];
  const results: boolean[] = [];
  for (const measured of cases) results.push(await compare(product, floor, measured));
  await Promise.all([product.stop(), floor.stop()]);
  results.push(await benchRoutes(join(folder, 'routes')));
  await rm(folder, { recursive: true, force: true });
  process.exitCode = results.every(Boolean) ? 0 : 1;
}

await main();
