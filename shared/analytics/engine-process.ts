import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';

/** What this process tells its parent: that it listens, or why it cannot; later, that it is alive. */
export interface EngineMessage {
  failure?: string;
}

/** The part of chdb that is used. Not a literal in the import: the code must compile without this optional package. */
const embeddedEngine: string = 'chdb';
interface Result {
  rowsRead: number;
  bytesRead: number;
  /** Seconds. */
  elapsed: number;
  bytes(): Uint8Array;
}
interface Session {
  queryAsync(sql: string, options?: { format?: string }): Promise<Result>;
  close(): void;
}
type Engine = { Session: new (path: string) => Session };

/** The program of the embedded analytics engine: ClickHouse's HTTP interface on a Unix socket, for its parent alone. */
const [path = '', socket = ''] = process.argv.slice(2);

// The parent ends this process, also after a signal to the whole process group. It must not outlive its parent.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => {
  try {
    rmSync(dirname(socket), { recursive: true, force: true });
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
});
const tell = (message: EngineMessage) => process.send?.(message, () => undefined);

try {
  const { Session } = (await import(embeddedEngine)) as Engine;
  // The first session opens the files, and keeps them open.
  const kept = new Session(path);
  await kept.queryAsync('SELECT 1');
  const server = createServer((request, response) => {
    answer(Session, request, response).catch((error) => fail(response, error));
  });
  server.requestTimeout = 0;
  // Longer than any pause of the parent: a connection that ends when it is used again fails a request.
  server.keepAliveTimeout = 0;
  server.listen(socket, () => {
    process.on('message', () => tell({}));
    tell({});
  });
} catch (error) {
  tell({ failure: (error as Error).message });
}

/** Parameters of ClickHouse's HTTP interface that are no settings of the engine. */
const notSettings = new Set(['query', 'query_id', 'database', 'default_format', 'wait_end_of_query']);

/** Runs one request in a session of its own, where settings and parameters do not outlive it. */
async function answer(Session: Engine['Session'], request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://analytics');
  if (pathname === '/ping') return void response.end('Ok.\n');
  const body = await text(request);
  const query = searchParams.get('query');
  // An insert without rows is no error on a server.
  if (query && /^\s*insert\b/i.test(query) && body.trim() === '') return void response.end();
  const sql = query === null ? body : `${query}\n${body}`;
  const result = await inLane(/^\s*insert\b/i.test(sql), async () => {
    if (response.destroyed) return undefined;
    const session = new Session(path);
    try {
      for (const statement of preparation(searchParams)) await session.queryAsync(statement);
      return await session.queryAsync(sql, { format: searchParams.get('default_format') ?? 'TabSeparated' });
    } finally {
      session.close();
    }
  });
  if (!result) return;
  const { rowsRead, bytesRead, elapsed } = result;
  const summary = { read_rows: rowsRead, read_bytes: bytesRead, elapsed_ns: Math.round(elapsed * 1e9) };
  response.setHeader(
    'X-ClickHouse-Summary',
    JSON.stringify(Object.fromEntries(Object.entries(summary).map(([name, value]) => [name, String(value)]))),
  );
  response.end(result.bytes());
}

async function text(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** The statements that give a session the database, the settings and the parameters of a request. */
function preparation(search: URLSearchParams): string[] {
  const changes = [...search].flatMap(([name, value]) => {
    if (notSettings.has(name)) return [];
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new Error(`${name} is not the name of a setting`);
    return [`${name} = '${value.replace(/[\\']/g, '\\$&')}'`];
  });
  const database = search.get('database');
  return [
    ...(database === null ? [] : [`USE \`${database.replace(/[\\`]/g, '\\$&')}\``]),
    ...(changes.length > 0 ? [`SET ${changes.join(', ')}`] : []),
  ];
}

function fail(response: ServerResponse, { message }: Error): void {
  if (response.destroyed) return;
  const [, code] = /^Code: (\d+)\. /.exec(message) ?? [];
  response.writeHead(500, code ? { 'X-ClickHouse-Exception-Code': code } : {});
  response.end(message);
}

interface Waiting {
  inserts: (() => void)[];
  others: (() => void)[];
}
const waiting: Waiting = { inserts: [], others: [] };
let busy = false;

/** Runs work alone, inserts first: the engine takes one statement at a time, and each that waits in it would hold a thread. */
async function inLane<T>(isInsert: boolean, work: () => Promise<T>): Promise<T> {
  if (busy) await new Promise<void>((go) => waiting[isInsert ? 'inserts' : 'others'].push(go));
  busy = true;
  try {
    return await work();
  } finally {
    const next = waiting.inserts.shift() ?? waiting.others.shift();
    if (next) next();
    else busy = false;
  }
}
