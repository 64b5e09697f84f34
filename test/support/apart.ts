import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { freePort } from '../../shared/free-port.ts';
import { eventually } from '../../shared/testing/eventually.ts';
import { startClickHouse } from './clickhouse.ts';

/** A process that serves, as far as several of them become one. */
interface Served {
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

/** Starts each service as a process of its own, on a database of their own. The process of the gateway stands for all. */
export async function startApart<O extends Starting, S extends Served>(
  options: O,
  startProcess: (options: O) => Promise<S>,
): Promise<S> {
  const { MONGODB_URL = '', NATS_URL = '' } = process.env;
  const documents = new URL(MONGODB_URL);
  documents.pathname = `/bindery-test-${randomBytes(6).toString('hex')}`;
  const [port, clickhouse] = [options.port ?? (await freePort()), await startClickHouse()];
  const address = `http://127.0.0.1:${port}`;
  const env = {
    NATS_URL,
    MONGODB_URL: documents.href,
    CLICKHOUSE_URL: clickhouse.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    BASE_URL: address,
    INTEGRATIONS_API_URL: address,
    ...options.env,
  };
  const start = (SERVICES: string, own: Starting = {}) =>
    startProcess({ ...options, ...own, env: { ...env, SERVICES } });
  const [gateway, services] = await Promise.all([
    start('gateway', { port }),
    Promise.all(behindGateway.map((service) => start(service))),
  ]);
  await eventually('a gateway that is ready', async () => (await gateway.get('/readyz')).status === 200);
  const all = [gateway, ...services].map(({ output, said, stop }) => ({ output, said, stop }));
  return Object.assign(gateway, {
    output: () => all.map(({ output }) => output()).join('\n'),
    said: (pattern: RegExp) => Promise.any(all.map(({ said }) => said(pattern))),
    async stop() {
      const codes: (number | null)[] = [];
      for (const { stop } of all) codes.push(await stop());
      await clickhouse.close();
      const client = await new MongoClient(documents.href).connect();
      await client.db().dropDatabase();
      await client.close();
      return codes.find((code) => code !== 0) ?? 0;
    },
  });
}
