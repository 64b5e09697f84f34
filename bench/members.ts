import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from './processes.js';

/**
 * Lists and searches of a large organization against its first page: 20,000 members in 500 teams. On an SQLite file, or
 * with MONGODB_URL on that database.
 */
const members = Number(process.env.BENCH_MEMBERS ?? 20_000);
const teams = Number(process.env.BENCH_TEAMS ?? 500);
const rounds = 60;
const token = 'bench_token_of_the_first_user_0123456789';

interface Answer {
  id: string;
  users: string[];
  count: number;
  items: { id: string }[];
  next?: { page: string };
}

const folder = await mkdtemp(join(tmpdir(), 'bindery-bench-'));
const { MONGODB_URL } = process.env;
const server = await start('services/main.js', {
  BOOTSTRAP_TOKEN: token,
  RATE_LIMIT_PER_MINUTE: '0',
  LOG_LEVEL: 'info',
  DATA_DIR: folder,
  ...(MONGODB_URL ? { MONGODB_URL, SECRET_KEY: randomBytes(32).toString('base64') } : {}),
});

async function call(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${server.url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text || '{}') as Answer;
}

const first = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Radia', 'Ken', 'Margaret', 'Dennis'];

async function fill(organization: string): Promise<void> {
  const ids: string[] = [];
  for (let at = 0; at < members; at += 500) {
    const emails = Array.from(
      { length: Math.min(500, members - at) },
      (_, i) => `${first[(at + i) % 10]?.toLowerCase()}.${(at + i).toString(36)}@people.example`,
    );
    ids.push(...(await call('POST', `/orgs/${organization}/invites`, { emails, role: 'read' })).users);
  }
  for (let at = 0; at < teams; at++) {
    const size = at % 10 === 0 ? 1000 : 50;
    const start = (at * 977) % Math.max(1, ids.length - size);
    await call('PUT', `/orgs/${organization}/teams`, { title: `Team ${at}`, members: ids.slice(start, start + size) });
  }
}

/** The query of the last full page of 100. */
async function lastPage(path: string): Promise<string> {
  const mark = path.includes('?') ? '&' : '?';
  const at = (page: string) => `${path}${mark}limit=100&page=${encodeURIComponent(page)}`;
  let last = `${path}${mark}limit=100`;
  for (;;) {
    const { next } = await call('GET', last);
    if (!next) return last;
    const following = await call('GET', at(next.page));
    if (following.items.length < 100) return last;
    last = at(next.page);
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** Median times in turns, so that a noisy machine counts for all alike. */
async function times(paths: string[]): Promise<number[]> {
  const taken: number[][] = paths.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [at, path] of paths.entries()) {
      const began = performance.now();
      await call('GET', path);
      taken[at]?.push(performance.now() - began);
    }
  return taken.map(median);
}

async function compare(name: string, goal: number, plain: string, measured: string): Promise<boolean> {
  const [floor = 0, time = 0] = await times([plain, measured]);
  const ratio = time / floor;
  const line = `${name.padEnd(34)} ${ratio.toFixed(2)} of the first page (goal below ${goal}), ${time.toFixed(1)} ms against ${floor.toFixed(1)} ms`;
  process.stdout.write(`${ratio < goal ? 'ok  ' : 'MISS'} ${line}\n`);
  return ratio < goal;
}

try {
  const { id: organization } = await call('POST', '/orgs', { title: 'Bench' });
  const began = performance.now();
  await fill(organization);
  process.stdout.write(
    `${members} members in ${teams} teams made in ${((performance.now() - began) / 1000).toFixed(0)} s\n`,
  );
  const list = `/orgs/${organization}/members`;
  const plain = `${list}?limit=100`;
  const largest = (await call('GET', `/orgs/${organization}/teams?limit=1`)).items[0]?.id;
  const results = [
    await compare('last page of members', 1.5, plain, await lastPage(list)),
    await compare('last page of a role', 1.5, `${plain}&role=read`, await lastPage(`${list}?role=read`)),
    await compare(
      'last page of teams',
      1.5,
      `/orgs/${organization}/teams?limit=100`,
      await lastPage(`/orgs/${organization}/teams`),
    ),
    await compare(
      'last page of a team',
      1.5,
      `/orgs/${organization}/teams/${largest}/members?limit=100`,
      await lastPage(`/orgs/${organization}/teams/${largest}/members`),
    ),
    await compare('search of one member', 5, plain, `${plain}&search=grace.abd`),
    await compare('search of a tenth', 5, plain, `${plain}&search=margaret`),
    await compare('search of everybody', 5, plain, `${plain}&search=people.example`),
    await compare('search of nobody', 5, plain, `${plain}&search=nobody+at+all`),
  ];
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  await server.stop();
  await rm(folder, { recursive: true });
}
