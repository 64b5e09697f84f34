import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { scaleMs } from '../settings/time-scale.js';
import { eventually } from '../testing/eventually.js';
import { stillClock } from '../testing/still-clock.js';
import { Deliveries } from './deliveries.js';

stillClock();

const megabyte = 1024 * 1024;
const content = Buffer.alloc(40 * megabyte, 'x');
const other = Buffer.alloc(40 * megabyte, 'y');

let server: Server;
let respond: (response: ServerResponse) => void;
beforeAll(async () => {
  server = createServer((_, response) => respond(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const sending = (deliveries: Deliveries, bytes: Buffer) => (response: ServerResponse) => {
  response.setHeader('Content-Length', bytes.length);
  deliveries.makeRoom(bytes);
  deliveries.sendContent(response, bytes);
};

/** A client that asks and reads nothing until it is told to. */
async function asking(): Promise<Socket> {
  const { port } = server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  await once(socket, 'connect');
  const asked = once(server, 'request');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await asked;
  return socket;
}

/** Reads all; so many milliseconds pass after each chunk. */
async function read(socket: Socket, passingMs = 0): Promise<number> {
  let size = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size >= content.length) break;
    jest.advanceTimersByTime(passingMs);
  }
  return size;
}

it('a reader that takes all gets all, however large', async () => {
  respond = sending(new Deliveries(), content);
  expect(await read(await asking())).toBeGreaterThanOrEqual(content.length);
});

it('a reader that takes nothing is cut off', async () => {
  respond = sending(new Deliveries({ maxBytes: 100 * megabyte, windowMs: 300, minBytes: 1000 }), content);
  let isClosed = false;
  server.once('request', (_, response: ServerResponse) => response.once('close', () => (isClosed = true)));
  await asking();
  await eventually('the cut, when no more goes into its buffers', () => {
    jest.advanceTimersByTime(300);
    return isClosed;
  });
});

it('a reader that takes a little of it is cut off too', async () => {
  respond = sending(new Deliveries({ maxBytes: 100 * megabyte, windowMs: 500, minBytes: 20 * megabyte }), content);
  await expect(asking().then((socket) => read(socket, 50))).resolves.toBeLessThan(content.length);
});

it('the slowest readers make room for others; readers of the same content need no room', async () => {
  const deliveries = new Deliveries({ maxBytes: 50 * megabyte, windowMs: 3_600_000, minBytes: 1 });
  const cut: number[] = [];
  const responses: ServerResponse[] = [];
  respond = (response) => {
    const at = responses.push(response) - 1;
    response.once('close', () => cut.push(at));
    sending(deliveries, content)(response);
  };
  const slow = [await asking(), await asking(), await asking()];
  expect(() => deliveries.makeRoom(content)).not.toThrow();
  expect(() => deliveries.makeRoom(other)).toThrow(expect.objectContaining({ code: 503 }));
  jest.advanceTimersByTime(scaleMs(1000) + 1);
  const ended = Promise.all(responses.map((response) => once(response, 'close')));
  deliveries.makeRoom(other);
  await ended;
  expect(cut.sort()).toEqual([0, 1, 2]);
  for (const socket of slow) socket.destroy();
});
