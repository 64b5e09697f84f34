import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { MongoClient } from 'mongodb';
import { freePort } from '../../shared/process/free-port.ts';
import { eventually } from '../../shared/testing/eventually.ts';
import type { Asked } from '../../shared/testing/short-turns.ts';
import { startClickHouse } from './clickhouse.ts';

/** A process that serves, as far as several of them become one. */
interface Served {
  process: { pid?: number | undefined };
  output(): string;
  said(pattern: RegExp): Promise<string>;
  stop(): Promise<number | null>;
  get(path: string): Promise<{ status: number }>;
}

interface Starting {
  env?: Record<string, string>;
  port?: number;
}

const behindGateway = ['identity', 'content', 'comments', 'sites', 'insights', 'integrations'];

/** Starts each service as a process of its own, on servers and a database of their own. The process of the gateway stands for all. */
export async function startApart<O extends Starting, S extends Served>(
  options: O,
  startProcess: (options: O) => Promise<S>,
): Promise<S> {
  const documents = new URL(String(process.env.MONGODB_URL));
  documents.pathname = `/bindery-test-${randomBytes(6).toString('hex')}`;
  const port = options.port ?? (await freePort());
  const [nats, clickhouse] = await Promise.all([startNats(), startClickHouse()]);
  const address = `http://127.0.0.1:${port}`;
  const env = {
    NATS_URL: nats.url,
    MONGODB_URL: documents.href,
    CLICKHOUSE_URL: clickhouse.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    BASE_URL: address,
    INTEGRATIONS_API_URL: address,
    ...options.env,
  };
  const start = (SERVICES: string, own: Record<string, string> = {}, more: Starting = {}) =>
    startProcess({ ...options, ...more, env: { ...env, ...own, SERVICES } });
  const behind = async (service: string): Promise<[S, Asked]> => {
    const health = await freePort();
    const served = await start(service, { METRICS_PORT: String(health) });
    return [served, { pid: Number(served.process.pid), ask: () => askHealth(health) }];
  };
  const [gateway, services] = await Promise.all([
    start('gateway', {}, { port }),
    Promise.all(behindGateway.map(behind)),
  ]);
  await eventually('a gateway that is ready', async () => (await gateway.get('/readyz')).status === 200);
  const all = [gateway, ...services.map(([served]) => served)].map(({ output, said, stop }) => ({
    output,
    said,
    stop,
  }));
  return Object.assign(gateway, {
    behind: services.map(([, asked]) => asked),
    output: () => all.map(({ output }) => output()).join('\n'),
    said: (pattern: RegExp) => Promise.any(all.map(({ said }) => said(pattern))),
    async stop() {
      const codes: (number | null)[] = [];
      for (const { stop } of all) codes.push(await stop());
      await Promise.all([nats.close(), clickhouse.close()]);
      const client = await new MongoClient(documents.href).connect();
      await client.db().dropDatabase();
      await client.close();
      return codes.find((code) => code !== 0) ?? 0;
    },
  });
}

async function askHealth(port: number): Promise<void> {
  // One kept for the next question is closed when another process takes long to answer.
  const { status } = await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: 'close' } });
  if (status !== 200) throw new Error(`a process behind the gateway answered ${status}`);
}

/** Processes on one NATS server are one installation, so each start has its own. */
async function startNats(): Promise<{ url: string; close(): Promise<unknown> }> {
  const port = await freePort();
  const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stderr });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => line.includes('Server is ready') && resolve());
    exited.then(() => reject(new Error('nats-server ended before it was ready')), reject);
  });
  return {
    url: `nats://127.0.0.1:${port}`,
    close: () => {
      child.kill();
      return exited;
    },
  };
}
