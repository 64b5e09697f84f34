import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../shared/free-port.ts';
import { NameServer } from './name-server.ts';
import { type StartedServer, startServer, testToken } from './server.ts';

/** A database of its own on MongoDB where TEST_MONGODB_URL names a server; SQLite by default. */
function documents(): Record<string, string> {
  const { TEST_MONGODB_URL } = process.env;
  if (!TEST_MONGODB_URL) return {};
  const url = new URL(TEST_MONGODB_URL);
  url.pathname = `/bindery-test-${randomBytes(6).toString('hex')}`;
  return { MONGODB_URL: url.href, SECRET_KEY: randomBytes(32).toString('base64') };
}

interface Separate {
  natsUrl: string;
  clickhouseUrl: string;
}

/** One process a service on the bus of TEST_NATS_URL; the gateway is the last. Only insights uses ClickHouse. */
async function startSeparately(
  { natsUrl, clickhouseUrl }: Separate,
  env: Record<string, string>,
): Promise<StartedServer[]> {
  const port = await freePort();
  const common = { ...env, NATS_URL: natsUrl, BASE_URL: `http://127.0.0.1:${port}` };
  const servers: StartedServer[] = [];
  process.once('exit', () => {
    for (const { process: each } of servers) each.kill('SIGKILL');
  });
  for (const SERVICES of ['identity', 'content', 'comments', 'sites', 'insights', 'gateway'])
    servers.push(
      await startServer({
        port,
        env: { ...common, SERVICES, ...(SERVICES === 'insights' ? { CLICKHOUSE_URL: clickhouseUrl } : {}) },
      }),
    );
  const gateway = servers.at(-1) as StartedServer;
  while ((await gateway.get('/readyz', { token: null })).status !== 200) await delay(100);
  await live(servers, Number(process.env.TEST_LIVE_SECONDS ?? 0));
  return servers;
}

/** Idle processes outlive every timeout, and have nothing to complain of. */
async function live(servers: StartedServer[], seconds: number): Promise<void> {
  const end = Date.now() + seconds * 1000;
  const isRunning = ({ process: { exitCode, signalCode } }: StartedServer) => exitCode === null && signalCode === null;
  while (Date.now() < end && servers.every(isRunning)) await delay(500);
  for (const server of servers)
    if (!isRunning(server) || /"level":"(warn|error|fatal)"/.test(server.output()))
      throw new Error(`a process ${isRunning(server) ? 'complains' : 'ended'} while idle:\n${server.output()}`);
}

/** What the end of the tests stops. */
export interface Started {
  binderyServers?: StartedServer[];
  binderyNames?: NameServer;
}

/** The servers of all end-to-end tests; each test makes its own organization. */
export default async function globalSetup(): Promise<void> {
  const { TEST_NATS_URL: natsUrl, TEST_CLICKHOUSE_URL: clickhouseUrl } = process.env;
  if (natsUrl && !clickhouseUrl) throw new Error('TEST_NATS_URL needs TEST_CLICKHOUSE_URL, for insights');
  const names = new NameServer();
  process.env.BINDERY_TEST_DNS = await names.open();
  process.env.BINDERY_TEST_DNS_CONTROL = await names.openControl();
  const store = documents();
  const env = { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', ...store };
  const servers =
    natsUrl && clickhouseUrl
      ? await startSeparately({ natsUrl, clickhouseUrl }, env)
      : [await startServer({ env: { ...env, ...(clickhouseUrl ? { CLICKHOUSE_URL: clickhouseUrl } : {}) } })];
  const asked = servers.at(-1) as StartedServer;
  process.env.BINDERY_TEST_STORE = JSON.stringify({ DATA_DIR: asked.dataDir, ...store });
  process.env.BINDERY_TEST_URL = asked.url;
  process.env.BINDERY_TEST_TOKEN = testToken;
  Object.assign(globalThis as Started, { binderyServers: servers, binderyNames: names });
}
