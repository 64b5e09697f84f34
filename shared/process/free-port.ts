import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports below those that systems give to outgoing connections, one of which might take the port before its server starts, and
 * above 10080, the highest that `fetch` refuses.
 */
const [lowest, count] = [10_100, 16_900];
/** Tries before it gives up: if all of them hit a taken port, something else is wrong. */
const maxTries = 1000;

/**
 * A free loopback port, for a server that may listen on any. No other caller on this machine gets it while this process lives: it
 * holds the port of the same number for UDP.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < maxTries; tries++) {
    const port = lowest + Math.floor(Math.random() * count);
    if ((await reservePort(port)) && (await isPortFree(port))) return port;
  }
  throw new Error(`no port from ${lowest} to ${lowest + count} can be used`);
}

/** False where another caller has it. */
async function reservePort(port: number): Promise<boolean> {
  const held = createSocket('udp4').unref();
  try {
    held.bind({ port, address: '127.0.0.1', exclusive: true });
    await once(held, 'listening');
    return true;
  } catch {
    held.close();
    return false;
  }
}

async function isPortFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
    probe.close();
    await once(probe, 'close');
    return true;
  } catch {
    return false;
  }
}
