import { MongoClient } from 'mongodb';
import type { Started } from './global-setup.ts';

export default async function globalTeardown(): Promise<void> {
  const { binderyServers: servers = [], binderyNames } = globalThis as Started;
  const codes: (number | null)[] = [];
  for (const server of servers.toReversed()) codes.push(await server.stop());
  binderyNames?.close();
  const { MONGODB_URL } = JSON.parse(String(process.env.BINDERY_TEST_STORE)) as { MONGODB_URL?: string };
  if (MONGODB_URL) await dropDatabase(MONGODB_URL);
  if (codes.some((code) => code !== 0)) throw new Error(`the servers of the tests ended with ${codes.join(', ')}`);
}

async function dropDatabase(url: string): Promise<void> {
  const client = await new MongoClient(url).connect();
  await client.db().dropDatabase();
  await client.close();
}
