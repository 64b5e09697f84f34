import { type StartedServer, startServer, testToken } from './server.ts';

/** One server for all end-to-end tests; each test makes its own organization. */
export default async function globalSetup(): Promise<void> {
  const server = await startServer({ env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' } });
  process.env.BINDERY_TEST_URL = server.url;
  process.env.BINDERY_TEST_TOKEN = testToken;
  process.env.BINDERY_TEST_DATA = server.dataDir;
  (globalThis as { binderyServer?: StartedServer }).binderyServer = server;
}
