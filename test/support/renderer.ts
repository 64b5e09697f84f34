import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { freePort } from '../../shared/process/free-port.js';

/** What a site renderer is sent when its caches are out of date, on a port that it keeps. */
export class RendererStandIn {
  /** The tags of each message that it took. */
  readonly messages: string[][] = [];
  /** What was wrong with a message. */
  readonly problems: string[] = [];
  /** Its answers; null: none. */
  status: number | null = 200;
  asked = 0;
  private server: Server | undefined;
  private port = 0;
  private changed = () => {};

  constructor(private readonly secret: string) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async open(): Promise<void> {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        this.asked += 1;
        const body = Buffer.concat(chunks).toString();
        const signature = createHmac('sha256', this.secret).update(body).digest('hex');
        if (request.headers['x-gitbook-signature'] !== signature) this.problems.push('signature');
        if (`${request.method} ${request.url}` !== 'POST /~gitbook/revalidate') this.problems.push(`${request.url}`);
        if (request.headers['content-type'] !== 'application/json') this.problems.push('content-type');
        if (this.status === 200) this.messages.push(JSON.parse(body).tags);
        if (this.status !== null)
          response.writeHead(this.status, { location: `${this.url}/elsewhere` }).end(JSON.stringify({ success: true }));
        this.changed();
      });
    });
    // It comes back on the same one.
    this.port ||= await freePort();
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server?.close(resolve));
    this.server?.closeAllConnections();
    await closed;
  }

  forget(): void {
    this.messages.length = 0;
  }

  /** Waits for what is to become true when it is asked something. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds())
      await new Promise<void>((resolve) => {
        this.changed = resolve;
      });
  }

  /** Waits until it was told all of these; all that it was told, sorted. */
  async toldOf(tags: string[]): Promise<string[]> {
    await this.until(() => tags.every((tag) => this.messages.flat().includes(tag)));
    return [...new Set(this.messages.flat())].sort();
  }
}

/** The settings with which a server notifies these renderers. */
export const toldTo = (renderers: RendererStandIn[], secret: string) => ({
  RENDERER_URLS: renderers.map(({ url }) => `${url}/`).join(', '),
  RENDERER_SECRET: secret,
});
