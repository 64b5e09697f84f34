import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchSettings, type Case, chooseCases, prepareCases, sendLoad } from './cases.js';
import { benchGrowth } from './growth.js';
import { median } from './median.js';
import { type Running, start } from './processes.js';
import { profileCases } from './profile/profile.js';
import { benchRoutes } from './routes.js';

/**
 * Ratios against a floor that does the same work behind bare node:http, measured in turns in the same run. With arguments, only
 * the cases whose names contain one of them. After `profile`, where their processor time goes; after `growth`, what more data costs.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const seconds = Number(process.env.BENCH_SECONDS ?? 3);

async function compare(product: Running, floor: Running, measured: Case): Promise<boolean> {
  await sendLoad(floor.url, measured, 1);
  await sendLoad(product.url, measured, 1);
  const samples = [];
  for (let round = 0; round < rounds; round++)
    samples.push({
      floor: await sendLoad(floor.url, measured, seconds),
      product: await sendLoad(product.url, measured, seconds),
    });
  const ratio = median(samples.map(({ product, floor }) => product.rate / floor.rate));
  const spread = median(samples.map(({ product }) => product.p99 / Math.max(1, product.p50)));
  const rate = median(samples.map(({ product }) => product.rate));
  const p50 = median(samples.map(({ product }) => product.p50));
  const ok = ratio >= measured.goal;
  const line = `${measured.name.padEnd(24)} ${ratio.toFixed(2)} of the floor (goal ${measured.goal}), ${Math.round(rate)}/s, p50 ${p50} ms, p99 ${spread.toFixed(1)}x p50`;
  process.stdout.write(`${ok && spread < 4 ? 'ok  ' : 'MISS'} ${line}\n`);
  return ok && spread < 4;
}

async function main(chosen: string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-bench-'));
  const env = (name: string) => ({ ...benchSettings, DATA_DIR: join(folder, name) });
  const began = performance.now();
  let product = await start('services/main.js', env('product'));
  await fetch(`${product.url}/healthz`);
  process.stdout.write(`first start to first answer ${((performance.now() - began) / 1000).toFixed(2)} s\n`);
  const cases = chooseCases(await prepareCases(product), chosen);
  await product.stop();
  await cp(join(folder, 'product'), join(folder, 'floor'), { recursive: true });
  product = await start('services/main.js', env('product'));
  await new Promise((resolve) => setTimeout(resolve, 3000));
  process.stdout.write(`idle memory ${Math.round(product.memory())} MiB\n`);
  const floor = await start('bench/floor.js', env('floor'));
  const results: boolean[] = [];
  for (const measured of cases) results.push(await compare(product, floor, measured));
  await Promise.all([product.stop(), floor.stop()]);
  if (chosen.length === 0 || chosen.includes('routes')) results.push(await benchRoutes(join(folder, 'routes')));
  await rm(folder, { recursive: true, force: true });
  process.exitCode = results.every(Boolean) ? 0 : 1;
}

const [first, ...others] = process.argv.slice(2);
if (first === 'profile') await profileCases(others);
else if (first === 'growth') await benchGrowth(others);
else await main(process.argv.slice(2));
