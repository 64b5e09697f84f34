import { once } from 'node:events';
import { get, type Server } from 'node:http';
import { connect } from 'node:net';
import { stillClock } from '../testing/still-clock.js';
import { FairServer } from './fair-server.js';

// Time passes by work alone, so that one piece of it is a turn.
stillClock();

const workMs = 10;
const clients = 40;

let server: Server;
let port: number;
let handled: string[] = [];
let waiting: (() => void) | undefined;
beforeAll(async () => {
  ({ server } = new FairServer({
    handle(request, response) {
      const { url = '' } = request;
      handled.push(url);
      if (url.startsWith('/work')) jest.advanceTimersByTime(workMs);
      if (url === '/waits') waiting = () => response.end('waited');
      else response.end(url);
    },
    laneOf: ({ headers }) => ({ owner: 'an address', client: headers.authorization }),
    isUrgent: ({ url }) => url === '/healthz',
    perAddress: 1000,
    proxies: [],
  }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as { port: number });
});
beforeEach(() => {
  handled = [];
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

async function ask(path: string, authorization = ''): Promise<string> {
  const [answer] = await once(
    get({ host: '127.0.0.1', port, path, agent: false, headers: { authorization } }),
    'response',
  );
  let text = '';
  for await (const chunk of answer) text += chunk;
  return text;
}

it('answers all, and new clients before the work that waits', async () => {
  const busy = Array.from({ length: clients }, (_, at) => ask(`/work${at}`));
  const others = await Promise.all(['/healthz', '/healthz', '/healthz'].map((path) => ask(path)));
  expect(others).toEqual(['/healthz', '/healthz', '/healthz']);
  const answers = await Promise.all(busy);
  expect(answers).toEqual(Array.from({ length: clients }, (_, at) => `/work${at}`));
  expect(handled.lastIndexOf('/healthz')).toBeLessThan(clients / 2);
});

it('lets clients in by turns, however many requests of one wait', async () => {
  const busy = Array.from({ length: clients }, (_, at) => ask(`/work${at}`, 'Bearer busy'));
  while (handled.length === 0) await new Promise(setImmediate);
  const other = ask('/work-of-another', 'Bearer other');
  await Promise.all([...busy, other]);
  expect(handled.indexOf('/work-of-another')).toBeLessThan(clients / 2);
});

const requestsFor = (paths: string[]) => paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');

it('takes the requests of one connection one after the other', async () => {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write(requestsFor(['/waits', '/second', '/third']));
  while (!waiting) await new Promise(setImmediate);
  await ask('/other');
  expect(handled).toEqual(['/waits', '/other']);
  waiting();
  while (!text.includes('/third')) await once(socket, 'data');
  expect(handled).toEqual(['/waits', '/other', '/second', '/third']);
  socket.destroy();
});

it('ends a connection that sends too many requests ahead', async () => {
  waiting = undefined;
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(requestsFor(['/waits', ...Array(100).fill('/ahead')]));
  await once(socket, 'close');
  expect(handled).not.toContain('/ahead');
  expect(await ask('/other')).toBe('/other');
});
