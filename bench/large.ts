import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../shared/monitoring/log.js';
import { openStore } from '../shared/process/platform.js';
import { readConfig } from '../shared/settings/config.js';
import type { Store } from '../shared/store/port.js';
import { median } from './median.js';
import { start } from './processes.js';
import { caller, token } from './product.js';

/** A large tenant on a server of its own: an SQLite file, or with MONGODB_URL that database. Times are medians of turns. */
const rounds = 60;

export interface Listed {
  items: unknown[];
  next?: { page: string };
}

const folder = await mkdtemp(join(tmpdir(), 'bindery-bench-'));
const { MONGODB_URL } = process.env;
const settings = {
  BOOTSTRAP_TOKEN: token,
  RATE_LIMIT_PER_MINUTE: '0',
  LOG_LEVEL: 'info',
  DATA_DIR: folder,
  ...(MONGODB_URL ? { MONGODB_URL, SECRET_KEY: randomBytes(32).toString('base64') } : {}),
};
const server = await start('services/main.js', settings);

/** The documents of the server, to store many of them at once. */
export const openDocuments = (): Promise<Store> => openStore(readConfig(settings), createLog('error'));

export async function close(): Promise<void> {
  await server.stop();
  await rm(folder, { recursive: true });
}

const callServer = caller(server);

/** Calls an operation; throws on a refusal. */
export const call = <A = Listed>(method: string, path: string, body?: unknown): Promise<A> =>
  callServer<A>(method, path, body);

/** The query of the last full page of a list. */
export async function lastPage(path: string, limit: number): Promise<string> {
  const first = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
  let last = first;
  for (;;) {
    const { next } = await call('GET', last);
    if (!next) return last;
    const following = `${first}&page=${encodeURIComponent(next.page)}`;
    if ((await call('GET', following)).items.length < limit) return last;
    last = following;
  }
}

export type Act = (round: number) => Promise<unknown>;

export const get =
  (path: string): Act =>
  () =>
    call('GET', path);

/** In turns, so that a noisy machine counts for all alike. */
async function times(acts: Act[]): Promise<number[]> {
  const taken: number[][] = acts.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [at, act] of acts.entries()) {
      const began = performance.now();
      await act(round);
      taken[at]?.push(performance.now() - began);
    }
  return taken.map(median);
}

/** Says what an act costs of another one; whether that is below the goal. */
export async function compare(name: string, goal: number, floor: [string, Act], measured: Act): Promise<boolean> {
  const [least = 0, time = 0] = await times([floor[1], measured]);
  const ratio = time / least;
  const line = `${name.padEnd(34)} ${ratio.toFixed(2)} of ${floor[0]} (goal below ${goal}), ${time.toFixed(1)} ms against ${least.toFixed(1)} ms`;
  process.stdout.write(`${ratio < goal ? 'ok  ' : 'MISS'} ${line}\n`);
  return ratio < goal;
}

export async function report(name: string, act: Act): Promise<void> {
  const [time = 0] = await times([act]);
  process.stdout.write(`     ${name.padEnd(34)} ${time.toFixed(1)} ms\n`);
}
