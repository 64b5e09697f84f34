import type { Readable, Writable } from 'node:stream';
import { nextTurn } from '../work/slices.js';

/** The end of a message of the protocol, in both directions. */
const messageEnd = 0;
/** Characters of a long text that are encoded before others get their turn. */
const sliceLength = 256 * 1024;

interface Waiting {
  take(result: Record<string, unknown>): void;
  fail(error: Error): void;
}

/** A message of the browser: the answer to a command, or an event. */
interface Message {
  id?: number;
  method?: string;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** A command whose parameter `longName` is a text too long to be encoded at once. */
interface LongText {
  longName: string;
  text: string;
}

/** Speaks the DevTools protocol with a browser over its pipe (`--remote-debugging-pipe`). */
export class DevTools {
  private readonly waiting = new Map<number, Waiting>();
  private readonly events = new Map<string, Waiting>();
  private arrived: Buffer[] = [];
  private last = 0;
  private ended: Error | undefined;
  /** Goes on with a long text that waits until more may be written. */
  private goOn: () => void = () => {};
  /** The target that commands are for; the browser itself without one. */
  session: string | undefined;

  constructor(
    private readonly input: Writable,
    output: Readable,
  ) {
    output.on('data', (chunk: Buffer) => this.takeChunk(chunk));
    const hasEnded = () => this.end(new Error('the browser has ended'));
    // A browser that ends at once may have closed its output before anybody listens.
    if (output.closed) hasEnded();
    else output.once('close', hasEnded);
    // It has ended: the end of its output says so.
    input.on('error', () => {});
  }

  /** Rejects when the browser refuses the command, and when it ends before it answers. */
  async send(method: string, params: object = {}, long?: LongText): Promise<Record<string, unknown>> {
    if (this.ended) throw this.ended;
    const id = ++this.last;
    const answer = new Promise<Record<string, unknown>>((take, fail) => this.waiting.set(id, { take, fail }));
    // Whoever waits is told; a text may still be on its way then.
    answer.catch(() => {});
    const command = JSON.stringify({ id, method, sessionId: this.session, params });
    if (long) await this.writeLong(command, long);
    else this.input.write(`${command}\0`);
    return answer;
  }

  /** Resolves at the next event of a name. */
  next(method: string): Promise<unknown> {
    const event = new Promise((take, fail) => this.events.set(method, { take, fail }));
    event.catch(() => {});
    return event;
  }

  /** Ends all that waits. */
  end(error: Error): void {
    this.ended ??= error;
    for (const { fail } of [...this.waiting.values(), ...this.events.values()]) fail(this.ended);
    this.waiting.clear();
    this.events.clear();
    this.goOn();
  }

  private async writeLong(command: string, { longName, text }: LongText): Promise<void> {
    // The command ends with `}}`: of the parameters, and its own.
    const start = command.slice(0, -2);
    this.input.write(`${start}${start.endsWith('{') ? '' : ','}${JSON.stringify(longName)}:"`);
    for (let at = 0; at < text.length && !this.ended; at += sliceLength) {
      const hasRoom = this.input.write(JSON.stringify(text.slice(at, at + sliceLength)).slice(1, -1));
      await (hasRoom ? nextTurn() : this.drained());
    }
    this.input.write('"}}\0');
  }

  /** Resolves when more may be written, or nothing is read any more: what is closed already says so no more. */
  private drained(): Promise<void> {
    const { input } = this;
    return new Promise((resolve) => {
      this.goOn = () => {
        input.off('drain', this.goOn).off('close', this.goOn);
        resolve();
      };
      if (input.destroyed) return this.goOn();
      input.on('drain', this.goOn).on('close', this.goOn);
    });
  }

  private takeChunk(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(messageEnd); end >= 0; end = chunk.indexOf(messageEnd, from)) {
      this.arrived.push(chunk.subarray(from, end));
      from = end + 1;
      const message = Buffer.concat(this.arrived).toString();
      this.arrived = [];
      this.takeMessage(JSON.parse(message) as Message);
    }
    if (from < chunk.length) this.arrived.push(chunk.subarray(from));
  }

  private takeMessage({ id, method, result = {}, error }: Message): void {
    if (id === undefined) {
      const waiting = this.events.get(method ?? '');
      this.events.delete(method ?? '');
      waiting?.take({});
      // The page has crashed: nothing answers for it.
      if (method === 'Inspector.targetCrashed') this.end(new Error('the page has crashed'));
      return;
    }
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) waiting?.fail(new Error(error.message));
    else waiting?.take(result);
  }
}
