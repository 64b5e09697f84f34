import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Holds `dataDir` for this process alone; throws when another one has it. The lock is SQLite's own on an empty file, so
 * the system frees it with the process, however that ends.
 */
export async function lockDataDir(dataDir: string): Promise<() => void> {
  const { default: Database } = await import('libsql');
  mkdirSync(dataDir, { recursive: true });
  const lock = new Database(join(dataDir, 'lock'));
  try {
    lock.exec('PRAGMA busy_timeout=0; BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    throw new Error(`Another Bindery runs on ${dataDir}: stop it, or choose another DATA_DIR`);
  }
  return () => lock.close();
}
