import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../shared/testing/eventually.js';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { importInto, openRepositories } from '../support/repository.js';
import { type StartedServer, startServer } from '../support/server.js';

const readers = 40;
const perAddress = 100;
/** Characters of the descriptions of all pages together. */
const treeSize = 12_000_000;
const pages = 600;

let dataDir: string;
let server: StartedServer;
let tree: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bindery-slow-clients-'));
  // Checking would read the shared answer again for each reader.
  const env = { CONNECTIONS_PER_ADDRESS: String(perAddress), CHECK_RESPONSES: 'false' };
  server = await startServer({ dataDir, env: { ...env, OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' } });
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
  await server.stop();
  // The end of slow connections is waited for.
  server = await startServer({ dataDir, env: { ...env, TIME_SCALE: '0.5' } });
});
afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const memory = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))?.[1]) * 1024;

/** The connections that the server has open. */
function connections(): number {
  const folder = `/proc/${server.process.pid}/fd`;
  const isSocket = (name: string) => {
    try {
      return readlinkSync(join(folder, name)).startsWith('socket:');
    } catch {
      // It was closed meanwhile.
      return false;
    }
  };
  return readdirSync(folder).filter(isSocket).length;
}

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
  await Promise.all(
    slow.map(async (socket) => {
      socket.write(`${head('GET', tree)}\r\n`);
      await once(socket, 'data');
      socket.pause();
    }),
  );
  expect((await server.get('/healthz')).status).toBe(200);
  // Without sharing, each would hold the whole answer.
  expect(memory() - before).toBeLessThan((readers / 8) * treeSize);
  expect((await server.get(tree)).body.pages).toHaveLength(pages + 1);
  const open = connections();
  await eventually('the end of their connections', () => connections() <= open - readers);
  for (const socket of slow) socket.resume();
  await Promise.all(ended);
  expect(slow.every((socket) => socket.bytesRead < treeSize)).toBe(true);
});

it('requests that never end are answered with 408, and their connections ended', async () => {
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
  expect(server.output()).not.toContain('"status":5');
});

it('an address with too many connections is refused more, and served again when it has fewer', async () => {
  const many = await Promise.all(Array.from({ length: perAddress + 10 }, opened));
  const refused = await Promise.all(many.slice(perAddress).map(lastStatus));
  expect(refused).toEqual(Array(10).fill(429));
  for (const socket of many) socket.destroy();
  const health = () =>
    server.get('/healthz').then(
      ({ status }) => status,
      () => 0,
    );
  await eventually('an answer', health, (status) => status === 200);
});
