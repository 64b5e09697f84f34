import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The TXT records of a name, at once or when they are released; or how its server fails: with an error, or by never answering. */
export type Records = string[] | { held: string[] } | 'servfail' | 'silence';

const txt = 16;
const noSuchName = 3;
const serverFailure = 2;

/** A name server with TXT records that tests set, in their own process or over HTTP from another. */
export class NameServer {
  private readonly socket: Socket = createSocket('udp4');
  private readonly records = new Map<string, Records>();
  private control: Server | undefined;
  private readonly asked = new Map<string, number>();
  /** Sends the answers that are held, by name. */
  private readonly held = new Map<string, () => void>();

  /** Returns its address, for `DNS_SERVERS`. */
  async open(): Promise<string> {
    this.socket.on('message', (query, { port, address }) => {
      const { name, end } = questionOf(query);
      this.asked.set(name, this.timesAsked(name) + 1);
      const found = this.records.get(name) ?? [];
      if (found === 'silence') return;
      const send = () => this.socket.send(answerOf(query.subarray(0, end), found), port, address);
      if (found === 'servfail' || Array.isArray(found)) send();
      else this.held.set(name, send);
    });
    this.socket.bind(0, '127.0.0.1');
    await once(this.socket, 'listening');
    return `127.0.0.1:${this.socket.address().port}`;
  }

  /**
   * Takes records over HTTP: `PUT /<name>`; `POST /<name>` releases the answer that is held, and `GET /<name>` tells how often the name was
   * asked for. Returns the base URL.
   */
  async openControl(): Promise<string> {
    this.control = createServer(async (request, response) => {
      const name = String(request.url).slice(1);
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (request.method === 'PUT') this.set(name, JSON.parse(Buffer.concat(chunks).toString()) as Records);
      if (request.method === 'POST') this.held.get(name.toLowerCase())?.();
      response.end(String(this.timesAsked(name)));
    }).listen(0, '127.0.0.1');
    this.control.unref();
    await once(this.control, 'listening');
    return `http://127.0.0.1:${(this.control.address() as AddressInfo).port}`;
  }

  set(name: string, records: Records): void {
    this.records.set(name.toLowerCase(), records);
  }

  close(): void {
    this.socket.close();
    this.control?.close();
  }

  private timesAsked(name: string): number {
    return this.asked.get(name.toLowerCase()) ?? 0;
  }
}

/** The answer to a query that ends with its question. */
function answerOf(query: Buffer, found: Exclude<Records, 'silence'>): Buffer {
  const values = found === 'servfail' ? [] : Array.isArray(found) ? found : found.held;
  const header = Buffer.from(query.subarray(0, 12));
  const code = found === 'servfail' ? serverFailure : values.length === 0 ? noSuchName : 0;
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(values.length, 6);
  // No additional section: that of the query is not repeated.
  header.writeUInt32BE(0, 8);
  return Buffer.concat([header, query.subarray(12), ...values.map(recordOf)]);
}

function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

/** A TXT record of the name in the question, with the value in parts of 255 bytes. */
function recordOf(value: string): Buffer {
  const bytes = Buffer.from(value);
  const parts: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += 255) {
    const part = bytes.subarray(at, at + 255);
    parts.push(Buffer.from([part.length]), part);
  }
  const data = Buffer.concat(parts);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(txt, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
