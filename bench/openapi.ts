import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { load } from 'js-yaml';
import { openProbe } from './probe.js';
import { type Product, withProduct } from './product.js';

/**
 * What it takes to process OpenAPI specifications, the documents of the folder that the first argument names, from the smallest to the
 * largest: time and memory, whether the content has the operations that a count of its own finds, and what other requests notice. With
 * BENCH_BY_URL=1 all of them are published by URL, else those above 16 MiB, the longest text.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node dist/bench/openapi.js <folder of documents>');
const largestText = 16 * 1024 * 1024;
const byUrl = process.env.BENCH_BY_URL === '1';
const beforeMs = 4000;
/** Times the p99 of other requests before; milliseconds that the event loop is held. */
const goals = { ratio: 2, heldMs: 200 };
/** Below this many milliseconds, the p99 of two runs differs by more than the goal anyway. */
const noiseMs = 10;
const methods = new Set('get put post delete options head patch trace'.split(' '));

type Hideable = { 'x-internal'?: unknown };

/** Counts as a reader would: every method of every path, without those that are hidden. */
function operationsIn(text: string): number {
  const { paths = {} } = load(text, { maxAliases: -1 }) as { paths?: Record<string, Record<string, Hideable>> };
  return Object.values(paths).flatMap((item) =>
    Object.entries(item).filter(([key, operation]) => methods.has(key) && operation['x-internal'] !== true),
  ).length;
}

type Content = { filesystem: Record<string, { specification: unknown }> };

const fixed = (value: number, digits = 0) => value.toFixed(digits).padStart(7);

async function processed(product: Product, path: string): Promise<Record<string, unknown>> {
  for (;;) {
    const spec = await product.call<Record<string, unknown>>('GET', path);
    if (spec.processingState === 'complete') return spec;
    await pause(20);
  }
}

async function measure(product: Product): Promise<void> {
  const { call } = product;
  const { id } = await call<{ id: string }>('POST', '/orgs', { title: 'Specifications' });
  const files = await Promise.all(
    (await readdir(folder as string)).map(async (name) => ({
      name,
      size: (await stat(join(folder as string, name))).size,
    })),
  );
  let served = Buffer.alloc(0);
  const server = createServer((_, response) => response.end(served));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const source = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const probe = openProbe(product, `/v1/orgs/${id}`, { watchesWorkers: true });
  await pause(3000);
  process.stdout.write(
    '     MB        ms   worker MiB server MiB operations  p99 before ms  p99 ms  held ms  read ms  document\n',
  );
  const misses: string[] = [];
  for (const { name, size } of files.toSorted((a, b) => a.size - b.size)) {
    served = await readFile(join(folder as string, name));
    const text = served.toString();
    const expected = operationsIn(text);
    const path = `/orgs/${id}/openapi/${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
    const body = { source: byUrl || size > largestText ? { url: source } : { text } };
    await probe.seen();
    await pause(beforeMs);
    const before = await probe.seen();
    const began = performance.now();
    await call('PUT', path, body);
    const spec = await processed(product, path);
    const ms = performance.now() - began;
    const seen = await probe.seen();
    if (spec.lastProcessErrorCode) process.stdout.write(`${name}: ${spec.lastProcessErrorMessage}\n`);
    const reading = performance.now();
    const { filesystem } = await call<Content>('GET', `${path}/versions/latest/content`);
    const read = performance.now() - reading;
    const found = operationsIn(JSON.stringify(filesystem['openapi.json']?.specification));
    const line = [size / 1e6, ms, seen.workerMiB, product.memory(), found].map((value) =>
      fixed(value, value < 30 ? 1 : 0),
    );
    process.stdout.write(
      `${line.join('   ')} ${fixed(before.p99, 1)} ${fixed(seen.p99, 1)} ${fixed(seen.heldMs)} ${fixed(read)}  ${name}\n`,
    );
    if (found !== expected) misses.push(`${name}: ${expected} operations, not ${found}`);
    if (seen.heldMs > goals.heldMs) misses.push(`${name}: the event loop was held for ${seen.heldMs.toFixed(0)} ms`);
    if (seen.p99 > Math.max(noiseMs, goals.ratio * before.p99)) misses.push(`${name}: p99 ${seen.p99.toFixed(1)} ms`);
  }
  await probe.close();
  server.closeAllConnections();
  server.close();
  for (const miss of misses) process.stdout.write(`MISS ${miss}\n`);
  process.exitCode = misses.length === 0 ? 0 : 1;
}

await withProduct(measure);
