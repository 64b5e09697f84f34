import { isUtf8 } from 'node:buffer';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { bounds, megabytesText } from '../bounds.js';
import type { GivenFile } from '../model.js';
import { refusal } from '../refused.js';

export interface Unpacking {
  /** The archive on the disk. */
  archive: string;
  /** Where its files go, under numbers: no name of an archive becomes one of the disk. */
  folder: string;
  /** Also unpacks archives inside, one level deep. */
  nested?: boolean;
}

const symbolicLink = 0o120000;
const typeOf = 0o170000;
/** Bytes, without the name. */
const localHeader = 30;

/** Unpacks a ZIP archive within its bounds. Throws 422 for one that breaks them, or that is damaged or hostile. */
export async function unpack({ archive, folder, nested = false }: Unpacking): Promise<GivenFile[]> {
  await mkdir(folder, { recursive: true });
  const room = new Room(folder);
  const files = await unpackEntries(archive, room);
  if (!nested) return files;
  const all: GivenFile[] = [];
  for (const each of files) {
    if (!/\.zip$/i.test(each.path)) all.push(each);
    else all.push(...(await unpackEntries(each.file, room)));
  }
  return all;
}

/** Counts down what an archive and those inside it may still take. */
class Room {
  private bytes = bounds.unpacked as number;
  private entries = bounds.entries as number;
  private count = 0;

  constructor(private readonly folder: string) {}

  countEntry(): void {
    if (--this.entries < 0) throw refusal(`url: the archive has more than ${bounds.entries} entries`);
  }

  /** Throws for an entry that says that it takes more than there is. */
  checkFits(bytes: number, path: string): void {
    if (bytes > this.bytes)
      throw refusal(
        `url: the archive unpacks to more than ${megabytesText(bounds.unpacked)}, with ${path.slice(0, 200)}`,
      );
  }

  takeBytes(bytes: number, path: string): void {
    this.checkFits(bytes, path);
    this.bytes -= bytes;
  }

  nextFilePath(): string {
    return join(this.folder, String(this.count++));
  }
}

async function unpackEntries(archive: string, room: Room): Promise<GivenFile[]> {
  const zip = await openPromise(archive, { lazyEntries: true, autoClose: false, strictFileNames: false }).catch(
    throwDamaged,
  );
  try {
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) {
      room.countEntry();
      entries.push(entry);
    }
    const names = decodeEntryNames(entries);
    const files = new Map<string, GivenFile>();
    const ranges: Range[] = [];
    for (const [at, entry] of entries.entries()) {
      const path = checkEntryPath(entry, names[at] as string);
      if (path.endsWith('/')) continue;
      const from = entry.relativeOffsetOfLocalHeader;
      const range = { from, to: from + localHeader + entry.compressedSize };
      checkOverlaps(ranges, range, path);
      ranges.push(range);
      if (isLeftOut(path)) continue;
      room.checkFits(entry.uncompressedSize, path);
      files.set(path, await writeEntry(zip, entry, { path, room }).catch((error) => throwDamaged(error, path)));
    }
    return [...files.values()];
  } catch (error) {
    return throwDamaged(error);
  } finally {
    zip.close();
  }
}

interface Range {
  from: number;
  to: number;
}

/** Entries that share bytes would unpack to much more than the archive holds. */
function checkOverlaps(others: readonly Range[], { from, to }: Range, path: string): void {
  if (others.some((other) => from < other.to && other.from < to))
    throw refusal(`url: the archive is damaged: ${path.slice(0, 200)} shares its bytes with another entry`);
}

function checkEntryPath(entry: Entry, name: string): string {
  const path = name.replace(/^(?:\.\/)+/, '');
  const shown = path.slice(0, 200);
  if (path.length > 1024) throw refusal(`url: the archive has a name of more than 1024 characters: ${shown}`);
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || path.split('/').includes('..') || /[\\\0]/.test(path))
    throw refusal(`url: the archive has an entry that leaves its folder: ${shown}`);
  if (entry.isEncrypted()) throw refusal(`url: the archive is encrypted: ${shown}`);
  if (((entry.externalFileAttributes >>> 16) & typeOf) === symbolicLink)
    throw refusal(`url: the archive has a symbolic link: ${shown}`);
  return path;
}

const isLeftOut = (path: string): boolean =>
  path
    .split('/')
    .some((name) => name === '__MACOSX' || name === 'node_modules' || name === '.git' || name === '.DS_Store');

async function writeEntry(
  zip: ZipFile,
  entry: Entry,
  { path, room }: { path: string; room: Room },
): Promise<GivenFile> {
  const file = room.nextFilePath();
  const stream = await zip.openReadStreamPromise(entry);
  let size = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _, next) {
      try {
        size += chunk.length;
        room.takeBytes(chunk.length, path);
        next(null, chunk);
      } catch (error) {
        next(error as Error);
      }
    },
  });
  await pipeline(stream, counted, createWriteStream(file));
  return { path, file, size };
}

/** The reader of archives says what is wrong with one, or with an entry of it. */
function throwDamaged(error: unknown, path?: string): never {
  const { type, code, message = '' } = (error ?? {}) as { type?: string; code?: string; message?: string };
  if (type !== undefined) throw error;
  if (code === 'ENOSPC' || code === 'EMFILE') throw error;
  if (/invalid relative path|absolute path|invalid characters/i.test(message))
    throw refusal(`url: the archive has an entry that leaves its folder: ${message.slice(0, 200)}`);
  const what = path === undefined ? 'or no ZIP archive' : `in ${path.slice(0, 200)}`;
  throw refusal(`url: the archive is damaged, ${what}: ${message.slice(0, 200)}`);
}

const isAscii = (bytes: Buffer): boolean => bytes.every((byte) => byte < 0x80);
const unicodeFlag = 0x800;
const unicodePath = 0x7075;
/** The system that made an entry, by the upper byte of its version. */
const dos = 0;

const isMarkedUtf8 = ({ generalPurposeBitFlag, extraFields }: Entry): boolean =>
  (generalPurposeBitFlag & unicodeFlag) !== 0 || extraFields.some(({ id }) => id === unicodePath);

/**
 * The names of the entries of an archive. Where an entry does not say that its name is UTF-8, it may be so nevertheless, as macOS writes
 * it; else it is in the code page of who packed it: Japanese, of DOS (CP437) or of Western Europe.
 */
export function decodeEntryNames(entries: readonly Entry[]): string[] {
  const unknown = entries.filter(
    (entry) => !isMarkedUtf8(entry) && !isAscii(entry.fileNameRaw) && !isUtf8(entry.fileNameRaw),
  );
  const japanese = japaneseNames(unknown);
  return entries.map((entry) => {
    const raw = entry.fileNameRaw;
    if (isMarkedUtf8(entry) || isAscii(raw)) return entry.fileName;
    if (isUtf8(raw)) return withSlashes(raw.toString('utf8'));
    const name = japanese?.get(entry);
    if (name !== undefined) return withSlashes(name);
    return entry.versionMadeBy >>> 8 === dos ? entry.fileName : withSlashes(western.decode(raw));
  });
}

const western = new TextDecoder('windows-1252');
const twoJapanese = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}ー]{2}/u;

/** The names, if all of them can be Japanese and one has a word of it; letters with accents before others look like single signs. */
function japaneseNames(entries: readonly Entry[]): Map<Entry, string> | undefined {
  const decoder = new TextDecoder('shift_jis', { fatal: true });
  try {
    const names = new Map(entries.map((entry) => [entry, decoder.decode(entry.fileNameRaw)]));
    const isJapanese = [...names.values()].some((name) => twoJapanese.test(name.normalize('NFKC')));
    return isJapanese ? names : undefined;
  } catch {
    return undefined;
  }
}

const withSlashes = (name: string): string => name.replaceAll('\\', '/');
