import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Routes = Record<string, RequestListener>;

/** A site that is not ours, on an address of this machine; paths that it lacks are 404. */
export class OtherSite {
  /** The paths that it was asked for, with their queries. */
  readonly asked: string[] = [];
  private readonly server: Server;

  constructor(routes: Routes) {
    this.server = createServer((request, response) => {
      this.asked.push(String(request.url));
      const { pathname } = new URL(String(request.url), this.url);
      (routes[pathname] ?? ((_, reply) => reply.writeHead(404).end('none')))(request, response);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export const sending =
  (contentType: string, body: string | Uint8Array): RequestListener =>
  (_, reply) =>
    reply.setHeader('content-type', contentType).end(body);

/** A page with this head. */
export const page = (head: string, body = ''): RequestListener =>
  sending('text/html; charset=utf-8', `<!doctype html><html><head>${head}</head><body>${body}</body></html>`);

export const json = (value: unknown): RequestListener => sending('application/json', JSON.stringify(value));
