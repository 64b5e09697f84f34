import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { diskFull, isDiskFull } from '../disk/full.js';
import type { Room } from '../disk/room.js';
import { sha256InSlices } from '../values/ids.js';
import { clipRange, emptyContent, toPieces } from './content.js';
import type { Blobs } from './port.js';

const PIECE_BYTES = 1024 * 1024;
const UPLOAD_MS = 24 * 3600_000;

/** Opens blobs as files of one folder, for one process. They leave the reserve of the disk alone. */
export function openFolderBlobs(folder: string, room?: Room): Blobs {
  return new FolderBlobs(folder, room);
}

/**
 * `<ab>/<id>` is a blob, `expiring/<id>` holds the ISO time of its expiry if it has one, `uploads/` holds incomplete uploads. A
 * name appears only when its content is safely on disk.
 */
class FolderBlobs implements Blobs {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly room: Room | undefined,
  ) {}

  async put(content: Buffer | AsyncIterable<Uint8Array>, { expiresAt }: { expiresAt?: Date } = {}) {
    if (Buffer.isBuffer(content)) {
      const id = await sha256InSlices(content);
      if (await this.runInTurn(() => this.extendExpiry(id, expiresAt))) return { id, size: content.length };
    }
    const upload = await this.writeUpload(content);
    const { id, size } = upload;
    await this.runInTurn(async () => {
      if (await this.extendExpiry(id, expiresAt)) return rm(upload.path);
      await this.writeExpiry(id, expiresAt);
      await moveFile(upload.path, this.blobPath(id));
    });
    return { id, size };
  }

  async open(id: string, range?: { start: number; end: number }): Promise<Readable | null> {
    const file = await this.openFile(id);
    if (!file) return null;
    try {
      const bytes = clipRange((await file.stat()).size, range);
      if (bytes) return file.createReadStream(bytes);
    } catch (error) {
      await file.close();
      throw error;
    }
    await file.close();
    return emptyContent();
  }

  async read(id: string): Promise<Buffer | null> {
    return isBlobId(id) ? nullIfMissing(readFile(this.blobPath(id))) : null;
  }

  async size(id: string): Promise<number | null> {
    return isBlobId(id) ? ((await nullIfMissing(stat(this.blobPath(id))))?.size ?? null) : null;
  }

  async delete(id: string): Promise<void> {
    if (isBlobId(id)) await this.runInTurn(() => this.removeBlob(id));
  }

  async sweep(now: Date): Promise<number> {
    let swept = 0;
    for (const id of (await nullIfMissing(readdir(join(this.folder, 'expiring')))) ?? [])
      swept += await this.runInTurn(async () => {
        const end = await this.readExpiry(id);
        return end !== undefined && end <= now.getTime() && (await this.removeBlob(id)) ? 1 : 0;
      });
    for (const name of (await nullIfMissing(readdir(join(this.folder, 'uploads')))) ?? []) {
      const path = join(this.folder, 'uploads', name);
      const begun = (await nullIfMissing(stat(path)))?.mtimeMs ?? 0;
      if (begun < Date.now() - UPLOAD_MS) await rm(path, { force: true });
    }
    return swept;
  }

  private blobPath(id: string): string {
    return join(this.folder, id.slice(0, 2), id);
  }

  private expiryPath(id: string): string {
    return join(this.folder, 'expiring', id);
  }

  private async openFile(id: string): Promise<FileHandle | null> {
    return isBlobId(id) ? nullIfMissing(open(this.blobPath(id))) : null;
  }

  /** When the blob expires, in milliseconds; undefined when it does not. */
  private async readExpiry(id: string): Promise<number | undefined> {
    const text = isBlobId(id) ? await nullIfMissing(readFile(this.expiryPath(id), 'utf8')) : null;
    return text === null ? undefined : Date.parse(text);
  }

  /** Extends the expiry of a blob; false when the blob does not exist. */
  private async extendExpiry(id: string, expiresAt?: Date): Promise<boolean> {
    if (!(await nullIfMissing(stat(this.blobPath(id))))) return false;
    const end = await this.readExpiry(id);
    if (end !== undefined && !(expiresAt && end >= expiresAt.getTime())) await this.writeExpiry(id, expiresAt);
    return true;
  }

  private async writeExpiry(id: string, expiresAt?: Date): Promise<void> {
    const path = this.expiryPath(id);
    if (expiresAt) {
      const { path: temporary } = await this.writeUpload(Buffer.from(expiresAt.toISOString()));
      await moveFile(temporary, path);
    } else if (await nullIfMissing(stat(path))) {
      await rm(path);
      await syncFolder(dirname(path));
    }
  }

  /** Removes a blob, its expiry last: the next sweep resumes an interrupted removal. */
  private async removeBlob(id: string): Promise<boolean> {
    const there = (await nullIfMissing(stat(this.blobPath(id)))) !== null;
    await rm(this.blobPath(id), { force: true });
    await rm(this.expiryPath(id), { force: true });
    return there;
  }

  private async writeUpload(content: Buffer | AsyncIterable<Uint8Array>) {
    this.room?.refuseIfFull();
    const path = join(this.folder, 'uploads', randomUUID());
    await mkdir(dirname(path), { recursive: true }).catch(throwIfDiskFull);
    const file = await open(path, 'wx').catch(throwIfDiskFull);
    const hash = createHash('sha256');
    let size = 0;
    try {
      for await (const piece of toPieces(content, PIECE_BYTES)) {
        hash.update(piece);
        await file.writeFile(piece);
        size += piece.length;
      }
      await file.sync();
    } catch (error) {
      await rm(path, { force: true });
      throwIfDiskFull(error);
    } finally {
      await file.close();
    }
    return { path, id: hash.digest('hex'), size };
  }

  /** Runs work that reads names and then changes them, one at a time. */
  private runInTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => {});
    return result;
  }
}

/** Rethrows an error; that of a full disk as UNAVAILABLE. */
function throwIfDiskFull(error: unknown): never {
  throw isDiskFull(error) ? diskFull('DATA_DIR', error) : error;
}

const isBlobId = (id: string): boolean => /^[0-9a-f]{64}$/.test(id);

async function nullIfMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function moveFile(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  const made = await mkdir(folder, { recursive: true }).catch(throwIfDiskFull);
  await rename(from, to).catch(throwIfDiskFull);
  await syncFolder(folder);
  if (made) await syncFolder(dirname(made));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
