import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { GitPlace } from './command/run.js';

// Every fetch adds a pack. Beyond this number a fresh clone is cheaper than repacking the old one.
const MAX_PACKS = 50;

const queues = new Map<string, Promise<void>>();
const readers = new Map<string, number>();

/**
 * The place of a repository's clone. The address is always part of the key: a clone shared between two addresses
 * would let the owner of one server request objects of the other.
 */
export async function clonePlaceOf(cacheDir: string, href: string, cacheId = ''): Promise<GitPlace> {
  const key = createHash('sha256')
    .update(JSON.stringify([href, cacheId]))
    .digest('hex');
  return { gitDir: join(cacheDir, key), home: await homeOf(cacheDir) };
}

/** An empty folder beside the clones. */
export async function homeOf(cacheDir: string): Promise<string> {
  const home = join(cacheDir, 'home');
  await mkdir(home, { recursive: true });
  return home;
}

/** Runs `work` alone on the clone, one after the other in this process. A cache folder belongs to one process. */
export async function runWithLock<T>(place: GitPlace, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const before = queues.get(place.gitDir) ?? Promise.resolve();
  const run = before.then(() => {
    signal.throwIfAborted();
    return work();
  });
  const settled = run.then(
    () => undefined,
    () => undefined,
  );
  queues.set(place.gitDir, settled);
  void settled.then(() => {
    if (queues.get(place.gitDir) === settled) queues.delete(place.gitDir);
  });
  const waited = new Promise<never>((_, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    void before.then(() => signal.removeEventListener('abort', leave));
  });
  return Promise.race([run, waited]);
}

/** Keeps the clone while a tree reads from it, until the returned function is called. */
export function holdClone(place: GitPlace): () => void {
  readers.set(place.gitDir, (readers.get(place.gitDir) ?? 0) + 1);
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    const left = (readers.get(place.gitDir) ?? 1) - 1;
    if (left > 0) readers.set(place.gitDir, left);
    else readers.delete(place.gitDir);
  };
}

/** Removes what a killed git left behind; drops the clone when it has too many packs. Call it under the lock. */
export async function tidyClone(place: GitPlace): Promise<void> {
  const packs = join(place.gitDir, 'objects', 'pack');
  const names = await namesInFolder(packs);
  if (names.filter((name) => name.endsWith('.pack')).length > MAX_PACKS && !readers.has(place.gitDir)) {
    await discardClone(place.gitDir);
    return;
  }
  const stale = [
    ...names.filter((name) => name.startsWith('tmp_') || name.startsWith('.tmp')).map((name) => join(packs, name)),
    ...(await lockFilesIn(place.gitDir)),
    ...(await lockFilesIn(join(place.gitDir, 'refs', 'fetched'))),
  ];
  await Promise.all(stale.map((path) => rm(path, { force: true })));
}

/** Removes a clone. Trees that still read from it fail. */
export async function discardClone(gitDir: string): Promise<void> {
  const gone = `${gitDir}.gone-${randomBytes(6).toString('hex')}`;
  try {
    await rename(gitDir, gone);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await rm(gone, { recursive: true, force: true, maxRetries: 3 });
}

/** Marks the clone as used now; drops the least recently used clones while all together exceed `maxBytes`. */
export async function sweepClones(cacheDir: string, used: GitPlace, maxBytes: number): Promise<void> {
  const now = new Date();
  await utimes(used.gitDir, now, now).catch(() => undefined);
  const clones = await Promise.all(
    (await namesInFolder(cacheDir)).filter((name) => name !== 'home').map((name) => measureClone(cacheDir, name)),
  );
  clones.sort((a, b) => b.usedAt - a.usedAt);
  let total = 0;
  for (const { path, bytes } of clones) {
    total += bytes;
    const busy = path === used.gitDir || queues.has(path) || readers.has(path);
    const left = basename(path).includes('.gone-');
    if (left) await rm(path, { recursive: true, force: true }).catch(() => undefined);
    else if (total > maxBytes && !busy) await discardClone(path);
  }
}

async function measureClone(cacheDir: string, name: string): Promise<{ path: string; usedAt: number; bytes: number }> {
  const path = join(cacheDir, name);
  const packs = join(path, 'objects', 'pack');
  const sizes = await Promise.all((await namesInFolder(packs)).map((pack) => statOrZero(join(packs, pack))));
  const { mtimeMs } = await statOrZero(path);
  return { path, usedAt: mtimeMs, bytes: sizes.reduce((sum, { size }) => sum + size, 0) };
}

async function statOrZero(path: string): Promise<{ size: number; mtimeMs: number }> {
  return stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
}

async function lockFilesIn(dir: string): Promise<string[]> {
  return (await namesInFolder(dir)).filter((name) => name.endsWith('.lock')).map((name) => join(dir, name));
}

async function namesInFolder(dir: string): Promise<string[]> {
  return readdir(dir).catch(() => []);
}
