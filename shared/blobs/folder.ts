import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { diskFull, isDiskFull } from '../disk/full.js';
import type { Room } from '../disk/room.js';
import { sha256InSlices } from '../values/ids.js';
import { clip, emptyContent, pieces } from './content.js';
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
      if (await this.inTurn(() => this.keep(id, expiresAt))) return { id, size: content.length };
    }
    const upload = await this.upload(content);
    const { id, size } = upload;
    await this.inTurn(async () => {
      if (await this.keep(id, expiresAt)) return rm(upload.path);
      await this.setEnd(id, expiresAt);
      await moveFile(upload.path, this.path(id));
    });
    return { id, size };
  }

  async open(id: string, range?: { start: number; end: number }): Promise<Readable | null> {
    const file = await this.file(id);
    if (!file) return null;
    try {
      const bytes = clip((await file.stat()).size, range);
      if (bytes) return file.createReadStream(bytes);
    } catch (error) {
      await file.close();
      throw error;
    }
    await file.close();
    return emptyContent();
  }

  async read(id: string): Promise<Buffer | null> {
    return isId(id) ? orNull(readFile(this.path(id))) : null;
  }

  async size(id: string): Promise<number | null> {
    return isId(id) ? ((await orNull(stat(this.path(id))))?.size ?? null) : null;
  }

  async delete(id: string): Promise<void> {
    if (isId(id)) await this.inTurn(() => this.remove(id));
  }

  async sweep(now: Date): Promise<number> {
    let swept = 0;
    for (const id of (await orNull(readdir(join(this.folder, 'expiring')))) ?? [])
      swept += await this.inTurn(async () => {
        const end = await this.end(id);
        return end !== undefined && end <= now.getTime() && (await this.remove(id)) ? 1 : 0;
      });
    for (const name of (await orNull(readdir(join(this.folder, 'uploads')))) ?? []) {
      const path = join(this.folder, 'uploads', name);
      const begun = (await orNull(stat(path)))?.mtimeMs ?? 0;
      if (begun < Date.now() - UPLOAD_MS) await rm(path, { force: true });
    }
    return swept;
  }

  private path(id: string): string {
    return join(this.folder, id.slice(0, 2), id);
  }

  private endPath(id: string): string {
    return join(this.folder, 'expiring', id);
  }

  private async file(id: string): Promise<FileHandle | null> {
    return isId(id) ? orNull(open(this.path(id))) : null;
  }

  /** When the blob expires, in milliseconds; undefined when it does not. */
  private async end(id: string): Promise<number | undefined> {
    const text = isId(id) ? await orNull(readFile(this.endPath(id), 'utf8')) : null;
    return text === null ? undefined : Date.parse(text);
  }

  /** Extends the expiry of a blob; false when the blob does not exist. */
  private async keep(id: string, expiresAt?: Date): Promise<boolean> {
    if (!(await orNull(stat(this.path(id))))) return false;
    const end = await this.end(id);
    if (end !== undefined && !(expiresAt && end >= expiresAt.getTime())) await this.setEnd(id, expiresAt);
    return true;
  }

  private async setEnd(id: string, expiresAt?: Date): Promise<void> {
    const path = this.endPath(id);
    if (expiresAt) {
      const { path: temporary } = await this.upload(Buffer.from(expiresAt.toISOString()));
      await moveFile(temporary, path);
    } else if (await orNull(stat(path))) {
      await rm(path);
      await syncFolder(dirname(path));
    }
  }

  /** Removes a blob, its expiry last: the next sweep resumes an interrupted removal. */
  private async remove(id: string): Promise<boolean> {
    const there = (await orNull(stat(this.path(id)))) !== null;
    await rm(this.path(id), { force: true });
    await rm(this.endPath(id), { force: true });
    return there;
  }

  private async upload(content: Buffer | AsyncIterable<Uint8Array>) {
    this.room?.check();
    const path = join(this.folder, 'uploads', randomUUID());
    await mkdir(dirname(path), { recursive: true }).catch(roomMissed);
    const file = await open(path, 'wx').catch(roomMissed);
    const hash = createHash('sha256');
    let size = 0;
    try {
      for await (const piece of pieces(content, PIECE_BYTES)) {
        hash.update(piece);
        await file.writeFile(piece);
        size += piece.length;
      }
      await file.sync();
    } catch (error) {
      await rm(path, { force: true });
      roomMissed(error);
    } finally {
      await file.close();
    }
    return { path, id: hash.digest('hex'), size };
  }

  /** Runs work that reads names and then changes them, one at a time. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => {});
    return result;
  }
}

/** Rethrows an error; that of a full disk as UNAVAILABLE. */
function roomMissed(error: unknown): never {
  throw isDiskFull(error) ? diskFull('DATA_DIR', error) : error;
}

const isId = (id: string): boolean => /^[0-9a-f]{64}$/.test(id);

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function moveFile(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  const made = await mkdir(folder, { recursive: true }).catch(roomMissed);
  await rename(from, to).catch(roomMissed);
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
