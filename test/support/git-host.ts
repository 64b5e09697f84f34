import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { passed } from './git-front.js';

interface HostCall {
  method: string;
  path: string;
  authorization: string | undefined;
  body: any;
}

/** A host of repositories with an API, which takes everything and tells what was asked of it. */
export async function gitHost(repositories: { url: string }) {
  const calls: HostCall[] = [];
  const server = createServer((message, reply) => {
    const { url: path = '', method = '', headers } = message;
    if (!/^\/(api|2\.0)\//.test(path)) return void passed(repositories.url, message, reply);
    void text(message).then((body) => {
      calls.push({ method, path, authorization: headers.authorization, body: JSON.parse(body || 'null') });
      reply.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ id: calls.length }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
