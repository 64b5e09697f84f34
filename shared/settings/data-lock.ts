import { join } from 'node:path';

/**
 * Locks `dataDir`, which must exist, for this process; returns a function that frees it. Throws when another process holds it.
 * It is SQLite's lock on an empty file, so the system frees it with the process, however that ends.
 */
export async function lockDataDir(dataDir: string): Promise<() => void> {
  const { default: Database } = await import('libsql');
  const lock = new Database(join(dataDir, 'lock'));
  try {
    lock.exec('PRAGMA busy_timeout=0; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    throw new Error(`DATA_DIR: another Bindery runs on ${dataDir}; stop it, or choose another folder`);
  }
  return () => lock.close();
}
