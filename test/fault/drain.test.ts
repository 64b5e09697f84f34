import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { type StartedServer, startServer } from '../support/server.js';

interface Answered {
  status: number | undefined;
  connection: string | undefined;
  body: string;
}

/** One request on the connection that `agent` holds. */
async function ask(server: StartedServer, agent: Agent, path: string): Promise<Answered> {
  const headers = { authorization: `Bearer ${server.token}` };
  const sent = httpRequest(server.url + path, { agent, headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of answer.setEncoding('utf8')) body += chunk;
  return { status: answer.statusCode, connection: answer.headers.connection, body };
}

interface Loop {
  answers: Answered[];
  /** Why it ended. */
  end: Promise<NodeJS.ErrnoException>;
}

/** Sends one request after the other, until one fails. */
function loop(server: StartedServer, path: string): Loop {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers: Answered[] = [];
  const run = async (): Promise<never> => {
    for (;;) answers.push(await ask(server, agent, path));
  };
  const end = run().catch((error: NodeJS.ErrnoException) => error);
  return { answers, end: end.finally(() => agent.destroy()) };
}

/** Options of Node.js with which a process gets SIGTERM as soon as it listens for it, or listens another time. */
const signalled = (times: number) => {
  const script = `let seen = 0; process.on('newListener', (name) => {
    if (name === 'SIGTERM' && ++seen === ${times}) setImmediate(() => process.kill(process.pid, name));
  });`;
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
};

describe('SIGTERM', () => {
  it.each([
    ['its program is loaded', 1, /^the server ended with 0:\n$/],
    ['its services start', 2, /^the server ended with 0:\n.*"msg":"stopping"/],
  ])('ends a process in order while %s', async (_, times, end) => {
    const told = await startServer({ env: { NODE_OPTIONS: signalled(times) } }).then(
      async (server) => `it started, and ended with ${await server.stop()}`,
      ({ message }) => message,
    );
    expect(told).toMatch(end);
  });

  it('loses no request of 20 busy connections, and says first that the server is leaving', async () => {
    const server = await startServer({ env: { DRAIN_SECONDS: '5', LOG_REQUESTS: 'all' } });
    const paths = ['/v1/user', '/v1/orgs', '/docs/swagger-ui.css', '/openapi.json'];
    const loops = Array.from({ length: 20 }, (_, at) => loop(server, paths[at % paths.length] as string));
    const probe = new Agent({ keepAlive: true });
    while (loops.some(({ answers }) => answers.length < 5)) await ask(server, probe, '/readyz');

    // With all that it said read.
    const exited = once(server.process, 'close');
    server.process.kill('SIGTERM');
    let ready = await ask(server, probe, '/readyz');
    while (ready.status === 200) ready = await ask(server, probe, '/readyz');
    expect([ready.status, JSON.parse(ready.body).status, ready.connection]).toEqual([503, 'stopping', 'keep-alive']);
    const before = loops.map(({ answers }) => answers.length);
    const fresh = new Agent();
    expect((await ask(server, fresh, '/v1/user')).status).toBe(200);

    for (const { answers, end } of loops) {
      // A reset: the system made the connection, and the server closed before it took it.
      expect((await end).code).toMatch(/^(ECONNREFUSED|ECONNRESET)$/);
      expect(answers.every(({ status, body }) => status === 200 && body === answers[0]?.body)).toBe(true);
      expect(answers.map(({ connection }) => connection).lastIndexOf('keep-alive')).toBe(answers.length - 2);
      expect(answers.at(-1)?.connection).toBe('close');
    }
    expect(loops.every(({ answers }, at) => answers.length > Number(before[at]))).toBe(true);
    for (const agent of [probe, fresh]) agent.destroy();
    expect(await exited).toEqual([0, null]);
    // What the server took, it answered.
    const taken = server.output().match(/"path":"\/v1\/(user|orgs)"/g);
    const answered = loops.flatMap(({ answers }, at) => (paths[at % paths.length]?.startsWith('/v1/') ? answers : []));
    expect(taken).toHaveLength(answered.length + 1);
  });

  it('a second time changes nothing, a third time ends at once', async () => {
    const server = await startServer({ env: { DRAIN_SECONDS: '600' } });
    const exited = once(server.process, 'exit');
    server.process.kill('SIGTERM');
    while ((await server.get('/readyz')).status === 200);
    server.process.kill('SIGINT');
    await server.said(/still stopping/);
    expect((await server.get('/readyz')).status).toBe(503);
    server.process.kill('SIGTERM');
    expect(await exited).toEqual([1, null]);
  });

  it('closes connections that wait for nothing', async () => {
    const server = await startServer();
    const agent = new Agent({ keepAlive: true });
    await ask(server, agent, '/v1/user');
    expect(await server.stop()).toBe(0);
    agent.destroy();
  });
});
