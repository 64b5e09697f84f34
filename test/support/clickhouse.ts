import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import type { Engine, openEngine } from '../../shared/analytics/engine.ts';
import type { createLog } from '../../shared/monitoring/log.ts';
import { freePort } from '../../shared/process/free-port.ts';
import { packageFile } from '../../shared/process/package-root.ts';
import type { Certified } from './certificate.ts';

/** A ClickHouse server as far as HTTP goes: the embedded engine behind a port, with a user, a password and databases. */
export interface ClickHouse {
  /** With user, password and database: a `CLICKHOUSE_URL`. */
  url: string;
  /** Connections break, and none is taken, until `start`. */
  stop(): Promise<void>;
  /** Comes back on the same port, with the same data. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface ClickHouseOptions {
  user?: string;
  password?: string;
  /** Created beside `default`. */
  database?: string;
  /** Speaks https with this certificate. */
  tls?: Certified;
  /** A free one by default. */
  port?: number;
  /** Kept at the end; by default one of its own, which is removed. */
  folder?: string;
}

/** Starts one. It needs the build. */
export async function startClickHouse(options: ClickHouseOptions = {}): Promise<ClickHouse> {
  const { user = 'default', password = '', database = 'default', tls } = options;
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'bindery-clickhouse-')));
  const engine = await openBuiltEngine(folder);
  await send(engine, `CREATE DATABASE IF NOT EXISTS \`${database}\``);
  const take = (request: IncomingMessage, response: ServerResponse) => {
    const refusal = refusalOf(request, { user, password });
    if (refusal) return void request.resume().once('end', () => refuse(response, refusal));
    forward(engine, request, response).catch(() => response.destroy());
  };
  const limits = { maxHeaderSize: 1024 * 1024 };
  const server = tls
    ? createTlsServer({ ...limits, cert: tls.certificate, key: tls.privateKey }, take)
    : createServer(limits, take);
  const port = options.port || (await freePort());
  const start = async () => {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  };
  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  await start();
  const url = new URL(`${tls ? 'https' : 'http'}://127.0.0.1:${port}/${database}`);
  Object.assign(url, { username: user, password });
  return {
    url: url.href,
    start,
    stop,
    async close() {
      await stop();
      await engine.close();
      if (options.folder === undefined) await rm(folder, { recursive: true });
    },
  };
}

async function openBuiltEngine(folder: string): Promise<Engine> {
  const built = (name: string) => import(pathToFileURL(packageFile(`dist/shared/${name}.js`)).href);
  const open = (await built('analytics/engine')).openEngine as typeof openEngine;
  const log = (await built('monitoring/log')).createLog as typeof createLog;
  return open(folder, log('silent'));
}

interface Refusal {
  status: number;
  code: number;
  text: string;
}

const mostFieldBytes = 128 * 1024;

/** What a server says before it looks at the statement. */
function refusalOf({ url = '/', headers }: IncomingMessage, known: Credentials): Refusal | undefined {
  const { pathname, search } = new URL(url, 'http://clickhouse');
  if (pathname === '/ping') return undefined;
  const { user, password } = credentialsOf(headers);
  if (user !== known.user || password !== known.password)
    return {
      status: 403,
      code: 516,
      text: `Code: 516. DB::Exception: ${user}: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)`,
    };
  if (search.split(/[?&]/).some((field) => field.length > field.indexOf('=') + 1 + mostFieldBytes))
    return {
      status: 500,
      code: 1000,
      text: 'Poco::Exception. Code: 1000, e.code() = 0, HTML Form Exception: Field value too long',
    };
  return undefined;
}

interface Credentials {
  user: string;
  password: string;
}

function credentialsOf(headers: IncomingMessage['headers']): Credentials {
  const [, basic] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? [];
  if (basic === undefined)
    return {
      user: String(headers['x-clickhouse-user'] ?? 'default'),
      password: String(headers['x-clickhouse-key'] ?? ''),
    };
  const [user = '', ...password] = Buffer.from(basic, 'base64').toString('utf8').split(':');
  return { user, password: password.join(':') };
}

function refuse(response: ServerResponse, { status, code, text }: Refusal): void {
  response.writeHead(status, { 'X-ClickHouse-Exception-Code': String(code) });
  response.end(`${text}\n`);
}

async function forward({ agent }: Engine, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { authorization: _, host: __, ...headers } = request.headers;
  const asked = httpRequest('http://analytics', { agent, path: request.url, method: request.method, headers });
  response.once('close', () => asked.destroy());
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
  const [[answer]] = await Promise.all([answered, pipeline(request, asked)]);
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  await pipeline(answer, response);
}

async function send({ agent }: Engine, statement: string): Promise<void> {
  const asked = httpRequest('http://analytics', { agent, method: 'POST' }).end(statement);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const text = (await answer.toArray()).join('');
  if (answer.statusCode !== 200) throw new Error(text);
}
