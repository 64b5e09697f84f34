/**
 * The code around a script. Each function here is sent to the worker as text, where its name is global to the module: it uses the others and
 * what a worker has, and nothing else of this program.
 */

/** One event in the worker. */
interface WorkerEvent {
  key: string;
  lines: number;
  /** Characters in its lines. */
  characters: number;
  dropped: number;
  /** Promises that it passed to `waitUntil`. */
  work: Promise<unknown>[];
}

interface Storage {
  getStore(): WorkerEvent | undefined;
  run<T>(event: WorkerEvent, work: () => T): T;
}

interface Context {
  waitUntil(work: unknown): void;
}

interface FetchEvent {
  type: string;
  request: Request;
  respondWith(answer: unknown): void;
  waitUntil(work: unknown): void;
  passThroughOnException(): void;
}

type Listener = ((event: FetchEvent) => void) | { handleEvent(event: FetchEvent): void };
type Write = (line: string) => void;
type Tell = (level: string, values: unknown[]) => void;
type Answer = (request: Request, context: Context) => unknown;

/** A value as people read it. */
function readable(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    if (value instanceof Error) return value.stack ?? String(value);
    return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}` : part)) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

/** Writes each line of the console with its event; lines of an event beyond the first 1,000 or 65,536 characters are counted. */
function tellOf(storage: Storage, write: Write): Tell {
  return (level, values) => {
    const event = storage.getStore();
    if (event && (event.lines >= 1000 || event.characters >= 65_536)) {
      event.dropped += 1;
      return;
    }
    const message = values.map(readable).join(' ').slice(0, 2000);
    if (event) {
      event.lines += 1;
      event.characters += message.length;
    }
    write(JSON.stringify({ event: event?.key ?? '', level, message }));
  };
}

/** A `fetch` that throws if the guard refused the request, and writes the reason to the log. */
function guardedFetch(ask: typeof fetch, tell: Tell): typeof fetch {
  return async (input, init) => {
    const response = await ask(input, init);
    const refused = response.headers.get('x-bindery-refused');
    if (refused === null) return response;
    const text = decodeURIComponent(refused);
    tell('error', [text]);
    throw new TypeError(text);
  };
}

/** Takes the `fetch` listeners of a classic script. */
function listenersIn(scope: { addEventListener: unknown }): Listener[] {
  const listeners: Listener[] = [];
  const listen = scope.addEventListener as (type: string, listener: Listener) => void;
  scope.addEventListener = (type: string, listener: Listener) => {
    if (type === 'fetch') listeners.push(listener);
    else listen.call(scope, type, listener);
  };
  return listeners;
}

/** Answers a request with the listeners of a classic script. */
function answerOf(listeners: Listener[]): Answer {
  return (request, context) =>
    new Promise((answered, failed) => {
      let isAnswered = false;
      const event: FetchEvent = {
        type: 'fetch',
        request,
        respondWith(answer) {
          isAnswered = true;
          answered(answer);
        },
        waitUntil: (work) => context.waitUntil(work),
        passThroughOnException: () => undefined,
      };
      for (const listener of listeners) {
        if (isAnswered) return;
        if (typeof listener === 'function') listener(event);
        else listener.handleEvent(event);
      }
      if (!isAnswered) failed(new TypeError('no fetch listener of the script answered'));
    });
}

/** Handles requests: reads each whole, runs the script, and writes a mark when all its work is over. Some only ask to collect garbage. */
function handlerOf(storage: Storage, write: Write, tell: Tell, collect: () => void) {
  const over = async (event: WorkerEvent) => {
    for (let at = 0; at < event.work.length; at++) await event.work[at];
    write(JSON.stringify({ event: event.key, dropped: event.dropped }));
  };
  return async (request: Request, context: Context, answer: Answer): Promise<Response> => {
    const headers = new Headers(request.headers);
    if (headers.has('x-bindery-collect')) {
      collect();
      // The memory of arrays is freed by another thread, which the next collection waits for.
      collect();
      return new Response();
    }
    const event: WorkerEvent = {
      key: headers.get('x-bindery-event') ?? '',
      lines: 0,
      characters: 0,
      dropped: 0,
      work: [],
    };
    headers.delete('x-bindery-event');
    // Read whole: an answer before the end of the request would break the connection.
    const body = await request.arrayBuffer();
    const keepAlive = context.waitUntil.bind(context);
    const waitUntil = (work: unknown) => {
      const kept = Promise.resolve(work).catch((error) => tell('error', [error]));
      event.work.push(kept);
      keepAlive(kept);
    };
    Object.defineProperty(context, 'waitUntil', { value: waitUntil });
    return storage.run(event, async () => {
      try {
        const response = await answer(new Request(request.url, { method: request.method, headers, body }), context);
        if (response instanceof Response) return response;
        throw new TypeError('the script did not answer with a Response');
      } catch (error) {
        tell('error', [error]);
        return Response.json({ error: 'Internal server error' }, { status: 500 });
      } finally {
        keepAlive(over(event));
      }
    });
  };
}

const sent = [readable, tellOf, guardedFetch, listenersIn, answerOf, handlerOf];

/** The module that is evaluated before the script. */
export const preludeText = `import { AsyncLocalStorage } from 'node:async_hooks';
${sent.join('\n')}
const storage = new AsyncLocalStorage();
const write = console.log.bind(console);
const tell = ${tellOf.name}(storage, write);
for (const level of ['debug', 'log', 'info', 'warn', 'error'])
  console[level] = (...values) => tell(level === 'log' ? 'info' : level, values);
globalThis.fetch = ${guardedFetch.name}(fetch, tell);
export const listeners = ${listenersIn.name}(globalThis);
export const answer = ${answerOf.name}(listeners);
export const handle = ${handlerOf.name}(storage, write, tell, gc);
globalThis.gc = undefined;
`;

/** The main modules, which import the prelude before the script. */
export const mainTexts = {
  v1: `import { answer, handle, listeners } from './prelude.mjs';
import './script.js';
if (listeners.length === 0) throw new TypeError('the script registers no fetch listener');
export default { fetch: (request, _, context) => handle(request, context, answer) };
`,
  v2: `import { handle } from './prelude.mjs';
import * as module from './script.mjs';
const script = module.default;
if (typeof script?.fetch !== 'function') throw new TypeError('the default export of the script has no function fetch');
export default {
  fetch: (request, env, context) => handle(request, context, (copy, own) => script.fetch(copy, env, own)),
};
`,
};
