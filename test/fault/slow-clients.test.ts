import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { importInto, openRepositories } from '../support/repository.js';
import { type StartedServer, startServer } from '../support/server.js';

const readers = 40;
const perAddress = 100;
/** Characters of the descriptions of all pages together. */
const treeSize = 12_000_000;
const pages = 600;

let server: StartedServer;
let tree: string;
beforeAll(async () => {
  server = await startServer({
    env: {
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      CONNECTIONS_PER_ADDRESS: String(perAddress),
      // Checking would read the shared answer again for each reader.
      CHECK_RESPONSES: 'false',
    },
  });
  const repositories = await openRepositories();
  const space = await newSpace(server, await newOrganization(server));
  const description = 'x'.repeat(treeSize / pages);
  const files = Array.from({ length: pages }, (_, at) => [
    `page-${at}.md`,
    `---\ndescription: ${description}\n---\n\n# Page ${at}\n`,
  ]);
  await repositories.commit('long', { 'README.md': '# Long\n', ...Object.fromEntries(files) });
  await importInto(server, space, { url: `${repositories.url}/long.git` });
  await repositories.close();
  tree = `/v1/spaces/${space}/content/pages`;
});
afterAll(() => server.stop());

const memory = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))?.[1]) * 1024;

async function opened(): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** The status of the last answer on a connection, 0 without one, once the server has ended it. */
async function lastStatus(socket: Socket): Promise<number> {
  let text = '';
  socket.on('data', (chunk) => {
    text = (text + chunk).slice(-2000);
  });
  await once(socket, 'close');
  return Number(/.*HTTP\/1\.1 (\d+)/s.exec(text)?.[1] ?? 0);
}

const head = (method: string, path: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/json\r\n`;

/** Sends a piece each second until the connection ends. */
function trickle(socket: Socket, start: string, piece: string): Promise<number> {
  socket.write(start);
  const sending = setInterval(() => socket.write(piece), 1000);
  return lastStatus(socket).finally(() => clearInterval(sending));
}

it('readers that read nothing share one answer, hold up nobody, and are cut off', async () => {
  expect((await server.get(tree)).body.pages).toHaveLength(pages + 1);
  const before = memory();
  const slow = await Promise.all(Array.from({ length: readers }, opened));
  const ended = slow.map((socket) => once(socket, 'close'));
  for (const socket of slow) {
    socket.pause();
    socket.write(`${head('GET', tree)}\r\n`);
  }
  await pause(3000);
  expect((await server.get('/healthz')).status).toBe(200);
  // Without sharing, each would hold the whole answer.
  expect(memory() - before).toBeLessThan((readers / 8) * treeSize);
  expect((await server.get(tree)).body.pages).toHaveLength(pages + 1);
  await pause(40_000);
  for (const socket of slow) socket.resume();
  await Promise.all(ended);
  expect(slow.every((socket) => socket.bytesRead < treeSize)).toBe(true);
}, 90_000);

it('requests that never end are answered with 408, and their connections ended', async () => {
  const began = performance.now();
  const slow = await Promise.all([
    opened().then((socket) =>
      trickle(socket, `${head('POST', '/v1/orgs')}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'),
    ),
    opened().then((socket) => trickle(socket, `${head('POST', '/v1/orgs')}Content-Length: 1000\r\n\r\n`, ' ')),
    opened().then((socket) =>
      trickle(socket, 'POST /v1/orgs HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\n \r\n'),
    ),
    opened().then((socket) => trickle(socket, head('GET', '/v1/user'), 'X-More: 1\r\n')),
    opened().then(lastStatus),
  ]);
  expect(slow).toEqual([408, 408, 408, 408, 408]);
  expect(performance.now() - began).toBeLessThan(60_000);
  expect(server.output()).not.toContain('"status":5');
}, 90_000);

it('an address with too many connections is refused more, and served again when it has fewer', async () => {
  const many = await Promise.all(Array.from({ length: perAddress + 10 }, opened));
  const refused = await Promise.all(many.slice(perAddress).map(lastStatus));
  expect(refused).toEqual(Array(10).fill(429));
  for (const socket of many) socket.destroy();
  for (;;) {
    const status = await server.get('/healthz').then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) break;
    await pause(50);
  }
}, 30_000);
