import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RepositoryServer {
  /** `http://127.0.0.1:<port>`; a repository is `<url>/<folder>`. */
  url: string;
  close(): Promise<void>;
}

export interface ServeOptions {
  /** A folder of bare repositories. */
  root: string;
  /** 0 (any free port) by default. */
  port?: number;
  /** 127.0.0.1 by default. */
  host?: string;
  /** When given, every request needs them. */
  credentials?: { username: string; password: string };
  allowPush?: boolean;
}

/** Serves a folder of bare repositories over smart HTTP with git's own `http-backend`, for the demo and for tests. */
export async function serveRepositories(options: ServeOptions): Promise<RepositoryServer> {
  const server = createServer((message, reply) => {
    if (!isAdmitted(message, options)) {
      reply.writeHead(401, { 'www-authenticate': 'Basic realm="git"', 'content-length': '0' }).end();
      return;
    }
    runHttpBackend(message, reply, options);
  });
  const host = options.host ?? '127.0.0.1';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function isAdmitted(message: IncomingMessage, { credentials }: ServeOptions): boolean {
  if (!credentials) return true;
  const plain = `${credentials.username}:${credentials.password}`;
  return message.headers.authorization === `Basic ${Buffer.from(plain).toString('base64')}`;
}

function runHttpBackend(
  message: IncomingMessage,
  reply: ServerResponse,
  { root, credentials, allowPush }: ServeOptions,
): void {
  const url = new URL(message.url ?? '/', 'http://localhost');
  const cgi = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      GIT_CONFIG_KEY_1: 'http.receivepack',
      GIT_CONFIG_VALUE_1: String(allowPush === true),
      REQUEST_METHOD: message.method,
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: message.headers['content-type'],
      CONTENT_LENGTH: message.headers['content-length'],
      HTTP_CONTENT_ENCODING: message.headers['content-encoding'],
      GIT_PROTOCOL: message.headers['git-protocol']?.toString(),
      REMOTE_USER: credentials?.username,
      REMOTE_ADDR: message.socket.remoteAddress,
    },
  });
  message.pipe(cgi.stdin);
  cgi.stdin.on('error', () => undefined);
  cgi.stderr.resume();
  let head: Buffer | undefined = Buffer.alloc(0);
  cgi.stdout.on('data', (chunk: Buffer) => {
    if (!head) {
      if (!reply.write(chunk)) cgi.stdout.pause();
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    const { status, headers } = parseCgiHead(head.toString('latin1', 0, end));
    reply.writeHead(status, headers);
    reply.write(head.subarray(end + 4));
    head = undefined;
  });
  reply.on('drain', () => cgi.stdout.resume());
  reply.once('close', () => cgi.kill());
  cgi.once('error', () => reply.destroy());
  cgi.once('close', () => {
    if (head) reply.writeHead(500);
    reply.end();
  });
}

function parseCgiHead(text: string): { status: number; headers: Record<string, string> } {
  const headers: Record<string, string> = {};
  let status = 200;
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
    else headers[name] = value;
  }
  return { status, headers };
}
