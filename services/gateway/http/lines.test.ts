import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { Deliveries } from '../../../shared/http/deliveries.js';
import { eventsType, linesType, sendPieces } from './lines.js';

it.each([linesType, eventsType] as const)('%s end where their reader leaves while a piece is made', async (type) => {
  const left: ((piece: { lines: string; after: string }) => void)[] = [];
  let asked = 0;
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const reading = get({ port, host: '127.0.0.1' }).on('error', () => undefined);
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const sent = sendPieces(
    {
      request,
      response,
      requestId: 'r1',
      headers: {},
      path: '/',
      operation: 'unknown',
      deliveries: new Deliveries(),
      isLast: () => false,
    },
    {
      type,
      first: { lines: 'first\n', after: '1' },
      pieceAfter: () => {
        asked++;
        return new Promise((resolve) => left.push(resolve));
      },
    },
  );
  const [answer] = (await once(reading, 'response')) as [IncomingMessage];
  await once(answer, 'data');
  const closed = once(response, 'close');
  reading.destroy();
  await closed;
  for (const resolve of left) resolve({ lines: 'second\n', after: '2' });
  await sent;
  expect(asked).toBe(1);
  server.close();
});
