import { LRUCache } from 'lru-cache';
import { Errors, type Middleware, Serializers } from 'moleculer';
import type { Blobs } from '../blobs/port.js';
import { Encoded } from '../contract/encoded.js';

const maxMessageBytes = 256 * 1024;
const blobPrefix = 'blob:';
/** Milliseconds. */
export const blobLifetime = 10 * 60_000;

interface Payload {
  data?: unknown;
}

const line = 0x0a;
const nameLength = 64;

const largeAnswerIn = ({ data }: Payload): Encoded | undefined =>
  data instanceof Encoded && data.bytes.length > maxMessageBytes ? data : undefined;

/**
 * Encoded answers travel as they are: neither side reads them. A message with one is its name, the rest of the packet and its
 * bytes, in lines. The bytes of a large one travel as a blob, once for all messages with it.
 */
export class EncodedAnswers extends Serializers.JSON {
  /** Names of answers whose blobs will be there for a while. */
  private readonly stored: LRUCache<string, true, Encoded>;
  private readonly fetched: LRUCache<string, Encoded>;
  /** The answer of the message that is being read. */
  private arriving: Encoded | undefined;

  constructor(private readonly blobs: Blobs) {
    super();
    this.stored = new LRUCache<string, true, Encoded>({
      max: 10_000,
      ttl: blobLifetime / 2,
      fetchMethod: async (_, __, { context: { bytes } }) => {
        await blobs.put(bytes, { expiresAt: new Date(Date.now() + blobLifetime) });
        return true as const;
      },
    });
    this.fetched = new LRUCache({
      maxSize: 64 * 1024 * 1024,
      sizeCalculation: ({ bytes }) => bytes.length,
      ignoreFetchAbort: true,
      fetchMethod: (name) => this.readStoredAnswer(name),
    });
  }

  override serialize(payload: Payload): Buffer {
    const { data } = payload;
    if (!(data instanceof Encoded)) return Buffer.from(JSON.stringify(payload));
    const head = Buffer.from(`${data.name}\n${JSON.stringify({ ...payload, data: null })}\n`);
    return largeAnswerIn(payload) ? head : Buffer.concat([head, data.bytes]);
  }

  override deserialize(message: Buffer): Payload {
    if (message[nameLength] !== line) return JSON.parse(message.toString());
    const end = message.indexOf(line, nameLength + 1);
    const data = this.arriving ?? new Encoded(message.subarray(end + 1), answerNameIn(message));
    return { ...JSON.parse(message.subarray(nameLength, end).toString()), data };
  }

  /** Stores the answer of a message that goes without its bytes. */
  async storeLargeAnswer(payload: Payload): Promise<void> {
    const large = largeAnswerIn(payload);
    if (large) await this.stored.fetch(large.name, { context: large });
  }

  /** Reads a message, with its answer fetched where it came without the bytes. */
  async readWithAnswer<T>(message: Buffer, read: () => T): Promise<T> {
    const isAlone = message[nameLength] === line && message.indexOf(line, nameLength + 1) === message.length - 1;
    const large = isAlone ? await this.fetched.fetch(answerNameIn(message)) : undefined;
    this.arriving = large;
    try {
      return read();
    } finally {
      this.arriving = undefined;
    }
  }

  private async readStoredAnswer(name: string): Promise<Encoded> {
    const bytes = await this.blobs.read(name);
    if (!bytes) throw answerExpiredError();
    return new Encoded(bytes, name);
  }
}

const answerNameIn = (message: Buffer) => message.subarray(0, nameLength).toString();

const answerExpiredError = () => new Errors.MoleculerError('the content of a message has expired', 503, 'UNAVAILABLE');

/** Sends a message above 256 KB as a reference to a blob that expires: the bus limits the size of a payload. */
export function largeMessages(blobs: Blobs, answers: EncodedAnswers): Middleware {
  const middleware = {
    name: 'LargeMessages',
    transporterSend(next: (topic: string, data: Buffer, meta: object) => Promise<void>) {
      return async (topic: string, data: Buffer, meta: { packet?: { payload: Payload } }) => {
        if (meta.packet) await answers.storeLargeAnswer(meta.packet.payload);
        if (data.length <= maxMessageBytes) return next(topic, data, meta);
        const { id } = await blobs.put(data, { expiresAt: new Date(Date.now() + blobLifetime) });
        return next(topic, Buffer.from(blobPrefix + id), meta);
      };
    },
    transporterReceive(next: (command: string, data: Buffer, from: object) => Promise<void>) {
      return async (command: string, data: Buffer, from: object) => {
        if (data.length > 128 || data.subarray(0, blobPrefix.length).toString() !== blobPrefix)
          return answers.readWithAnswer(data, () => next(command, data, from));
        const content = await blobs.read(data.subarray(blobPrefix.length).toString());
        if (!content) throw answerExpiredError();
        return answers.readWithAnswer(content, () => next(command, content, from));
      };
    },
  };
  return middleware as unknown as Middleware;
}
