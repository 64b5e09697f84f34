import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

const beatMs = 60_000;
/** Longer than any pause of a living process. */
const deadAfterMs = 10 * beatMs;

export interface CacheDir {
  path: string;
  close(): Promise<void>;
}

const host = encodeURIComponent(hostname());

/**
 * Opens a cache folder for this process alone, where several processes share `dataDir`. Its name holds its owner, and it is touched
 * every minute. Folders of dead processes are removed first.
 */
export async function openCacheDir(dataDir: string): Promise<CacheDir> {
  const all = join(dataDir, 'caches');
  await mkdir(all, { recursive: true, mode: 0o700 });
  await removeDead(all);
  const path = join(all, `${host}~${process.pid}~${randomBytes(4).toString('hex')}`);
  own.add(path);
  await mkdir(path, { mode: 0o700 });
  const beat = setInterval(() => void touchFolder(path), beatMs).unref();
  return {
    path,
    async close() {
      clearInterval(beat);
      own.delete(path);
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

const own = new Set<string>();

const touchFolder = (path: string) => utimes(path, new Date(), new Date()).catch(() => undefined);

async function removeDead(all: string): Promise<void> {
  for (const name of await readdir(all)) {
    const path = join(all, name);
    if (!own.has(path) && (await isDead(path, name))) await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function isDead(path: string, name: string): Promise<boolean> {
  const [owner, pid] = name.split('~');
  if (owner === host && !isAlive(Number(pid))) return true;
  const touched = await stat(path).catch(() => undefined);
  return touched !== undefined && touched.mtimeMs < Date.now() - deadAfterMs;
}

/** A process with our own id lived before this one, as in a container that was restarted. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
