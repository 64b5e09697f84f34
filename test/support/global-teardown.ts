import { MongoClient } from 'mongodb';
import type { Started } from './global-setup.ts';

export default async function globalTeardown(): Promise<void> {
  const { binderyServer, binderyNames, binderyModel, endOperator } = globalThis as Started;
  await endOperator?.();
  if (!binderyServer) return;
  const code = await binderyServer.stop();
  binderyNames?.close();
  await binderyModel?.close();
  const { MONGODB_URL } = JSON.parse(String(process.env.BINDERY_TEST_STORE)) as { MONGODB_URL?: string };
  if (MONGODB_URL) await dropDatabase(MONGODB_URL);
  if (code !== 0) throw new Error(`the server of the tests ended with ${code}`);
}

async function dropDatabase(url: string): Promise<void> {
  const client = await new MongoClient(url).connect();
  await client.db().dropDatabase();
  await client.close();
}
