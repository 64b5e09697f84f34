import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../../../shared/testing/eventually.js';

/** A server that scripts ask for permission to go on. The runtime must allow 127.0.0.1. */
export async function openHold() {
  const held: ServerResponse[] = [];
  const server = createServer((_, response) => void held.push(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    /** Waits for the permission, in a script. */
    wait: `await fetch('http://127.0.0.1:${(server.address() as AddressInfo).port}');`,
    /** Waits until so many scripts wait. */
    holds: (count: number) => eventually(`${count} scripts that wait`, () => held.length === count),
    /** Lets those that have waited longest go on. */
    release(count = held.length) {
      for (const response of held.splice(0, count)) response.end();
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
