import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { timestamp } from '../../../../shared/values/ids.js';
import type { Holding } from '../../../../shared/work/held-bytes.js';
import { RuntimeFailure, type ScriptLogLine } from '../failure.js';
import { mebibytesText } from '../limits.js';

/** An event for a script, with the environment that comes with it. */
export interface Dispatch {
  event: { eventId: string; type: string; [key: string]: unknown };
  environment: object;
  /** The raw body of a `fetch` event. */
  body?: Buffer;
  /** For the answer, once the process has started. */
  timeoutMs: number;
}

/** The answer of a script: headers and body as it sent them; a redirect is an answer and is not followed. */
export interface Answer {
  status: number;
  headers: [name: string, value: string][];
  body: Buffer;
}

/** One event in flight. */
export class ScriptEvent {
  /** Identifies the event in its log lines. */
  readonly key = randomUUID();
  readonly lines = new EventLines();
  /** Aborted with a `RuntimeFailure` when the event has failed. */
  readonly stop = new AbortController();
  isAnswered = false;
  /** Resolves when all its work is over. */
  readonly over: Promise<undefined>;
  setOver: () => void = () => undefined;
  /** Resolves when it has failed. */
  readonly failed: Promise<RuntimeFailure>;

  constructor() {
    this.over = new Promise((resolve) => {
      this.setOver = () => resolve(undefined);
    });
    const { signal } = this.stop;
    this.failed = new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));
  }

  fail(failure: RuntimeFailure): void {
    this.stop.abort(failure);
  }
}

export interface AnswerBounds {
  /** Bytes of one answer. */
  max: number;
  /** Counts the bytes that are in memory while the body is read. */
  holding: Holding;
}

/** The answer came beside too many others. */
export const tooManyHeld = () =>
  new RuntimeFailure('busy', 'Too many large bodies of the organization are under way at the same time');

/** Sends an event to the worker as `POST /v1`. Rejects with what aborted it, or with what broke the connection. */
export async function postEvent(
  worker: Dispatcher,
  event: ScriptEvent,
  dispatch: Dispatch,
  bounds: AnswerBounds,
): Promise<Answer> {
  const { signal } = event.stop;
  const { statusCode, headers, body } = await worker.request({
    origin: 'http://worker',
    path: '/v1',
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${event.key}`, 'x-bindery-event': event.key },
    body: encodeForm(dispatch, event.key),
    signal,
  });
  const declared = Number(headers['content-length'] ?? 0);
  return { status: statusCode, headers: headerList(headers), body: await readWhole(body, declared, bounds) };
}

function encodeForm({ event, environment, body }: Dispatch, boundary: string): Buffer {
  const encodePart = (name: string, content: string | Buffer, file = '') => [
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n`),
    typeof content === 'string' ? Buffer.from(content) : content,
    Buffer.from('\r\n'),
  ];
  return Buffer.concat([
    ...encodePart('event', JSON.stringify(event)),
    ...encodePart('environment', JSON.stringify(environment)),
    // Only a part with a file name keeps its bytes, and without a type it adds no header to the request that is made of it.
    ...(body && body.length > 0 ? encodePart('fetch-body', body, '; filename="body"') : []),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}

const ofTransport = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

const headerList = (headers: Record<string, string | string[] | undefined>): [string, string][] =>
  Object.entries(headers).flatMap(([name, value = []]) =>
    ofTransport.has(name) ? [] : [value].flat().map((each): [string, string] => [name, each]),
  );

/** Reads a body. Throws when it is larger than `most` bytes: at once where its declared length says so. */
async function readWhole(body: Readable, declared: number, { max, holding }: AnswerBounds): Promise<Buffer> {
  const tooLarge = new RuntimeFailure('too-large', `The answer of the script is larger than ${mebibytesText(max)}`);
  if (declared > max) {
    body.on('error', () => undefined).destroy();
    throw tooLarge;
  }
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > max) throw tooLarge;
    if (!holding.add(part.length)) throw tooManyHeld();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const maxLines = 1000;
const maxBytes = 256 * 1024;

/** The lines of one event: the first ones, and how many more there were. */
class EventLines {
  private readonly lines: ScriptLogLine[] = [];
  private bytes = 0;
  private dropped = 0;

  add({ level, message }: ScriptLogLine): void {
    this.bytes += Buffer.byteLength(message);
    if (this.lines.length >= maxLines || this.bytes > maxBytes) this.dropped += 1;
    else this.lines.push({ level, message, timestamp: timestamp() });
  }

  /** Counts lines that were not even sent. */
  countDropped(count: number): void {
    this.dropped += count;
  }

  /** The lines until now, and `last` in any case. */
  take(...last: ScriptLogLine[]): ScriptLogLine[] {
    const dropped: ScriptLogLine[] =
      this.dropped > 0 ? [{ level: 'warn', message: `${this.dropped} further lines were dropped` }] : [];
    return [...this.lines, ...[...dropped, ...last].map((line) => ({ ...line, timestamp: timestamp() }))];
  }
}
