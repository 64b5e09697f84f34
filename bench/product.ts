import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Running, start } from './processes.js';

/** Calls the API as the first user; throws for an answer that is no success. */
export type Call = <A = unknown>(method: string, path: string, body?: unknown) => Promise<A>;

/** A product that runs on data of its own. */
export interface Product {
  call: Call;
  /** A folder for the measurement, which also holds the data. */
  folder: string;
  url: string;
  pid: number;
  /** Resident memory, MiB. */
  memory(): number;
}

/** The token of the first user of each product that is measured. */
export const token = 'bench_token_of_the_first_user_0123456789';

/** Calls a product that was started with the token. */
export function caller({ url }: Pick<Running, 'url'>): Call {
  return async (method, path, body) => {
    const answer = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

/** Starts the built product for a measurement, and removes what it stored afterwards. */
export async function withProduct(work: (product: Product) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-bench-'));
  const running = await start('services/main.js', {
    BOOTSTRAP_TOKEN: token,
    RATE_LIMIT_PER_MINUTE: '0',
    DATA_DIR: join(folder, 'data'),
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    METRICS_PUBLIC: 'true',
  });
  try {
    const { url, process } = running;
    await work({ call: caller(running), folder, url, pid: Number(process.pid), memory: () => running.memory() });
  } finally {
    await running.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
