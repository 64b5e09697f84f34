import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createOutbound } from '../../../../shared/outbound/client.js';
import { HeldBytes } from '../../../../shared/work/held-bytes.js';
import { eventOf, failureOf } from '../../runtime/testing/scripts.js';
import { askDeveloper } from './dispatch.js';

it('counts what the machine of a developer answers while it is unpacked', async () => {
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(600_000))),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const outbound = createOutbound({ allowCidrs: ['127.0.0.1/32'] });
  const bodies = new HeldBytes({ ofOwner: 1_000_000, ofAll: 10_000_000 });
  const tunnelUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = () => askDeveloper({ outbound, bodies }, { ...eventOf(), tunnelUrl, organization: 'acme' });
  const others = bodies.hold('acme');
  others.add(500_000);
  expect((await failureOf(ask())).message).toContain('too many large answers');
  others.release();
  expect((await ask()).body).toHaveLength(600_000);
  expect(bodies.bytesOf('acme')).toBe(0);
  await outbound.close();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});
