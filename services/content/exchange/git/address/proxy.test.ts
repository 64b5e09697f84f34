import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { eventually } from '../../../../../shared/testing/eventually.js';
import { stillClock } from '../../../../../shared/testing/still-clock.js';
import { createProxy, type ProxyPass } from './proxy.js';

const owner = 'tests';
const strict = createProxy();
const open = createProxy({ allowCidrs: ['127.0.0.1/32'] });
const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
afterAll(() => Promise.all([strict.close(), open.close()]));

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function credential(pass: ProxyPass): Record<string, string> {
  const { username, password } = new URL(pass.url);
  return { 'proxy-authorization': `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

/** A plain request through the proxy: status and body. */
function through(
  pass: ProxyPass,
  url: string,
  headers = credential(pass),
  body = '',
): Promise<{ status?: number; body: string }> {
  const { hostname, port } = new URL(pass.url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: hostname, port, path: url, method: body ? 'POST' : 'GET', headers, agent: false },
      async (answer) => {
        let text = '';
        try {
          for await (const chunk of answer) text += chunk;
          resolve({ status: answer.statusCode, body: text });
        } catch (error) {
          reject(error);
        }
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

function tunnel(
  pass: ProxyPass,
  target: string,
  headers = credential(pass),
): Promise<{ status?: number; socket: Socket }> {
  const { hostname, port } = new URL(pass.url);
  return new Promise((resolve, reject) => {
    const sent = request({ host: hostname, port, method: 'CONNECT', path: target, headers, agent: false });
    sent.once('connect', (answer: IncomingMessage, socket: Socket) => resolve({ status: answer.statusCode, socket }));
    sent.once('error', reject).end();
  });
}

describe('the proxy', () => {
  test('forwards plain requests and tunnels, without its own credential', async () => {
    const host = await serve(async (message, reply) => {
      let body = '';
      for await (const chunk of message) body += chunk;
      reply.writeHead(201).end(`${message.method} ${message.url} ${message.headers['proxy-authorization']} ${body}`);
    });
    const pass = await open.issuePass({ owner, maxBytes: 10_000 });
    expect(await through(pass, `http://${host}/a?b=1`, credential(pass), 'hi')).toEqual({
      status: 201,
      body: 'POST /a?b=1 undefined hi',
    });
    const { status, socket } = await tunnel(pass, host);
    expect(status).toBe(200);
    socket.end('GET /t HTTP/1.0\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).toContain('GET /t undefined');
    expect(pass.bytes()).toBeGreaterThan(text.length);
    expect(pass.problem()).toBeUndefined();
    pass.revoke();
  });

  test('refuses a missing, wrong or revoked credential', async () => {
    let arrived = 0;
    const host = await serve((_, reply) => {
      arrived++;
      reply.end();
    });
    const pass = await open.issuePass({ owner, maxBytes: 10_000 });
    const wrong = { 'proxy-authorization': `Basic ${Buffer.from('run:x').toString('base64')}` };
    for (const headers of [{}, wrong]) {
      expect((await through(pass, `http://${host}/`, headers as Record<string, string>)).status).toBe(407);
      expect((await tunnel(pass, host, headers as Record<string, string>)).status).toBe(407);
    }
    pass.revoke();
    expect((await through(pass, `http://${host}/`)).status).toBe(407);
    expect(arrived).toBe(0);
  });

  test.each(['127.0.0.1', 'localhost', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254'])(
    'refuses %s',
    async (name) => {
      let arrived = 0;
      const port = (await serve(() => arrived++)).split(':')[1];
      for (const use of [
        (pass: ProxyPass) => tunnel(pass, `${name}:${port}`),
        (pass: ProxyPass) => through(pass, `http://${name}:${port}/`),
      ]) {
        const pass = await strict.issuePass({ owner, maxBytes: 10_000 });
        expect((await use(pass)).status).toBe(403);
        expect(pass.problem()?.kind).toBe('refused');
        pass.revoke();
      }
      expect(arrived).toBe(0);
    },
  );

  test('refuses invalid targets', async () => {
    const pass = await open.issuePass({ owner, maxBytes: 10_000 });
    for (const target of ['127.0.0.1', '127.0.0.1:99999', 'a:b:c'])
      expect((await tunnel(pass, target)).status).toBe(400);
    expect((await through(pass, '/relative')).status).toBe(403);
    expect((await through(pass, 'https://example.com/')).status).toBe(403);
    pass.revoke();
  });

  test('keeps a run with credentials at its origin', async () => {
    const host = await serve((_, reply) => reply.end('ok'));
    const other = await serve((_, reply) => reply.end('ok'));
    const pass = await open.issuePass({ owner, maxBytes: 10_000, onlyOrigin: `http://${host}` });
    expect((await through(pass, `http://${host}/`)).status).toBe(200);
    expect((await through(pass, `http://${other}/`)).status).toBe(403);
    expect((await tunnel(pass, host)).status).toBe(403);
    expect(pass.problem()?.message).toContain('redirect');
    pass.revoke();
  });

  test('cuts a run that transfers more than its limit, over all its connections', async () => {
    const host = await serve((_, reply) => reply.end('x'.repeat(6000)));
    let told = 0;
    const pass = await open.issuePass({ owner, maxBytes: 10_000, onTooLarge: () => told++ });
    expect((await through(pass, `http://${host}/`)).status).toBe(200);
    await expect(through(pass, `http://${host}/`)).rejects.toThrow();
    expect(pass.problem()?.kind).toBe('too-large');
    expect(told).toBe(1);
    pass.revoke();
  });

  test('says that a host is down', async () => {
    const down = createTcpServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => down.once('listening', resolve));
    const { port } = down.address() as AddressInfo;
    await new Promise((resolve) => down.close(resolve));
    const pass = await open.issuePass({ owner, maxBytes: 10_000 });
    expect((await tunnel(pass, `127.0.0.1:${port}`)).status).toBe(502);
    expect((await through(pass, `http://127.0.0.1:${port}/`)).status).toBe(502);
    expect(pass.problem()).toEqual({ kind: 'unreachable', message: '127.0.0.1 could not be reached' });
    pass.revoke();
  });

  test('ends all tunnels when it closes', async () => {
    const silent = createTcpServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const target = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const proxy = createProxy({ allowCidrs: ['127.0.0.1'] });
    const pass = await proxy.issuePass({ owner, maxBytes: 10_000 });
    const { socket } = await tunnel(pass, target);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await proxy.close();
    await closed;
    await new Promise((resolve) => silent.close(resolve));
    await expect(
      new Promise((_, reject) => connect(Number(new URL(pass.url).port), '127.0.0.1').on('error', reject)),
    ).rejects.toThrow();
  });
});

describe('a tunnel whose server', () => {
  stillClock();
  const leastRate = { bytes: 500, ms: 90 };

  test.each([
    ['says nothing is ended', 0, 'to us', false],
    ['sends less than it must is ended', 100, 'to us', false],
    ['sends enough is kept', 200, 'to us', true],
    ['takes less than it must is ended', 100, 'to the server', false],
    ['takes enough is kept', 200, 'to the server', true],
  ] as const)('%s', async (_, bytesAtOnce, direction, isKept) => {
    const server = createTcpServer().listen(0, '127.0.0.1');
    ends.push(() => new Promise((resolve) => server.close(resolve)));
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const proxy = createProxy({ allowCidrs: ['127.0.0.1'], leastRate });
    ends.unshift(() => proxy.close());
    const pass = await proxy.issuePass({ owner, maxBytes: 10_000 });
    const { socket } = await tunnel(pass, `127.0.0.1:${(server.address() as AddressInfo).port}`);
    const [served] = await accepted;
    const [sender, receiver] = direction === 'to us' ? [served, socket] : [socket, served];
    let received = 0;
    receiver.on('data', ({ length }) => (received += length));
    served.resume();
    const closed = once(socket, 'close');
    for (let looks = 1; looks <= 10 && pass.problem() === undefined; looks++) {
      sender.write('x'.repeat(bytesAtOnce));
      await eventually('what was sent', () => received === looks * bytesAtOnce);
      jest.advanceTimersByTime(leastRate.ms / 3);
    }
    if (isKept) return expect(pass.problem()).toBeUndefined();
    expect(pass.problem()).toMatchObject({ kind: 'too-slow', message: expect.stringContaining('500 bytes') });
    await closed;
  });
});
