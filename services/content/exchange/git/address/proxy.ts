import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { bareHost, checkUrl } from '../../../../../shared/outbound/address.js';
import { OutboundRefused } from '../../../../../shared/outbound/failure.js';
import { allowedAddresses, lookupBy, refuseLiteral } from '../../../../../shared/outbound/lookup.js';
import { type Lookups, lookups as ofProcess } from '../../../../../shared/outbound/lookups.js';
import { scaleMs } from '../../../../../shared/settings/time-scale.js';
import { type LeastRate, TransferRate } from './transfer-rate.js';

export interface ProxyProblem {
  kind: 'refused' | 'unreachable' | 'too-large' | 'too-slow';
  /** Safe to show. */
  message: string;
}

/** Lets one run of one program use the proxy. */
export interface ProxyPass {
  /** For `http_proxy` and similar variables, with the run's own random credential. Pass it in the environment, never as an argument. */
  readonly url: string;
  /** Bytes transferred so far, in both directions. */
  bytes(): number;
  /** Notes that the program has shown a message of a server about its work: the run is not too slow. */
  heard(): void;
  /** The first problem of the run. */
  problem(): ProxyProblem | undefined;
  /** Ends its connections and its credential. */
  revoke(): void;
}

export interface ProxyLimits {
  /** The owner of the run: owners take turns where names are looked up. */
  owner: string;
  maxBytes: number;
  /** Called once, when the run has transferred more than `maxBytes` and its connections are cut. */
  onTooLarge?: () => void;
  /** The only origin that the run may reach, in the form of `URL.origin`: for a run that carries credentials. */
  onlyOrigin?: string;
}

export interface GuardedProxy {
  readonly allowCidrs: readonly string[];
  issue(limits: ProxyLimits): Promise<ProxyPass>;
  close(): Promise<void>;
}

interface Run extends ProxyLimits {
  bytes: number;
  problem?: ProxyProblem;
  sockets: Set<Duplex>;
  rate: TransferRate;
}

const HOP_BY_HOP =
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer upgrade'.split(' ');
const NEEDS_CREDENTIAL = { 'proxy-authenticate': 'Basic realm="bindery"', 'content-length': '0' };

/**
 * An HTTP proxy on a loopback port for programs that open their own connections (git): their own name lookup could reach a
 * private address. It takes CONNECT and plain HTTP to allowed addresses, and listens from the first `issue` on. It ends the
 * connections of a run whose servers send and take less than `leastRate`, unless they are heard of.
 */
export function createProxy({
  allowCidrs = [],
  connectTimeoutMs = scaleMs(10_000),
  leastRate = { bytes: 30_000, ms: scaleMs(30_000) },
  lookups = ofProcess,
}: {
  allowCidrs?: readonly string[];
  connectTimeoutMs?: number;
  leastRate?: LeastRate;
  lookups?: Lookups;
} = {}): GuardedProxy {
  const runs = new Map<string, Run>();
  let listening: Promise<Server> | undefined;

  function runOf(message: IncomingMessage): Run | undefined {
    return runs.get(message.headers['proxy-authorization'] ?? '');
  }

  /** Looks names up for a run, until its own connection closes. */
  function lookupFor({ owner }: Run, connection: Socket | ServerResponse): LookupFunction {
    const stop = new AbortController();
    connection.once('close', () => stop.abort());
    return lookupBy((host) => allowedAddresses(host, { lookups, allowCidrs, owner, signal: stop.signal }));
  }

  function track(run: Run, socket: Duplex): void {
    if (run.sockets.has(socket)) return;
    run.sockets.add(socket);
    socket.once('close', () => run.sockets.delete(socket));
  }

  function tunnel(message: IncomingMessage, client: Socket, head: Buffer): void {
    client.on('error', () => client.destroy());
    const run = runOf(message);
    if (!run) {
      refuse(client, 407, 'Proxy-Authenticate: Basic realm="bindery"\r\n');
      return;
    }
    const target = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+):(\d{1,5})$/.exec(message.url ?? '');
    if (!target || Number(target[2]) > 65_535 || !URL.canParse(`https://${message.url}`)) {
      refuse(client, 400);
      return;
    }
    const host = bareHost(new URL(`https://${message.url}`).hostname);
    track(run, client);
    try {
      refuseElsewhere(run, `https://${message.url}`);
      refuseLiteral(host, allowCidrs);
    } catch (error) {
      note(run, host, error);
      refuse(client, 403);
      return;
    }
    const upstream = connect({
      host,
      port: Number(target[2]),
      lookup: lookupFor(run, client),
      autoSelectFamilyAttemptTimeout: 1000,
    });
    track(run, upstream);
    let connected = false;
    upstream.setTimeout(connectTimeoutMs, () => upstream.destroy(new Error('timeout')));
    upstream.once('connect', () => {
      connected = true;
      upstream.setTimeout(0);
      run.rate.watch(upstream);
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      count(run, head.length);
      for (const [from, to] of [
        [upstream, client],
        [client, upstream],
      ] as const) {
        from.on('data', (chunk: Buffer) => count(run, chunk.length));
        from.pipe(to);
      }
    });
    upstream.on('error', (error) => {
      if (connected) client.destroy();
      else refuse(client, note(run, host, error));
    });
    upstream.once('close', () => client.destroySoon());
    client.once('close', () => upstream.destroy());
  }

  function forward(message: IncomingMessage, reply: ServerResponse): void {
    const run = runOf(message);
    if (!run) {
      answer(reply, 407, NEEDS_CREDENTIAL);
      return;
    }
    const check = checkUrl(message.url ?? '', { schemes: ['http'], allowCidrs });
    if (!check.ok) {
      run.problem ??= { kind: 'refused', message: `the address ${check.problem}` };
      answer(reply, 403);
      return;
    }
    const { url } = check;
    const host = bareHost(url.hostname);
    try {
      refuseElsewhere(run, url.href);
    } catch (error) {
      answer(reply, note(run, host, error));
      return;
    }
    const headers = Object.fromEntries(Object.entries(message.headers).filter(([name]) => !HOP_BY_HOP.includes(name)));
    const upstream = request({
      host,
      port: url.port || 80,
      path: `${url.pathname}${url.search}`,
      method: message.method,
      headers: { ...headers, host: url.host },
      lookup: lookupFor(run, reply),
      agent: false,
    });
    let connected = false;
    upstream.once('socket', (socket) => {
      track(run, message.socket);
      track(run, socket);
      socket.once('connect', () => {
        connected = true;
        socket.setTimeout(0);
        run.rate.watch(socket);
      });
    });
    upstream.setTimeout(connectTimeoutMs, () => upstream.destroy(new Error('timeout')));
    upstream.on('error', (error) => {
      if (connected || reply.headersSent) message.socket.destroy();
      else answer(reply, note(run, host, error));
    });
    upstream.once('response', (response) => {
      const back = Object.entries(response.headers).filter(([name]) => !HOP_BY_HOP.includes(name));
      reply.writeHead(response.statusCode ?? 502, Object.fromEntries(back));
      response.on('data', (chunk: Buffer) => count(run, chunk.length));
      response.once('error', () => message.socket.destroy());
      response.pipe(reply);
    });
    reply.once('close', () => upstream.destroy());
    message.on('data', (chunk: Buffer) => count(run, chunk.length));
    message.pipe(upstream);
  }

  function listen(): Promise<Server> {
    return new Promise((resolve, reject) => {
      const server = createServer({ requestTimeout: 0, headersTimeout: scaleMs(10_000) }, forward);
      server.on('connect', tunnel);
      server.on('clientError', (_error, socket) => socket.destroy());
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => resolve(server));
    });
  }

  return {
    allowCidrs,
    async issue(limits) {
      listening ??= listen();
      const { port } = (await listening).address() as AddressInfo;
      const secret = randomBytes(24).toString('hex');
      const key = `Basic ${Buffer.from(`run:${secret}`).toString('base64')}`;
      const rate = new TransferRate(leastRate, () => endSlow(run, leastRate));
      const run: Run = { ...limits, bytes: 0, sockets: new Set(), rate };
      runs.set(key, run);
      return {
        url: `http://run:${secret}@127.0.0.1:${port}`,
        bytes: () => run.bytes,
        heard: () => run.rate.heard(),
        problem: () => run.problem,
        revoke() {
          runs.delete(key);
          run.rate.stop();
          cut(run);
        },
      };
    },
    async close() {
      for (const run of runs.values()) {
        run.rate.stop();
        cut(run);
      }
      runs.clear();
      const server = await listening;
      listening = undefined;
      if (!server) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function refuseElsewhere({ onlyOrigin }: Run, url: string): void {
  if (onlyOrigin === undefined || (URL.canParse(url) && new URL(url).origin === onlyOrigin)) return;
  throw new OutboundRefused(`a redirect away from ${onlyOrigin} is not followed with credentials`);
}

function count(run: Run, bytes: number): void {
  run.bytes += bytes;
  if (run.bytes <= run.maxBytes || run.problem?.kind === 'too-large') return;
  run.problem = { kind: 'too-large', message: `more than ${run.maxBytes} bytes were transferred` };
  cut(run);
  run.onTooLarge?.();
}

function endSlow(run: Run, { bytes, ms }: LeastRate): void {
  run.problem ??= {
    kind: 'too-slow',
    message: `the server sent and took less than ${bytes} bytes in ${ms / 1000} seconds`,
  };
  cut(run);
}

function cut(run: Run): void {
  for (const socket of run.sockets) socket.destroy();
}

/** Keeps the first problem of a run; returns the status for this one. */
function note(run: Run, host: string, error: unknown): 403 | 502 {
  if (error instanceof OutboundRefused) {
    run.problem ??= { kind: 'refused', message: error.message };
    return 403;
  }
  run.problem ??= { kind: 'unreachable', message: `${host} could not be reached` };
  return 502;
}

function refuse(client: Socket, status: number, headers = ''): void {
  client.end(`HTTP/1.1 ${status} Refused\r\n${headers}Content-Length: 0\r\nConnection: close\r\n\r\n`);
}

function answer(
  reply: ServerResponse,
  status: number,
  headers: Record<string, string> = { 'content-length': '0' },
): void {
  if (!reply.headersSent) reply.writeHead(status, headers).end();
}

export type HasProxy = { proxy: GuardedProxy };
