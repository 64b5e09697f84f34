import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import { Semaphore } from '../work/semaphore.js';
import { EngineSessions, type Statement } from './engine-sessions.js';

/** A message to the parent: this process listens, or why it cannot; later, that it is alive. */
export interface EngineMessage {
  failure?: string;
}

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
const sendToParent = (message: EngineMessage) => process.send?.(message, () => undefined);

/** As on a server: parameters of statements that return no rows travel in the query string. */
const maxHeaderBytes = 1024 * 1024;
const maxBodyBytes = 64 * 1024 * 1024;
/** Rows go on to be stored while others read. Each statement holds a thread: see `UV_THREADPOOL_SIZE` in engine.ts. */
const inserts = new Semaphore(1);
const others = new Semaphore(2);

try {
  const sessions = await EngineSessions.openFiles(path);
  const server = createServer({ maxHeaderSize: maxHeaderBytes }, (request, response) => {
    answerRequest(sessions, request, response).catch((error) => sendError(response, error));
  });
  server.requestTimeout = 0;
  // Longer than any pause of the parent: a connection that ends when it is used again fails a request.
  server.keepAliveTimeout = 0;
  server.listen(socket, () => {
    process.on('message', () => sendToParent({}));
    sendToParent({});
  });
} catch (error) {
  sendToParent({ failure: (error as Error).message });
}

async function answerRequest(
  sessions: EngineSessions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://analytics');
  if (pathname === '/ping') return void response.end('Ok.\n');
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const statement = await readStatement(request, searchParams);
  if (!statement) return void response.end();
  const few = /^\s*insert\b/i.test(statement.sql) ? inserts : others;
  const result = await few.run(() => {
    gone.signal.throwIfAborted();
    return sessions.run({ ...statement, signal: gone.signal });
  });
  const { rowsRead, bytesRead, elapsed } = result;
  const summary = { read_rows: rowsRead, read_bytes: bytesRead, elapsed_ns: Math.round(elapsed * 1e9) };
  response.setHeader(
    'X-ClickHouse-Summary',
    JSON.stringify(Object.fromEntries(Object.entries(summary).map(([name, value]) => [name, String(value)]))),
  );
  response.end(result.bytes());
}

/** Parameters of ClickHouse's HTTP interface that are no settings of the engine. */
const notSettings = new Set(['query', 'query_id', 'database', 'default_format', 'wait_end_of_query']);

/** The statement of a request; none for an insert without rows, which is no error on a server. */
async function readStatement(
  request: IncomingMessage,
  search: URLSearchParams,
): Promise<Omit<Statement, 'signal'> | undefined> {
  const bytes = await readWholeBody(request);
  const type = request.headers['content-type'] ?? '';
  const isForm = type.startsWith('multipart/form-data');
  const fields = new Map(search);
  if (isForm) {
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
    form.forEach((value, name) => {
      fields.set(name, String(value));
    });
  }
  const query = fields.get('query');
  const body = isForm ? '' : bytes.toString('utf8');
  if (query && /^\s*insert\b/i.test(query) && body.trim() === '') return undefined;
  return {
    sql: query === undefined ? body : `${query}\n${body}`,
    format: fields.get('default_format') ?? 'TabSeparated',
    database: fields.get('database') ?? 'default',
    values: new Map([...fields].filter(([name]) => !notSettings.has(name))),
  };
}

/** The whole body is taken even if it is too large: who still sends hears no answer. */
async function readWholeBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size <= maxBodyBytes) pieces.push(piece);
    else pieces.length = 0;
  }
  if (size <= maxBodyBytes) return Buffer.concat(pieces);
  throw new Error(
    `Code: 307. DB::Exception: the embedded engine takes requests of at most ${maxBodyBytes} bytes. (TOO_MANY_BYTES)`,
  );
}

function sendError(response: ServerResponse, { message }: Error): void {
  if (response.destroyed) return;
  const [, code] = /^Code: (\d+)\. /.exec(message) ?? [];
  response.writeHead(500, code ? { 'X-ClickHouse-Exception-Code': code } : {});
  response.end(message);
}
