import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { packageFile } from '../../shared/process/package-root.js';
import type { Orders } from './attackers.js';
import { Client } from './client.js';
import { browse, honestTenant } from './honest.js';
import { firstToken, type Product, startProduct } from './product.js';
import { Record, type Recorded } from './record.js';
import { openRepositories } from './repositories.js';
import { drawTrace } from './trace.js';

/**
 * Ten minutes of honest and hostile load at once: how much slower the honest tenant is than alone, whether health answers,
 * whether memory stays flat and falls back, and whether anything fails that the handbook does not describe. One process on SQLite,
 * or with MONGODB_URL, NATS_URL and CLICKHOUSE_URL a process for each service. Arguments choose attacks by a part of their names;
 * `--write` draws the memory over time into the handbook.
 */
const { values, positionals: only } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } });
const aloneSeconds = Number(process.env.SOAK_ALONE_SECONDS ?? 60);
const seconds = Number(process.env.SOAK_SECONDS ?? 600);
const afterSeconds = Number(process.env.SOAK_AFTER_SECONDS ?? 60);

const goals = { slowdown: process.env.NATS_URL ? 6 : 3, healthMs: 250, memoryMiB: 1024, growth: 1.1 };

/** Statuses that the handbook describes. */
const isExpected = (status: number | string) =>
  typeof status === 'number' && (status < 500 || [503, 504].includes(status));

/** The longest that `/healthz` took on a connection of its own, ms; asked ten times a second. */
async function watchHealth({ url }: Product, signal: AbortSignal): Promise<number> {
  let longest = 0;
  while (!signal.aborted) {
    const began = performance.now();
    await fetch(`${url}/healthz`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(30_000) }).catch(
      () => {},
    );
    longest = Math.max(longest, performance.now() - began);
    await sleep(100);
  }
  return longest;
}

/** Memory of each process in MiB, once a second. */
async function watchMemory({ processes }: Product, signal: AbortSignal): Promise<Map<string, number[]>> {
  const samples = new Map([...processes.keys()].map((name) => [name, [] as number[]]));
  while (!signal.aborted) {
    for (const [name, running] of processes) samples.get(name)?.push(running.memory());
    await sleep(1000, undefined, { signal }).catch(() => {});
  }
  return samples;
}

const began = performance.now();
const tell = (phase: string) =>
  process.stdout.write(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${phase}\n`);

function say(ok: boolean, text: string): boolean {
  process.stdout.write(`${ok ? 'ok  ' : 'MISS'} ${text}\n`);
  return ok;
}

/**
 * Compares the last fifth of the samples under attack with the second: the lowest of each, since memory grows until it is
 * collected.
 */
function sayMemory([name, samples]: [string, number[]], { attack, end }: { attack: number; end: number }): boolean {
  const attacked = samples.slice(attack, end);
  const fifth = Math.max(1, Math.floor(attacked.length / 5));
  const [early, late] = [Math.min(...attacked.slice(fifth, 2 * fifth)), Math.min(...attacked.slice(-fifth))];
  const peak = Math.max(...samples);
  const after = Math.min(...samples.slice(end));
  return say(
    peak < goals.memoryMiB && late < early * goals.growth,
    `memory of ${name}: ${Math.round(early)} MiB at least early, ${Math.round(late)} at least late, ${Math.round(peak)} at most, ${Math.round(after)} at least after it (goal below ${goals.memoryMiB}, and flat)`,
  );
}

tell('building the repositories');
const folder = await mkdtemp(join(tmpdir(), 'bindery-soak-'));
const repositories = await openRepositories(join(folder, 'served'));
tell('starting the product');
const product = await startProduct(folder);
for (const [name, { process: child }] of product.processes)
  child.once('exit', (code, signal) => process.stdout.write(`${name} ended: ${code ?? signal}\n`));
const honest = new Client(product.url, firstToken);
const acts = await honestTenant(honest, repositories.honest);

tell('making the hostile tenant');
const { id: organization } = await honest.ok('POST', '/v1/orgs', { title: 'Hostile' });
const email = `${randomBytes(6).toString('hex')}@hostile.example`;
await honest.ok('POST', `/v1/orgs/${organization}/invites`, { emails: [email], role: 'admin' });
const token = await product.tokenOf(email);
const orders: Orders = { url: product.url, token, organization, urls: repositories.hostile, only };
const attackers = fork(packageFile('dist/bench/soak/attackers.js'), [JSON.stringify(orders)]);
const [ready] = await Promise.race([once(attackers, 'message'), once(attackers, 'exit')]);
if (ready !== 'ready') throw new Error('the attackers did not start');

const [alone, together, after] = [new Record(), new Record(), new Record()];
const [stop, attacked] = [new AbortController(), new AbortController()];
await browse(acts, new Record(), performance.now() + 5_000);
const watched = watchMemory(product, stop.signal);
tell('the honest alone');
await browse(acts, alone, performance.now() + aloneSeconds * 1000);
tell('the honest under attack');
const healthy = watchHealth(product, attacked.signal);
attackers.send('begin');
await browse(acts, together, performance.now() + seconds * 1000);
attacked.abort();
attackers.send('end');
const [recorded] = await once(attackers, 'message');
const hostile = Record.of(recorded as Recorded);
tell('the honest after it');
await browse(acts, after, performance.now() + afterSeconds * 1000);
stop.abort();
const [health, memory] = [await healthy, await watched];
const phases = { attack: aloneSeconds, end: aloneSeconds + seconds };

const table = (title: string, record: Record) =>
  process.stdout.write(`${title.padEnd(28)}   p50   p99   max  answers\n${record.lines().join('\n')}\n`);
table('honest, alone', alone);
table('honest, under attack', together);
table('honest, after it', after);
table('hostile', hostile);
const [before, under] = [alone.quantile(0.99), together.quantile(0.99)];
const faults = [
  ...[alone, after].flatMap((record) => record.faults((status) => status === 200)),
  ...together.faults(isExpected),
];
const refused = hostile.faults((status) => typeof status === 'string' || isExpected(status));
const results = [
  say(
    under <= before * goals.slowdown,
    `p99 of the honest: ${before.toFixed(0)} ms alone, ${under.toFixed(0)} ms under attack, ${(under / before).toFixed(1)}x (goal ${goals.slowdown}x)`,
  ),
  say(health < goals.healthMs, `/healthz took ${health.toFixed(0)} ms at most (goal ${goals.healthMs})`),
  say(faults.length === 0, `undescribed answers to the honest: ${faults.join('; ') || 'none'}`),
  say(refused.length === 0, `undescribed answers to the hostile: ${refused.join('; ') || 'none'}`),
  ...[...memory].map((each) => sayMemory(each, phases)),
];
if (values.write) await writeFile(packageFile('docs/operations/soak.svg'), drawTrace(memory, phases));
await honest.close();
await product.stop();
await repositories.close();
await rm(folder, { recursive: true, force: true });
process.exit(results.every(Boolean) ? 0 : 1);
