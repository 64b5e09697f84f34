import { randomBytes } from 'node:crypto';
import { type ModelServer, modelSettings, openModelServer } from '../../shared/model/testing/model-server.ts';
import { NameServer } from './name-server.ts';
import { openOperator } from './operator.ts';
import { type StartedServer, startServer, testToken } from './server.ts';

/** A database of its own on MongoDB where TEST_MONGODB_URL names a server; SQLite by default. */
function documents(): Record<string, string> {
  const { TEST_MONGODB_URL } = process.env;
  if (!TEST_MONGODB_URL) return {};
  const url = new URL(TEST_MONGODB_URL);
  url.pathname = `/bindery-test-${randomBytes(6).toString('hex')}`;
  return { MONGODB_URL: url.href, SECRET_KEY: randomBytes(32).toString('base64') };
}

/** What the end of the tests stops. */
export interface Started {
  binderyServer?: StartedServer;
  binderyNames?: NameServer;
  binderyModel?: ModelServer;
  endOperator?: () => Promise<unknown>;
}

/** The server of all end-to-end tests; each test makes its own organization. A cluster has been started by who names it. */
export default async function globalSetup(): Promise<void> {
  (globalThis as Started).endOperator = await openOperator();
  if (process.env.BINDERY_TEST_GATEWAYS) return;
  const { TEST_CLICKHOUSE_URL: clickhouseUrl } = process.env;
  const names = new NameServer();
  process.env.BINDERY_TEST_DNS = await names.open();
  process.env.BINDERY_TEST_DNS_CONTROL = await names.openControl();
  const store = documents();
  const analytics: Record<string, string> = clickhouseUrl ? { CLICKHOUSE_URL: clickhouseUrl } : {};
  const own = { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', PDF_BROWSER: process.env.BROWSER ?? '/usr/bin/chromium' };
  const model = await openModelServer();
  process.env.BINDERY_TEST_MODEL = model.url;
  const server = await startServer({ env: { ...own, ...modelSettings(model), ...store, ...analytics } });
  process.env.BINDERY_TEST_STORE = JSON.stringify(server.settings);
  process.env.BINDERY_TEST_URL = server.url;
  process.env.BINDERY_TEST_TOKEN = testToken;
  Object.assign(globalThis as Started, { binderyServer: server, binderyNames: names, binderyModel: model });
}
