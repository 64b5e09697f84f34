import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { serveRepositories } from '../services/content/exchange/git/serve.js';
import { type Call, type Product, withProduct } from './product.js';

/**
 * What connections with Git cost while nothing is new: processor time of a look, asked for by webhooks until each connection is looked at
 * once in half an hour; and what the process takes beside, more than before it had any.
 */
const count = Number(process.env.BENCH_CONNECTIONS ?? 500);
const organizations = 10;
/** After as many looks without news, a connection is looked at as seldom as can be. */
const untilQuiet = 9;
const quietSeconds = 30 * 60;
const seconds = Number(process.env.BENCH_SECONDS ?? 180);
/** The first start imports the handbook. */
const settlingMs = 30_000;
const goal = 0.02;
const run = promisify(execFile);

/** Processor seconds so far of a process and all that it started. */
function processorSeconds(pid: number): number {
  const stats = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readStat(name) ?? []) : []));
  const sum = (parent: number): number =>
    stats
      .filter(({ id, above }) => id === parent || above === parent)
      .reduce((total, { id, own }) => total + (id === parent ? own : sum(id)), 0);
  return sum(pid) / 100;
}

/** Counted in hundredths of a second, with those that ended. */
function readStat(name: string): { id: number; above: number; own: number } | undefined {
  try {
    const [, rest = ''] = readFileSync(`/proc/${name}/stat`, 'latin1').split(') ');
    const fields = rest.split(' ').map(Number);
    return { id: Number(name), above: fields[1] ?? 0, own: fields.slice(11, 15).reduce((sum, each) => sum + each, 0) };
  } catch {
    return undefined;
  }
}

async function makeRepository(folder: string): Promise<void> {
  const work = join(folder, 'work');
  await mkdir(work, { recursive: true });
  await writeFile(join(work, 'README.md'), '# Welcome\n');
  const git = (...args: string[]) => run('git', ['-C', work, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args]);
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git('commit', '--quiet', '-m', 'Pages');
  await run('git', ['clone', '--quiet', '--bare', work, join(folder, 'served', 'docs.git')]);
}

interface Connection {
  id: string;
  webhook: { url: string; secret: string };
}

async function connectAll(call: Call, repositoryUrl: string): Promise<Connection[]> {
  const made: Connection[] = [];
  for (let at = 0; at < organizations; at++) {
    const { id } = await call<{ id: string }>('POST', '/orgs', { title: `Connections ${at}` });
    for (let each = 0; each < count / organizations; each++) {
      const space = await call<{ id: string }>('POST', `/orgs/${id}/spaces`, { title: `Space ${each}` });
      made.push(
        await call<Connection>('POST', '/git/installations', {
          provider: 'git',
          target: { type: 'space', spaceId: space.id },
          providerConfiguration: { repositoryUrl, branch: 'refs/heads/main' },
        }),
      );
    }
  }
  for (const { id } of made)
    while ((await call<{ state: string }>('GET', `/git/installations/${id}`)).state !== 'connected') await pause(100);
  return made;
}

async function countLooks(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = /^bindery_job_runs_total\{service="content",kind="lookAtGit",outcome="completed"[^}]*\} (\d+)/m.exec(
    text,
  );
  return Number(found?.[1] ?? 0);
}

/** Has every connection looked at once. */
async function lookAtAll(url: string, connections: readonly Connection[]): Promise<void> {
  const before = await countLooks(url);
  for (const { webhook } of connections) {
    const headers = { authorization: `Bearer ${webhook.secret}` };
    await fetch(`${url}${new URL(webhook.url).pathname}`, { method: 'POST', headers });
  }
  while ((await countLooks(url)) < before + connections.length) await pause(200);
}

/** The share of a processor that a process takes by itself. */
async function measureIdle(pid: number): Promise<number> {
  const before = processorSeconds(pid);
  await pause(seconds * 1000);
  return (processorSeconds(pid) - before) / seconds;
}

async function measure({ call, folder, url, pid }: Product): Promise<void> {
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
  const repositories = await serveRepositories({ root: join(folder, 'served') });
  try {
    await mkdir(join(folder, 'served'));
    await makeRepository(folder);
    await pause(settlingMs);
    const without = await measureIdle(pid);
    const connections = await connectAll(call, `${repositories.url}/docs.git`);
    const began = processorSeconds(pid);
    for (let round = 0; round < untilQuiet; round++) await lookAtAll(url, connections);
    const aLook = (processorSeconds(pid) - began) / untilQuiet / connections.length;
    process.stdout.write(`a look, with its webhook: ${(aLook * 1000).toFixed(1)} ms of a processor\n`);
    const before = await countLooks(url);
    const idle = await measureIdle(pid);
    // Each was looked at a moment ago.
    if ((await countLooks(url)) > before) throw new Error('connections were looked at while none was to be');
    const looks = (aLook * connections.length) / quietSeconds;
    process.stdout.write(
      `between looks: ${percent(idle)}, ${percent(without)} without connections\n` +
        `${connections.length} quiet connections: ${percent(looks + idle - without)} of a processor (goal ${percent(goal)})\n`,
    );
  } finally {
    await repositories.close();
  }
}

await withProduct(measure);
