import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer =
  | string
  | Buffer
  | [type: string, content: string | Buffer]
  | ((request: IncomingMessage, response: ServerResponse) => void);

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  zip: 'application/zip',
  txt: 'text/plain',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

/** A web server of the tests: what it answers, by path. It notes what it was asked for. */
export class Web {
  readonly asked: string[] = [];
  url = '';
  private readonly server = createServer((request, response) => {
    const path = String(request.url).split('?', 1)[0] as string;
    this.asked.push(path);
    const answer = this.answers[path];
    if (answer === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
    else if (typeof answer === 'function') answer(request, response);
    else if (Array.isArray(answer)) response.setHeader('content-type', answer[0]).end(answer[1]);
    else response.setHeader('content-type', types[path.split('.').at(-1) ?? ''] ?? types.html ?? '').end(answer);
  });

  constructor(private readonly answers: Record<string, Answer>) {}

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
