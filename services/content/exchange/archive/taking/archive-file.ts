import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { refusal } from '../../conversion/refused.js';
import { maxPath } from '../../git/tree/listing.js';

/** Files that can be read. */
export interface Files {
  /** Bytes of each file, by its path. */
  sizes: ReadonlyMap<string, number>;
  open(path: string): Promise<Readable>;
}

/** An archive on the disk, whose entries are named in order and share no bytes. */
export interface ArchiveFile extends Files {
  close(): void;
}

export const archiveBounds = {
  entries: 1_000_000,
  /** Bytes of a file. */
  file: 1_000_000_000,
  /** Bytes that an archive unpacks to at most, whatever its size; beyond that, times its size. */
  unpacked: 1_000_000_000,
  ratio: 100,
  /** Folders in folders. */
  depth: 100,
};

const typeOf = 0o170000;
const regularFile = 0o100000;
/** Bytes, without the name. */
const localHeader = 30;

/** Opens an archive, and checks the names and sizes of its entries. Throws 422 with what is wrong. */
export async function openArchive(path: string, bounds = archiveBounds): Promise<ArchiveFile> {
  const bytes = await sizeOf(path);
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true }).catch(
    throwDamaged,
  );
  try {
    const entries = await readEntries(zip, bounds);
    checkOverlaps([...entries.values()]);
    checkUnpacked(entries.values(), { bytes, bounds });
    return {
      sizes: new Map([...entries].map(([name, { uncompressedSize }]) => [name, uncompressedSize])),
      open: (name) => zip.openReadStreamPromise(entries.get(name) as Entry).catch((error) => throwDamaged(error, name)),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function sizeOf(path: string): Promise<number> {
  const file = await open(path);
  try {
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/** Throws 422 with what the reader of archives says about one; a fault of the disk as it is. */
export function throwDamaged(error: unknown, path?: string): never {
  const { type, code, message = '' } = (error ?? {}) as { type?: string; code?: string; message?: string };
  if (type !== undefined || code?.startsWith('E')) throw error;
  const where = path === undefined ? 'the file is no ZIP archive, or is damaged' : `${quotedPath(path)}: is damaged`;
  throw refusal(`${where}: ${message.slice(0, 200)}`);
}

/** Names in messages are short, and change no terminal. */
export const quotedPath = (path: string): string => JSON.stringify(path.slice(0, 200)).slice(1, -1);

async function readEntries(zip: ZipFile, bounds: typeof archiveBounds): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  const folders = new Set<string>();
  let count = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      if (++count > bounds.entries) throw refusal(`the archive has more than ${bounds.entries} entries`);
      const { fileName: name } = entry;
      checkEntry(entry, bounds);
      if (name.endsWith('/')) continue;
      if (entries.has(name)) throw refusal(`${quotedPath(name)}: is in the archive twice`);
      entries.set(name, entry);
      for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) folders.add(name.slice(0, at));
    }
  } catch (error) {
    throwDamaged(error);
  }
  const both = [...entries.keys()].find((name) => folders.has(name));
  if (both !== undefined) throw refusal(`${quotedPath(both)}: is a file and a folder`);
  return entries;
}

function checkEntry(entry: Entry, bounds: typeof archiveBounds): void {
  const { fileName: name, uncompressedSize } = entry;
  const parts = name.replace(/\/$/, '').split('/');
  if (Buffer.byteLength(name) > 2 * maxPath)
    throw refusal(`${quotedPath(name)}: the name is longer than ${2 * maxPath} bytes`);
  if (parts.length > bounds.depth) throw refusal(`${quotedPath(name)}: lies in more than ${bounds.depth} folders`);
  if (/[\\\0]/.test(name) || parts.some((part) => part === '' || part === '.' || part === '..'))
    throw refusal(`${quotedPath(name)}: the name leaves the archive`);
  if (parts.some((part) => part.toLowerCase() === '.git'))
    throw refusal(`${quotedPath(name)}: has a name that is Git's own`);
  const type = (entry.externalFileAttributes >>> 16) & typeOf;
  if (type !== 0 && type !== regularFile && !name.endsWith('/'))
    throw refusal(`${quotedPath(name)}: is a symbolic link or another special file`);
  if (entry.isEncrypted()) throw refusal(`${quotedPath(name)}: is encrypted`);
  if (!entry.canDecodeFileData()) throw refusal(`${quotedPath(name)}: is packed in a way that Bindery does not read`);
  if (uncompressedSize > bounds.file) throw refusal(`${quotedPath(name)}: has more than ${bounds.file} bytes`);
}

/** Entries that share bytes would unpack to much more than the archive holds. */
function checkOverlaps(entries: Entry[]): void {
  const sorted = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  let end = 0;
  for (const { fileName, relativeOffsetOfLocalHeader: start, compressedSize } of sorted) {
    if (start < end) throw refusal(`${quotedPath(fileName)}: shares its bytes with another entry`);
    end = start + localHeader + compressedSize;
  }
}

function checkUnpacked(
  entries: Iterable<Entry>,
  { bytes, bounds }: { bytes: number; bounds: typeof archiveBounds },
): void {
  const maxUnpacked = Math.max(bounds.unpacked, bounds.ratio * bytes);
  let unpacked = 0;
  for (const { fileName, uncompressedSize } of entries) {
    unpacked += uncompressedSize;
    if (unpacked > maxUnpacked)
      throw refusal(
        `the archive unpacks to more than ${maxUnpacked} bytes, with ${quotedPath(fileName)}: no export does`,
      );
  }
}
