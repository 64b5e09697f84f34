import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type ConnectionOptions, connect } from 'nats';
import { createLog } from '../monitoring/log.js';
import { eventually } from '../testing/eventually.js';
import { stillClock } from '../testing/still-clock.js';
import { NatsTransporter } from './connection.js';

stillClock();

const info = `INFO {"server_id":"a","version":"2.10.0","proto":1,"max_payload":1048576,"headers":true}\r\n`;

/** Speaks as much of the protocol as a client needs to connect. */
function greet(socket: Socket): void {
  socket
    .on('error', () => undefined)
    .on('data', (sent) => {
      if (sent.includes('PING')) socket.write('PONG\r\n');
    });
  socket.write(info);
}

it('is tried again soon where a server breaks off in the middle of its greeting', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    if (sockets.length === 2) socket.once('data', () => socket.destroy()).write(info);
    else greet(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `nats://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const transporter = new NatsTransporter({
    url,
    log: createLog('silent'),
    changed: () => undefined,
    greetingMs: 1000,
  });
  const client = await connect((transporter as unknown as { opts: ConnectionOptions }).opts);
  try {
    sockets[0]?.destroy();
    let passed = 0;
    const connections = () => {
      jest.advanceTimersByTime(200);
      passed += 200;
      return sockets.length;
    };
    await eventually('the second connection', connections, (made) => made === 2);
    passed = 0;
    await eventually('the third connection', connections, (made) => made === 3);
    // The client itself would wait for 20 seconds.
    expect(passed).toBeLessThan(15_000);
  } finally {
    await client.close();
    server.close();
  }
});
