import type { StartedServer } from './server.ts';

export default async function globalTeardown(): Promise<void> {
  const code = await (globalThis as { binderyServer?: StartedServer }).binderyServer?.stop();
  if (code !== 0) throw new Error(`the server of the tests ended with ${code}`);
}
