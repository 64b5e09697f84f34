import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file of a backup. Its path is relative to the folder of the backup, and to `DATA_DIR` too, with slashes. */
export interface BackedUpFile {
  path: string;
  sha256: string;
}

/** A file to be copied. */
export interface Copy {
  /** Where it goes, below the target folder. */
  path: string;
  /** Where it is. */
  from: string;
  /** It may be gone meanwhile, and is then left out. */
  mayVanish?: boolean;
}

export interface Copying {
  copies: Iterable<Copy>;
  to: string;
  signal: AbortSignal;
  /** Called with each copied file and its size; what it throws ends the copying. */
  onCopied: (file: BackedUpFile, bytes: number) => void;
}

/** Files at once: small ones wait for the disk, not for the processor. */
const lanes = 8;
const pieceBytes = 1024 ** 2;

/** Copies files into the folder `to`, where none of them may exist. They are not synced yet. */
export async function copyFiles({ copies, to, signal, onCopied }: Copying): Promise<void> {
  const made = new Set<string>();
  await runInLanes(copies, async ({ path, from, mayVanish = false }, piece) => {
    signal.throwIfAborted();
    const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW).catch(undefinedIfGone(mayVanish));
    if (!source) return;
    const target = join(to, path);
    if (!made.has(dirname(target))) await mkdir(dirname(target), { recursive: true });
    made.add(dirname(target));
    const { sha256, bytes } = await copyFile(source, target, piece);
    onCopied({ path, sha256 }, bytes);
  });
}

/** Works on items, a few at once, each lane with a buffer of its own. Throws the first failure when all lanes have ended. */
async function runInLanes<T>(items: Iterable<T>, work: (item: T, piece: Buffer) => Promise<void>): Promise<void> {
  const waiting = items[Symbol.iterator]();
  let failed = false;
  const workOffWaiting = async () => {
    const piece = Buffer.allocUnsafe(pieceBytes);
    for (let next = waiting.next(); !next.done && !failed; next = waiting.next())
      await work(next.value, piece).catch((error) => {
        failed = true;
        throw error;
      });
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, workOffWaiting));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}

const undefinedIfGone = (mayVanish: boolean) => (error: NodeJS.ErrnoException) => {
  if (mayVanish && error.code === 'ENOENT') return undefined;
  throw error;
};

async function copyFile(source: FileHandle, target: string, piece: Buffer) {
  const hash = createHash('sha256');
  let bytes = 0;
  let file: FileHandle | undefined;
  try {
    file = await open(target, 'wx', 0o600);
    for (;;) {
      const { bytesRead } = await source.read(piece, 0, piece.length);
      if (bytesRead === 0) break;
      const read = piece.subarray(0, bytesRead);
      hash.update(read);
      await file.writeFile(read);
      bytes += bytesRead;
    }
    // By size and time, tools such as rsync know a file that they have.
    const { mtime } = await source.stat();
    await file.utimes(mtime, mtime);
    return { sha256: hash.digest('hex'), bytes };
  } finally {
    await source.close();
    await file?.close();
  }
}

/** The SHA-256 and the size of a file. */
export async function hashFile(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await open(path);
  for await (const piece of file.createReadStream({ highWaterMark: pieceBytes })) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** Brings files below `folder`, and the folders that hold them, to the disk. One pass at the end: most of it is written by then. */
export async function syncFiles(folder: string, paths: Iterable<string>): Promise<void> {
  const folders = new Set<string>([folder]);
  await runInLanes(paths, async (path) => {
    await syncPath(join(folder, path));
    for (let at = dirname(path); at !== '.'; at = dirname(at)) folders.add(join(folder, at));
  });
  await runInLanes(folders, syncPath);
}

/** Brings one file or folder to the disk. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
