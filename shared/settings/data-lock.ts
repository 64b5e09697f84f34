import { join } from 'node:path';

/**
 * Locks a file, created if missing, for this process; returns a function that frees it, or undefined where another process holds it.
 * It is SQLite's lock on an empty file, so the system frees it with the process, however that ends.
 */
async function lockFile(path: string): Promise<(() => void) | undefined> {
  const { default: Database } = await import('libsql');
  const lock = new Database(path);
  try {
    lock.exec('PRAGMA busy_timeout=0; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    return undefined;
  }
  return () => lock.close();
}

/** Locks `dataDir`, which must exist, as a server does; undefined while one runs on it. */
export const tryLockDataDir = (dataDir: string) => lockFile(join(dataDir, 'lock'));

/** As `tryLockDataDir`, but throws while a server runs on `dataDir`. */
export async function lockDataDir(dataDir: string): Promise<() => void> {
  const free = await tryLockDataDir(dataDir);
  if (!free) throw new Error(`DATA_DIR: another Bindery runs on ${dataDir}; stop it, or choose another folder`);
  return free;
}

/** Makes this process the only one that backs up `dataDir`, beside a server; throws while another one does. */
export async function lockBackup(dataDir: string): Promise<() => void> {
  const free = await lockFile(join(dataDir, 'backup.lock'));
  if (!free) throw new Error(`another backup of ${dataDir} is running; wait until it has ended`);
  return free;
}
