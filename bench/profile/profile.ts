import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFile } from '../../shared/process/package-root.js';
import { benchSettings, type Case, chooseCases, prepareCases, sendLoad } from '../cases.js';
import { median } from '../median.js';
import { cpuMicros, type Running, start } from '../processes.js';
import { drawChart, type Micros, type Profiled, profileTable, sum } from './chart.js';
import { layerOf } from './layers.js';
import { monotonicMicros, Samples, type Span } from './samples.js';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const seconds = Number(process.env.BENCH_SECONDS ?? 2);
const page = 'docs/performance.md';
const chart = 'docs/performance/profile.svg';
const heading = '## Where the processor time goes';

/** Microseconds of processor time of one request, without a profiler. */
async function costOf({ url, process }: Running, measured: Case): Promise<number> {
  const before = cpuMicros(process.pid as number);
  const { requests } = await sendLoad(url, measured, seconds);
  return (cpuMicros(process.pid as number) - before) / requests;
}

async function statementsOf({ url }: Running, measured: Case): Promise<number> {
  const count = async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/^bindery_store_statements_total (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  const before = await count();
  const { requests } = await sendLoad(url, measured, 1);
  return ((await count()) - before) / requests;
}

interface Costs {
  product: number;
  floor: number;
  statements: number;
}

async function measureCosts(product: Running, floor: Running, cases: Case[]): Promise<Map<Case, Costs>> {
  const costs = new Map<Case, Costs>();
  for (const measured of cases) {
    for (const each of [product, floor]) await sendLoad(each.url, measured, 1);
    const statements = await statementsOf(product, measured);
    const pairs: Record<'product' | 'floor', number>[] = [];
    for (let round = 0; round < rounds; round++)
      pairs.push({ product: await costOf(product, measured), floor: await costOf(floor, measured) });
    const medianOf = (which: 'product' | 'floor') => median(pairs.map((pair) => pair[which]));
    costs.set(measured, { product: medianOf('product'), floor: medianOf('floor'), statements });
  }
  return costs;
}

/** Runs a program under the profiler; the parts of its processor time by layer, for each case. */
async function sampleShares(program: string, env: Record<string, string>, cases: Case[]): Promise<Map<Case, Micros>> {
  const folder = join(env.DATA_DIR as string, 'profile');
  await mkdir(folder);
  const running = await start(program, env, ['--cpu-prof', '--cpu-prof-interval=200', `--cpu-prof-dir=${folder}`]);
  const spans = new Map<Case, Span>();
  for (const measured of cases) {
    await sendLoad(running.url, measured, 1);
    const from = monotonicMicros();
    await sendLoad(running.url, measured, seconds);
    spans.set(measured, { from, to: monotonicMicros() });
  }
  await running.stop();
  const samples = new Samples(folder, running.process.pid as number);
  return new Map(cases.map((measured) => [measured, microsByLayer(samples, spans.get(measured) as Span)]));
}

function microsByLayer(samples: Samples, span: Span): Micros {
  const byLayer: Micros = {};
  samples.eachIn(span, (stack, micros) => {
    const layer = layerOf(stack);
    if (layer) byLayer[layer] = (byLayer[layer] ?? 0) + micros;
  });
  return byLayer;
}

/** Parts of a request's processor time that sum up to its cost. */
function scaleTo(cost: number, micros: Micros): Micros {
  const all = sum(micros);
  return Object.fromEntries(Object.entries(micros).map(([layer, each]) => [layer, (each * cost) / all]));
}

/**
 * Prints the processor time of one request of each chosen case by layer, the product's and the floor's. With `--write` it also puts table
 * and chart into the handbook.
 */
export async function profileCases(given: string[]): Promise<void> {
  const chosen = given.filter((each) => each !== '--write');
  const folder = await mkdtemp(join(tmpdir(), 'bindery-profile-'));
  const env = (name: string) => ({ ...benchSettings, METRICS_PUBLIC: 'true', DATA_DIR: join(folder, name) });
  const filling = await start('services/main.js', env('product'));
  const cases = chooseCases(await prepareCases(filling), chosen);
  await filling.stop();
  for (const copy of ['floor', 'sampled', 'sampled floor'])
    await cp(join(folder, 'product'), join(folder, copy), { recursive: true });
  const product = await start('services/main.js', env('product'));
  const floor = await start('bench/floor.js', env('floor'));
  const costs = await measureCosts(product, floor, cases);
  await Promise.all([product.stop(), floor.stop()]);
  const shares = await sampleShares('services/main.js', env('sampled'), cases);
  const floorShares = await sampleShares('bench/floor.js', env('sampled floor'), cases);
  await rm(folder, { recursive: true, force: true });
  const profiled: Profiled[] = cases.map((measured) => {
    const { product, floor, statements } = costs.get(measured) as Costs;
    return {
      name: measured.name,
      product: scaleTo(product, shares.get(measured) ?? {}),
      floor: scaleTo(floor, floorShares.get(measured) ?? {}),
      statements,
    };
  });
  const table = profileTable(profiled);
  process.stdout.write(`${table}\n`);
  if (given.includes('--write')) await writeProfile(table, drawChart(profiled));
}

/** Replaces the section of the handbook. */
async function writeProfile(table: string, svg: string): Promise<void> {
  const text = await readFile(packageFile(page), 'utf8');
  const begin = text.indexOf(`${heading}\n`);
  if (begin < 0) throw new Error(`${page} has no section "${heading}"`);
  const next = text.indexOf('\n## ', begin + heading.length);
  const day = new Date().toISOString().slice(0, 10);
  const section = [
    heading,
    '',
    `Microseconds of processor time a request, product / floor, by \`npm run bench -- profile --write\` on ${day}, two shared processors, 64 connections. The last column counts the`,
    "statements of the product's store.",
    '',
    table,
    '',
    '![Processor time of each operation by layer, product above floor](performance/profile.svg)',
    '',
  ].join('\n');
  await writeFile(packageFile(page), `${text.slice(0, begin)}${section}${next < 0 ? '' : text.slice(next)}`);
  await mkdir(packageFile('docs/performance'), { recursive: true });
  await writeFile(packageFile(chart), svg);
}
