import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A transfer, of a push unless the test says what else. */
export interface Push {
  /** Sends it to the repository, and its answer back unless `answer` is false; resolves when the repository is done. */
  forward(how?: { answer: boolean }): Promise<void>;
  cut(): void;
  /** 1 for the first. */
  count: number;
}

/** A server in front of repositories, through which everything goes as it is but the transfers of pushes, or of another service of git. */
export async function gitFront(
  repositories: { url: string },
  onPush: (push: Push) => Promise<void>,
  service = 'git-receive-pack',
) {
  let count = 0;
  const server = createServer((message, reply) => {
    const forward: Push['forward'] = ({ answer } = { answer: true }) =>
      passed(repositories.url, message, answer ? reply : undefined);
    if (message.method !== 'POST' || !message.url?.endsWith(`/${service}`)) return void forward();
    const cut = () => void message.socket.destroy();
    return void onPush({ forward, cut, count: ++count });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Hands a request on to another server as it is, and its answer back. */
export function passed(to: string, message: IncomingMessage, reply: ServerResponse | undefined): Promise<void> {
  const { method, headers } = message;
  return new Promise((resolve) => {
    const asked = request(`${to}${message.url}`, { method, headers }, (answer) => {
      reply?.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.on('data', (chunk) => reply?.write(chunk));
      answer.on('end', () => {
        reply?.end();
        resolve();
      });
    });
    asked.on('error', () => resolve());
    message.pipe(asked);
  });
}
