import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ApiAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The API of a host of repositories: answers by `METHOD path`, with or without the query; everything else is 404. */
export async function gitApi(answers: Record<string, ApiAnswer>) {
  const asked: { path: string; authorization: string | undefined }[] = [];
  const server = createServer(({ method, url = '', headers }, reply) => {
    asked.push({ path: url, authorization: headers.authorization });
    const found = answers[`${method} ${url}`] ?? answers[`${method} ${url.split('?')[0]}`] ?? { status: 404, body: {} };
    reply.writeHead(found.status ?? 200, { 'content-type': 'application/json', ...found.headers });
    reply.end(typeof found.body === 'string' ? found.body : JSON.stringify(found.body ?? null));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
