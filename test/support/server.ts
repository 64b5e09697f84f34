import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../shared/process/free-port.ts';
import { packageFile } from '../../shared/process/package-root.ts';
import { type Asked, whileAnswering } from '../../shared/testing/short-turns.ts';

export interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T;
}

export interface RequestOptions {
  token?: string | null;
  headers?: Record<string, string>;
  /** Sent as it is, instead of JSON; a stream as it comes. */
  raw?: string | Uint8Array<ArrayBuffer> | ReadableStream;
}

/**
 * The gateways of a cluster that is tested instead of one server; the first is its `BASE_URL`. Each worker of jest uses one of them, as a client
 * with open connections does: what one gateway changed, another one may show a second later.
 */
const gateways = (process.env.BINDERY_TEST_GATEWAYS ?? '').split(',').filter(Boolean);
const own = gateways[Number(process.env.JEST_WORKER_ID ?? 0) % Math.max(1, gateways.length)];

/** An address at the gateway of this worker, where it is at the first one. */
export const atOwnGateway = (url: string): string =>
  own && gateways[0] && (url === gateways[0] || url.startsWith(`${gateways[0]}/`))
    ? own + url.slice(gateways[0].length)
    : url;

/** A client of one Bindery, with the token of its first user. */
export class Client {
  constructor(
    readonly url: string,
    readonly token: string,
  ) {}

  async request<T = any>(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<Answer<T>> {
    const { token = this.token, headers = {}, raw } = options;
    const response = await fetch(atOwnGateway(this.url) + path, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(raw !== undefined ? { body: raw, duplex: 'half' } : body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
    });
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as T };
  }

  get = <T = any>(path: string, options?: RequestOptions) => this.request<T>('GET', path, undefined, options);
  post = <T = any>(path: string, body?: unknown, options?: RequestOptions) =>
    this.request<T>('POST', path, body, options);
  patch = <T = any>(path: string, body?: unknown, options?: RequestOptions) =>
    this.request<T>('PATCH', path, body, options);
  put = <T = any>(path: string, body?: unknown, options?: RequestOptions) =>
    this.request<T>('PUT', path, body, options);
  delete = <T = any>(path: string, options?: RequestOptions) => this.request<T>('DELETE', path, undefined, options);
}

/** Where TEST_COVERAGE names a folder, counts what a server answers, for `test/coverage.js`. */
class Coverage {
  private readonly counts = new Map<string, number>();
  private firstUser: string | undefined;

  /** Takes a line of its log. */
  note(line: string): void {
    if (!line.includes('"operation":')) return;
    const { operation, status, caller = 'nobody', user } = JSON.parse(line);
    this.firstUser ??= user;
    const key = `${operation} ${user && user === this.firstUser ? 'admin' : caller} ${status}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  write = (folder: string, name: string): Promise<void> =>
    writeFile(join(folder, `${name}.json`), JSON.stringify(Object.fromEntries(this.counts)));
}
const { TEST_COVERAGE } = process.env;

export interface StartedServer extends Client {
  process: ChildProcess;
  dataDir: string;
  /** The settings by which the operator's commands find its store. */
  settings: Record<string, string>;
  /** The processes behind its gateway, where that is one of its own. */
  behind: Asked[];
  /** What it wrote to standard output and error. */
  output(): string;
  /** The first line that matches, once it was written: what is logged after an answer may come after it. */
  said(pattern: RegExp): Promise<string>;
  /** SIGTERM; the exit code. */
  stop(): Promise<number | null>;
  /** kill -9. */
  kill(): Promise<void>;
}

export interface StartOptions {
  /** A folder of an earlier start; a new one, removed at the end, by default. */
  dataDir?: string;
  env?: Record<string, string>;
  token?: string;
  /** A free one by default. */
  port?: number;
  /** The built program of another release; of this one by default. */
  program?: string;
}

export const testToken = 'bnd_test_token_of_the_first_user_0123456789';

/** Whether a server is to be one process for each service, where the test says nothing of how it is stored and started. */
const isApart = ({ dataDir, program, env = {} }: StartOptions): boolean =>
  process.env.TEST_APART === 'true' &&
  [dataDir, program, env.SERVICES, env.MONGODB_URL].every((own) => own === undefined);

/** Starts the built product as its users do and waits until it says that it has started. */
export async function startServer(options: StartOptions = {}): Promise<StartedServer> {
  return isApart(options) ? (await import('./apart.ts')).startApart(options, startProcess) : startProcess(options);
}

function storeOf(DATA_DIR: string, { MONGODB_URL, SECRET_KEY }: Record<string, string>): Record<string, string> {
  return { DATA_DIR, ...(MONGODB_URL && { MONGODB_URL }), ...(SECRET_KEY && { SECRET_KEY }) };
}

async function startProcess(options: StartOptions): Promise<StartedServer> {
  const { dataDir, env = {}, token = testToken, port = await freePort() } = options;
  const program = options.program ?? packageFile('dist/services/main.js');
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'bindery-test-')));
  const child = spawn(process.execPath, ['--enable-source-maps', program], {
    // A developer's .env stays out of it.
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: process.env.TMPDIR,
      // The end of a run of the tests is also that of what it started.
      BINDERY_TEST_RUN: process.env.BINDERY_TEST_RUN,
      PORT: String(port),
      DATA_DIR: folder,
      BOOTSTRAP_TOKEN: token,
      CHECK_RESPONSES: 'true',
      RATE_LIMIT_PER_MINUTE: '0',
      DRAIN_SECONDS: '0',
      METRICS_PUBLIC: 'true',
      TIME_SCALE: process.env.TIME_SCALE ?? '10',
      // No test asks real name servers.
      DNS_SERVERS: process.env.BINDERY_TEST_DNS ?? '127.0.0.1:9',
      ...(TEST_COVERAGE ? { LOG_REQUESTS: 'all' } : {}),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const speaker = new EventEmitter();
  const coverage = TEST_COVERAGE ? new Coverage() : undefined;
  // With all that it said read.
  const exited = once(child, 'close').then(async (exit) => {
    await coverage?.write(String(TEST_COVERAGE), `${child.pid}-${Date.now()}`);
    return exit as [number | null];
  });
  const started = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        coverage?.note(line);
        speaker.emit('line');
        if (line.includes('"msg":"started"')) resolve();
      });
    exited.then(([code]) => reject(new Error(`the server ended with ${code}:\n${lines.join('\n')}`)));
  });
  await started;
  const cleanUp = () => (dataDir === undefined ? rm(folder, { recursive: true, force: true }) : undefined);
  return Object.assign(new Client(`http://127.0.0.1:${port}`, token), {
    process: child,
    dataDir: folder,
    settings: storeOf(folder, env),
    behind: [],
    output: () => lines.join('\n'),
    async said(pattern: RegExp) {
      for (;;) {
        const line = lines.find((each) => pattern.test(each));
        if (line !== undefined) return line;
        await once(speaker, 'line');
      }
    },
    async stop() {
      child.kill('SIGTERM');
      const [code] = await exited;
      if (code !== 0) console.error(`The server ended with ${code}; its last words:\n${lines.slice(-20).join('\n')}`);
      await cleanUp();
      return code;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  });
}

/** Asks a server, and each process behind its gateway for its health, until `work` ends; none may be held up for long. */
export const whileServing = <T>(
  { process, behind }: StartedServer,
  ask: () => Promise<unknown>,
  work: () => Promise<T>,
  options?: { least?: number },
): Promise<T> => whileAnswering([{ pid: Number(process.pid), ask }, ...behind], work, options);
