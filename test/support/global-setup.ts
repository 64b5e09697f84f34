import { randomBytes } from 'node:crypto';
import { type StartedServer, startServer, testToken } from './server.ts';

/** A database of its own on MongoDB where TEST_MONGODB_URL names a server; SQLite by default. */
function documents(): Record<string, string> {
  const { TEST_MONGODB_URL } = process.env;
  if (!TEST_MONGODB_URL) return {};
  const url = new URL(TEST_MONGODB_URL);
  url.pathname = `/bindery-test-${randomBytes(6).toString('hex')}`;
  return { MONGODB_URL: url.href, SECRET_KEY: randomBytes(32).toString('base64') };
}

/** One server for all end-to-end tests; each test makes its own organization. */
export default async function globalSetup(): Promise<void> {
  const store = documents();
  const server = await startServer({ env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', ...store } });
  process.env.BINDERY_TEST_STORE = JSON.stringify({ DATA_DIR: server.dataDir, ...store });
  process.env.BINDERY_TEST_URL = server.url;
  process.env.BINDERY_TEST_TOKEN = testToken;
  (globalThis as { binderyServer?: StartedServer }).binderyServer = server;
}
