import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { freePort } from '../../../shared/process/free-port.js';

/** What one request ran: the functions that each of its repetitions called more often than an idle server does in that time. */
export interface Walk {
  name: string;
  files: string[];
  functions: number;
}

interface Step {
  name: string;
  /** How long after the answer its outbox and jobs are still counted, in ms. */
  afterMs: number;
  /** Prepares a request and returns the function that sends it. */
  prepare: () => Promise<() => Promise<unknown>>;
}

const token = 'bnd_token_that_counts_the_house_0123456789';
const startedMs = 4_000;
const warmUps = 3;
const repetitions = 6;
const idleWindows = 4;
/** How long a request may take on a busy machine, in ms. */
const requestMs = 150;

/** Starts the built product of a folder in this process, which it ends with, and counts what warm requests run. */
export async function countWalks(root: string): Promise<Walk[]> {
  const [folder, port] = [mkdtempSync(join(tmpdir(), 'bindery-count-')), await freePort()];
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const settings = { DATA_DIR: folder, PORT: String(port), BOOTSTRAP_TOKEN: token, LOG_LEVEL: 'fatal' };
  Object.assign(process.env, settings, { RATE_LIMIT_PER_MINUTE: '0', DRAIN_SECONDS: '0', DNS_SERVERS: '127.0.0.1:9' });
  process.chdir(folder);
  await import(pathToFileURL(join(root, 'dist/services/main.js')).href);
  const send = client(`http://127.0.0.1:${port}/v1`);
  // What a first start does besides is over then.
  await delay(startedMs);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const walks: Walk[] = [];
  const warm = () => send('GET', '/user');
  for (const step of await stepsOf(send)) walks.push(await walked({ session, root, warm }, step));
  process.kill(process.pid, 'SIGTERM');
  return walks;
}

type Send = (method: string, path: string, body?: unknown) => Promise<any>;

const client =
  (url: string): Send =>
  async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text && JSON.parse(text);
  };

async function stepsOf(send: Send): Promise<Step[]> {
  const organization = await send('POST', '/orgs', { title: 'Counted' });
  const { id: space } = await send('POST', `/orgs/${organization.id}/spaces`, { title: 'Counted' });
  let pages = 0;
  const requested = async () => {
    const { number } = await send('POST', `/spaces/${space}/change-requests`, { subject: 'A change' });
    const page = { operation: 'insert_page', title: `Page ${++pages}`, document: { markdown: 'Some text.\n' } };
    await send('POST', `/spaces/${space}/change-requests/${number}/content`, { changes: [page] });
    return number as number;
  };
  const merge = (number: number) => send('POST', `/spaces/${space}/change-requests/${number}/merge`, {});
  await merge(await requested());
  const [{ id: page }] = (await send('GET', `/spaces/${space}/content/pages`)).pages;
  return [
    { name: 'GET own user', afterMs: 0, prepare: async () => () => send('GET', '/user') },
    { name: 'GET page', afterMs: 0, prepare: async () => () => send('GET', `/spaces/${space}/content/page/${page}`) },
    {
      name: 'POST comment',
      afterMs: 600,
      prepare: async () => () => send('POST', `/spaces/${space}/comments`, { page, body: { markdown: 'A comment' } }),
    },
    {
      name: 'merge of a change request',
      afterMs: 1_500,
      async prepare() {
        const number = await requested();
        return () => merge(number);
      },
    },
  ];
}

interface Counting {
  session: Session;
  root: string;
  warm: () => Promise<unknown>;
}

async function walked({ session, root, warm }: Counting, { name, afterMs, prepare }: Step): Promise<Walk> {
  for (let i = 0; i < warmUps; i++) await (await prepare())();
  const idle = await idleCalls(session, root, requestMs + afterMs);
  let common: string[] | undefined;
  for (let i = 0; i < repetitions; i++) {
    const request = await prepare();
    await delay(afterMs);
    // Callers are kept for a second: the request finds its own.
    await warm();
    await takeCalls(session, root);
    await request();
    await delay(afterMs);
    const calls = await takeCalls(session, root);
    const called = (each: string) => (calls.get(each) ?? 0) > (idle.get(each) ?? 0);
    common = (common ?? [...calls.keys()]).filter(called);
  }
  const files = [...new Set(common?.map((each) => each.split(':')[0] as string))].sort();
  return { name, files, functions: common?.length ?? 0 };
}

/** The most calls of each function in windows without a request: timers look for jobs and events all the time. */
async function idleCalls(session: Session, root: string, windowMs: number): Promise<Map<string, number>> {
  const most = new Map<string, number>();
  await delay(windowMs);
  await takeCalls(session, root);
  for (let i = 0; i < idleWindows; i++) {
    await delay(windowMs);
    for (const [each, calls] of await takeCalls(session, root)) most.set(each, Math.max(calls, most.get(each) ?? 0));
  }
  return most;
}

/** The calls since it was last asked by function, as "file:offset"; the top levels of modules are left out. */
async function takeCalls(session: Session, root: string): Promise<Map<string, number>> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const dist = pathToFileURL(join(root, 'dist/')).href;
  return new Map(
    result
      .filter(({ url }) => url.startsWith(`${dist}services/`) || url.startsWith(`${dist}shared/`))
      .flatMap(({ url, functions }) =>
        functions.flatMap(({ ranges: [range] }): [string, number][] =>
          range && range.count > 0 && range.startOffset > 0
            ? [[`${url.slice(dist.length)}:${range.startOffset}`, range.count]]
            : [],
        ),
      ),
  );
}
