import { randomBytes } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, type LookupFunction, type Socket } from 'node:net';
import { bareHost, checkUrl } from '../../../../../shared/outbound/address.js';
import { allowedAddresses, refuseLiteral, socketLookup } from '../../../../../shared/outbound/lookup.js';
import { type Lookups, lookups as ofProcess } from '../../../../../shared/outbound/lookups.js';
import { scaleMs } from '../../../../../shared/settings/time-scale.js';
import { type ProxyLimits, type ProxyProblem, ProxyRun } from './proxy-run.js';
import type { LeastRate } from './transfer-rate.js';

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

export interface GuardedProxy {
  readonly allowCidrs: readonly string[];
  issuePass(limits: ProxyLimits): Promise<ProxyPass>;
  close(): Promise<void>;
}

interface ProxyOptions {
  allowCidrs: readonly string[];
  connectTimeoutMs: number;
  /** Ends the connections of a run whose servers send and take less, unless they are heard of. */
  leastRate: LeastRate;
  lookups: Lookups;
}

const HOP_BY_HOP =
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer upgrade'.split(' ');
const NEEDS_CREDENTIAL = { 'proxy-authenticate': 'Basic realm="bindery"', 'content-length': '0' };

/**
 * An HTTP proxy on a loopback port for programs that open their own connections (git): their own name lookup could reach a
 * private address. It takes CONNECT and plain HTTP to allowed addresses, and listens from the first `issuePass` on.
 */
class RunProxy implements GuardedProxy {
  private readonly runs = new Map<string, ProxyRun>();
  private listening: Promise<Server> | undefined;

  constructor(private readonly options: ProxyOptions) {}

  get allowCidrs(): readonly string[] {
    return this.options.allowCidrs;
  }

  async issuePass(limits: ProxyLimits): Promise<ProxyPass> {
    this.listening ??= this.listen();
    const { port } = (await this.listening).address() as AddressInfo;
    const secret = randomBytes(24).toString('hex');
    const key = `Basic ${Buffer.from(`run:${secret}`).toString('base64')}`;
    const run = new ProxyRun(limits, this.options.leastRate);
    this.runs.set(key, run);
    return {
      url: `http://run:${secret}@127.0.0.1:${port}`,
      bytes: () => run.bytes,
      heard: () => run.rate.restartClock(),
      problem: () => run.problem,
      revoke: () => {
        this.runs.delete(key);
        run.end();
      },
    };
  }

  async close(): Promise<void> {
    for (const run of this.runs.values()) run.end();
    this.runs.clear();
    const server = await this.listening;
    this.listening = undefined;
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  private listen(): Promise<Server> {
    return new Promise((resolve, reject) => {
      const limits = { requestTimeout: 0, headersTimeout: scaleMs(10_000) };
      const server = createServer(limits, (message, reply) => this.forwardRequest(message, reply));
      server.on('connect', (message, client: Socket, head) => this.openTunnel(message, client, head));
      server.on('clientError', (_error, socket) => socket.destroy());
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => resolve(server));
    });
  }

  private findRun({ headers }: IncomingMessage): ProxyRun | undefined {
    return this.runs.get(headers['proxy-authorization'] ?? '');
  }

  /** Looks names up for a run, until its own connection closes. */
  private newLookup({ owner }: ProxyRun, connection: Socket | ServerResponse): LookupFunction {
    const { lookups, allowCidrs } = this.options;
    const stop = new AbortController();
    connection.once('close', () => stop.abort());
    return socketLookup((host) => allowedAddresses(host, { lookups, allowCidrs, owner, signal: stop.signal }));
  }

  private openTunnel(message: IncomingMessage, client: Socket, head: Buffer): void {
    client.on('error', () => client.destroy());
    const run = this.findRun(message);
    if (!run) {
      refuseTunnel(client, 407, 'Proxy-Authenticate: Basic realm="bindery"\r\n');
      return;
    }
    const target = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+):(\d{1,5})$/.exec(message.url ?? '');
    if (!target || Number(target[2]) > 65_535 || !URL.canParse(`https://${message.url}`)) {
      refuseTunnel(client, 400);
      return;
    }
    const host = bareHost(new URL(`https://${message.url}`).hostname);
    run.trackSocket(client);
    try {
      run.checkOrigin(`https://${message.url}`);
      refuseLiteral(host, this.allowCidrs);
    } catch (error) {
      run.noteProblem(host, error);
      refuseTunnel(client, 403);
      return;
    }
    this.connectTunnel(run, { client, head, host, port: Number(target[2]) });
  }

  /** Connects the program to the host that it asked for. */
  private connectTunnel(run: ProxyRun, { client, head, host, port }: Tunnel): void {
    const lookup = this.newLookup(run, client);
    const upstream = connect({ host, port, lookup, autoSelectFamilyAttemptTimeout: 1000 });
    run.trackSocket(upstream);
    let connected = false;
    upstream.setTimeout(this.options.connectTimeoutMs, () => upstream.destroy(new Error('timeout')));
    upstream.once('connect', () => {
      connected = true;
      upstream.setTimeout(0);
      run.rate.watchSocket(upstream);
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      run.countBytes(head.length);
      run.pipeCounted(upstream, client);
      run.pipeCounted(client, upstream);
    });
    upstream.on('error', (error) => {
      if (connected) client.destroy();
      else refuseTunnel(client, run.noteProblem(host, error));
    });
    upstream.once('close', () => client.destroySoon());
    client.once('close', () => upstream.destroy());
  }

  private forwardRequest(message: IncomingMessage, reply: ServerResponse): void {
    const run = this.findRun(message);
    if (!run) {
      answerEmpty(reply, 407, NEEDS_CREDENTIAL);
      return;
    }
    const check = checkUrl(message.url ?? '', { schemes: ['http'], allowCidrs: this.allowCidrs });
    if (!check.ok) {
      run.problem ??= { kind: 'refused', message: `the address ${check.problem}` };
      answerEmpty(reply, 403);
      return;
    }
    try {
      run.checkOrigin(check.url.href);
    } catch (error) {
      answerEmpty(reply, run.noteProblem(bareHost(check.url.hostname), error));
      return;
    }
    this.requestUpstream(run, { message, reply, url: check.url });
  }

  /** Asks the host that the program asked, and hands the answer on. */
  private requestUpstream(run: ProxyRun, { message, reply, url }: Forwarding): void {
    const host = bareHost(url.hostname);
    const upstream = request({
      host,
      port: url.port || 80,
      path: `${url.pathname}${url.search}`,
      method: message.method,
      headers: { ...endToEndHeaders(message.headers), host: url.host },
      lookup: this.newLookup(run, reply),
      agent: false,
    });
    let connected = false;
    upstream.once('socket', (socket) => {
      run.trackSocket(message.socket);
      run.trackSocket(socket);
      socket.once('connect', () => {
        connected = true;
        socket.setTimeout(0);
        run.rate.watchSocket(socket);
      });
    });
    upstream.setTimeout(this.options.connectTimeoutMs, () => upstream.destroy(new Error('timeout')));
    upstream.on('error', (error) => {
      if (connected || reply.headersSent) message.socket.destroy();
      else answerEmpty(reply, run.noteProblem(host, error));
    });
    upstream.once('response', (response) => {
      reply.writeHead(response.statusCode ?? 502, endToEndHeaders(response.headers));
      response.once('error', () => message.socket.destroy());
      run.pipeCounted(response, reply);
    });
    reply.once('close', () => upstream.destroy());
    run.pipeCounted(message, upstream);
  }
}

interface Tunnel {
  client: Socket;
  /** The first bytes that the program sent. */
  head: Buffer;
  host: string;
  port: number;
}

interface Forwarding {
  message: IncomingMessage;
  reply: ServerResponse;
  url: URL;
}

export const createProxy = ({
  allowCidrs = [],
  connectTimeoutMs = scaleMs(10_000),
  leastRate = { bytes: 30_000, ms: scaleMs(30_000) },
  lookups = ofProcess,
}: Partial<ProxyOptions> = {}): GuardedProxy => new RunProxy({ allowCidrs, connectTimeoutMs, leastRate, lookups });

/** The headers that are not about one connection alone. */
const endToEndHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)));

function refuseTunnel(client: Socket, status: number, headers = ''): void {
  client.end(`HTTP/1.1 ${status} Refused\r\n${headers}Content-Length: 0\r\nConnection: close\r\n\r\n`);
}

function answerEmpty(
  reply: ServerResponse,
  status: number,
  headers: Record<string, string> = { 'content-length': '0' },
): void {
  if (!reply.headersSent) reply.writeHead(status, headers).end();
}

export type HasProxy = { proxy: GuardedProxy };
