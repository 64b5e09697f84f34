import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../shared/process/free-port.js';
import { packageFile } from '../../shared/process/package-root.js';
import { type Running, start } from '../processes.js';

export const firstToken = 'bench_token_of_the_first_user_0123456789';

/** The product under load: one process, or with MONGODB_URL, NATS_URL and CLICKHOUSE_URL a process for each service. */
export interface Product {
  url: string;
  /** By name. */
  processes: ReadonlyMap<string, Running>;
  /** Makes an API token of a user, as an operator does. */
  tokenOf(email: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startProduct(folder: string): Promise<Product> {
  const { MONGODB_URL, NATS_URL, CLICKHOUSE_URL = '' } = process.env;
  const distributed = MONGODB_URL && NATS_URL;
  const port = await freePort();
  const env = {
    BOOTSTRAP_TOKEN: firstToken,
    METRICS_PUBLIC: 'true',
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    DATA_DIR: join(folder, 'data'),
    BASE_URL: `http://127.0.0.1:${port}`,
    ...(distributed
      ? {
          MONGODB_URL: MONGODB_URL.replace(/\/[^/?]*(\?|$)/, `/bindery-soak-${randomBytes(4).toString('hex')}$1`),
          NATS_URL,
          CLICKHOUSE_URL,
          SECRET_KEY: randomBytes(32).toString('base64'),
        }
      : {}),
  };
  const processes = new Map<string, Running>();
  if (distributed)
    for (const service of ['identity', 'comments', 'sites', 'content', 'insights'])
      processes.set(service, await start('services/main.js', { ...env, SERVICES: service }));
  const gateway = await start('services/main.js', {
    ...env,
    ...(distributed ? { SERVICES: 'gateway' } : {}),
    PORT: String(port),
  });
  processes.set(distributed ? 'gateway' : 'bindery', gateway);
  const command = packageFile('dist/services/commands/token.js');
  return {
    url: gateway.url,
    processes,
    async tokenOf(email) {
      const { stdout } = await promisify(execFile)(process.execPath, [command, 'create', '--email', email], {
        env: { ...process.env, ...env },
      });
      return stdout.trim();
    },
    async stop() {
      for (const each of [...processes.values()].toReversed()) await each.stop();
    },
  };
}
