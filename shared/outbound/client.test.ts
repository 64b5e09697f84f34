import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { createOutbound } from './client.js';
import { OutboundRefused } from './failure.js';

const owner = 'tests';
const strict = createOutbound();
const open = createOutbound({ allowCidrs: ['127.0.0.1/32'] });
const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
afterAll(() => Promise.all([strict.close(), open.close()]));

async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  ends.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

async function textOf(message: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of message) text += chunk;
  return text;
}

describe('addresses', () => {
  test('a private address is refused by number, by name and behind a redirect; nothing arrives', async () => {
    let arrived = 0;
    const url = await serve((_, reply) => {
      arrived++;
      reply.end('secret');
    });
    const { port } = new URL(url);
    for (const host of ['127.0.0.1', '0x7f.1', '2130706433', 'localhost']) {
      await expect(strict.fetch(`http://${host}:${port}/`, { owner })).rejects.toThrow(OutboundRefused);
    }
    const other = await serve((_, reply) => {
      arrived++;
      reply.end();
    }, '127.0.0.2');
    const redirecting = await serve((_, reply) => reply.writeHead(302, { location: other }).end());
    await expect(open.fetch(redirecting, { owner })).rejects.toThrow(OutboundRefused);
    expect(arrived).toBe(0);
  });

  test('a redirect to another scheme is refused', async () => {
    for (const location of ['file:///etc/passwd', 'javascript:1', 'http://[::1]/']) {
      const url = await serve((_, reply) => reply.writeHead(302, { location }).end());
      await expect(open.fetch(url, { owner })).rejects.toThrow(OutboundRefused);
    }
  });

  test('an allowed name is reached', async () => {
    const url = await serve((message, reply) => reply.end(message.headers.host));
    const { port } = new URL(url);
    expect((await open.fetch(`http://localhost:${port}/`, { owner })).body.toString()).toBe(`localhost:${port}`);
  });
});

describe('requests', () => {
  test('carry method, headers and body, and resolve with any status', async () => {
    const url = await serve(async (message, reply) => {
      const got = { method: message.method, sent: message.headers['x-sent'], body: await textOf(message) };
      reply.writeHead(418, { 'x-answer': 'yes' }).end(JSON.stringify(got));
    });
    const answer = await open.fetch(url, {
      owner,
      method: 'POST',
      headers: { 'X-Sent': '1', Host: 'evil' },
      body: 'hello',
    });
    expect(answer).toMatchObject({ status: 418, url: `${url}/`, headers: { 'x-answer': 'yes' } });
    expect(JSON.parse(answer.body.toString())).toEqual({ method: 'POST', sent: '1', body: 'hello' });
  });

  test('follow redirects as browsers do, and no more than allowed', async () => {
    const url = await serve(async (message, reply) => {
      const status = Number(message.url?.slice(1));
      if (status) reply.writeHead(status, { location: '/' }).end();
      else reply.end(`${message.method} ${await textOf(message)}`);
    });
    const post = async (status: number) =>
      (await open.fetch(`${url}/${status}`, { owner, method: 'POST', body: 'b' })).body.toString();
    expect(await Promise.all([301, 302, 303, 307, 308].map(post))).toEqual([
      'GET ',
      'GET ',
      'GET ',
      'POST b',
      'POST b',
    ]);
    const loop = await serve((_, reply) => reply.writeHead(302, { location: '/' }).end());
    await expect(open.fetch(loop, { owner })).rejects.toMatchObject({ reason: 'redirects' });
    expect((await open.fetch(loop, { owner, maxRedirects: 0 })).status).toBe(302);
  });

  test('credentials of the URL become basic auth, and stay at their origin', async () => {
    const other = await serve((message, reply) => reply.end(String(message.headers.authorization)));
    const url = await serve((message, reply) => {
      if (message.url === '/away') reply.writeHead(302, { location: other }).end();
      else if (message.url === '/here') reply.writeHead(302, { location: '/' }).end();
      else reply.end(String(message.headers.authorization));
    });
    const withAuth = url.replace('://', '://ada:p%40ss@');
    const expected = `Basic ${Buffer.from('ada:p@ss').toString('base64')}`;
    expect((await open.fetch(withAuth, { owner })).body.toString()).toBe(expected);
    expect((await open.fetch(`${withAuth}/here`, { owner })).body.toString()).toBe(expected);
    const away = await open.fetch(`${withAuth}/away`, { owner, headers: { cookie: 'a=b' } });
    expect(away.body.toString()).toBe('undefined');
    expect(away.url).not.toContain('ada');
  });

  test('decompress', async () => {
    const encodings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
    const url = await serve((message, reply) => {
      const name = message.url?.slice(1) as keyof typeof encodings;
      reply.writeHead(200, { 'content-encoding': name }).end(encodings[name]('hello'));
    });
    for (const name of Object.keys(encodings))
      expect((await open.fetch(`${url}/${name}`, { owner })).body.toString()).toBe('hello');
    expect(await open.fetch(`${url}/gzip`, { owner, method: 'HEAD' })).toMatchObject({
      status: 200,
      body: Buffer.alloc(0),
    });
    const empty = await serve((_, reply) => reply.writeHead(204, { 'content-encoding': 'gzip' }).end());
    expect((await open.fetch(empty, { owner })).body).toHaveLength(0);
  });
});

describe('limits', () => {
  test('a response is cut at its limit: declared, endless, or decompressed', async () => {
    const url = await serve((message, reply) => {
      if (message.url === '/declared') reply.writeHead(200, { 'content-length': 5000 }).write('x');
      else if (message.url === '/bomb')
        reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000)));
      else {
        const more = () => {
          while (!reply.destroyed && reply.write('x'.repeat(1000)));
        };
        reply.on('drain', more);
        more();
      }
    });
    for (const path of ['/declared', '/bomb', '/endless']) {
      await expect(open.fetch(url + path, { owner, maxBytes: 4000 })).rejects.toMatchObject({ reason: 'too-large' });
    }
  });

  test('each part of a body is told as it arrives and is unpacked, and its receiver may end the exchange', async () => {
    const url = await serve((_, reply) => {
      reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000)));
    });
    let told = 0;
    const onPart = (bytes: number) => {
      told += bytes;
      if (told > 1_000_000) throw new OutboundRefused('enough');
    };
    await expect(open.fetch(url, { owner, maxBytes: 10_000_000, onPart })).rejects.toThrow('enough');
    expect(told).toBeLessThan(2_000_000);
    told = -9_000_000;
    expect((await open.fetch(url, { owner, maxBytes: 10_000_000, onPart })).body).toHaveLength(told + 9_000_000);
  });

  test('the beginning of a larger response is taken where that is enough', async () => {
    const text = Array.from({ length: 1000 }, (_, at) => `${at} `).join('');
    const closed: Promise<unknown>[] = [];
    const url = await serve((message, reply) => {
      closed.push(once(reply, 'close'));
      if (message.url === '/declared') reply.writeHead(200, { 'content-length': 1_000_000 }).write(text);
      else if (message.url === '/packed')
        reply.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(text));
      else if (message.url === '/random') {
        const bytes = randomBytes(200_000);
        reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(bytes));
      } else reply.write(text);
    });
    for (const path of ['/declared', '/packed', '/endless']) {
      const { body } = await open.fetch(url + path, { owner, maxBytes: 1000, cut: true });
      expect([path, body.toString()]).toEqual([path, text.slice(0, 1000)]);
    }
    expect((await open.fetch(`${url}/random`, { owner, maxBytes: 100_000, cut: true })).body).toHaveLength(100_000);
    expect((await open.fetch(`${url}/packed`, { owner, maxBytes: 10_000, cut: true })).body.toString()).toBe(text);
    await Promise.all(closed);
  });

  test('the timeout covers headers, body and redirects together', async () => {
    const url = await serve((message, reply) => {
      if (message.url === '/body') reply.write('x');
      else if (message.url !== '/') setTimeout(() => reply.writeHead(302, { location: '/again' }).end(), 60);
    });
    for (const path of ['/', '/body', '/again'])
      await expect(open.fetch(url + path, { owner, timeoutMs: 150 })).rejects.toMatchObject({ reason: 'timeout' });
  });

  test('a caller can cancel, before and during', async () => {
    const stop = new AbortController();
    const url = await serve(() => stop.abort());
    await expect(open.fetch(url, { owner, signal: stop.signal })).rejects.toMatchObject({ reason: 'aborted' });
    await expect(open.fetch(url, { owner, signal: stop.signal })).rejects.toMatchObject({ reason: 'aborted' });
  });

  test('failures name the host and no credentials', async () => {
    const down = createTcpServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => down.once('listening', resolve));
    const { port } = down.address() as AddressInfo;
    await new Promise((resolve) => down.close(resolve));
    const error: Error = await open.fetch(`http://ada:secret@127.0.0.1:${port}/`, { owner }).catch((thrown) => thrown);
    expect(error).toMatchObject({
      reason: 'network',
      message: `the request to 127.0.0.1:${port} failed (ECONNREFUSED)`,
    });
    await expect(
      open.fetch(`http://127.0.0.1:${port}/`, { owner, headers: { 'bad name': 'x' } }),
    ).rejects.toMatchObject({
      reason: 'invalid',
    });
    const garbled = createTcpServer((socket) =>
      socket
        .on('error', () => undefined)
        .resume()
        .end('SSH-2.0-x\r\n'),
    ).listen(0, '127.0.0.1');
    await new Promise((resolve) => garbled.once('listening', resolve));
    ends.push(() => new Promise((resolve) => garbled.close(resolve)));
    const text = open.fetch(`http://127.0.0.1:${(garbled.address() as AddressInfo).port}/`, { owner });
    await expect(text).rejects.toMatchObject({ reason: 'network' });
  });
});
