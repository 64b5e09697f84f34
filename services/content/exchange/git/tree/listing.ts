import { posix } from 'node:path';
import { eachInSlices } from '../../../../../shared/work/slices.js';
import { decodeName, nonUtf8PathsOf } from '../../../format/space/path-names.js';
import { GitFailure, maxFolderDepth, tooDeepFailure } from '../command/failure.js';
import { NulItems } from '../command/nul-items.js';
import { compareByPath, type SourceFile } from './source-tree.js';

export interface Entry extends SourceFile {
  mode: string;
}

/** A file by its path, which may be that of a symbolic link to it. */
export interface ResolvedFile extends SourceFile {
  mode: string;
  /** Where the file itself is. */
  at: string;
}

const tab = 0x09;
const linkMode = '120000';

/** Bytes of a path. */
export const maxPath = 1024;
const MAX_BEFORE_PATH = 100;
const MAX_LINK_HOPS = 8;
/** Bytes of different targets of symbolic links. */
const MAX_LINK_TARGETS = 16_000_000;

/** Parses the output of `git ls-tree -r -z -l` chunk by chunk. Leaves out names that a tree must not contain and paths that are too long. */
export class TreeListing {
  readonly entries: Entry[] = [];
  /** The paths of submodules. */
  readonly submodules: string[] = [];
  readonly raw = new Map<string, Buffer>();
  private readonly items = new NulItems(maxPath + MAX_BEFORE_PATH);
  /** Paths that may be those of names which are no UTF-8. */
  private readonly encoded = new Set<string>();

  /** Files whose paths are too long. */
  get leftOut(): number {
    return this.items.leftOut;
  }

  /** Throws GitFailure `too-large` for folders that are nested too deep. */
  takeChunk(chunk: Buffer): void {
    for (const item of this.items.takeChunk(chunk)) {
      const entry = parseEntry(decodeName(item));
      if (entry && entry.file.path.split('/').length > maxFolderDepth + 1) throw tooDeepFailure();
      if (!entry || this.isTakenPath(entry.file.path, item)) continue;
      if (entry.type === 'blob') this.entries.push(entry.file);
      else if (entry.type === 'commit') this.submodules.push(entry.file.path);
    }
  }

  /** Notes a name that is no UTF-8. Of two that have one text, the first counts. */
  private isTakenPath(path: string, item: Buffer): boolean {
    if (path.includes('%')) {
      if (this.encoded.has(path)) return true;
      this.encoded.add(path);
    }
    for (const [text, bytes] of nonUtf8PathsOf(item.subarray(item.indexOf(tab) + 1))) this.raw.set(text, bytes);
    return false;
  }
}

/** `<mode> <type> <oid> <padded size>\t<path>` */
function parseEntry(line: string): { type: string | undefined; file: Entry } | undefined {
  const tab = line.indexOf('\t');
  const [mode = '', type, oid = '', size] = line.slice(0, tab).split(/ +/);
  const path = line.slice(tab + 1);
  if (!path.split('/').every(isPlainName)) return undefined;
  return { type, file: { path, oid, size: Number(size), mode } };
}

function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && name.toLowerCase() !== '.git';
}

/**
 * The files of a listing, below the folder `within` when given. A symbolic link to a file of the same tree is listed as that
 * file; other symbolic links are left out. Throws GitFailure `too-large`, which names the first file above `maxFileBytes`.
 */
export async function resolveFiles(
  entries: Entry[],
  { within = '', maxFileBytes, readLink }: ResolveOptions,
): Promise<ResolvedFile[]> {
  const prefix = folderPrefix(within);
  const byName = new Map(entries.map((entry) => [entry.path, entry]));
  const targets = await readLinkTargets(entries, readLink);
  const files: ResolvedFile[] = [];
  await eachInSlices(entries, (entry) => {
    const file = entry.path.startsWith(prefix) ? followLinks(entry, byName, targets) : undefined;
    if (!file) return;
    if (file.size > maxFileBytes) throw tooLarge(file, maxFileBytes);
    files.push({ path: entry.path, oid: file.oid, size: file.size, mode: file.mode, at: file.path });
  });
  return files.sort(compareByPath);
}

interface ResolveOptions {
  within?: string;
  maxFileBytes: number;
  readLink(oid: string): Promise<Buffer>;
}

/** By oid: where symbolic links lead. */
async function readLinkTargets(
  entries: Entry[],
  readLink: ResolveOptions['readLink'],
): Promise<ReadonlyMap<string, string>> {
  const targets = new Map<string, string>();
  let room = MAX_LINK_TARGETS;
  for (const { mode, oid, size } of entries) {
    if (mode !== linkMode || size > maxPath || targets.has(oid)) continue;
    room -= size;
    if (room < 0) throw new GitFailure('too-large', 'the repository has too many symbolic links');
    targets.set(oid, decodeName(await readLink(oid)));
  }
  return targets;
}

function followLinks(
  entry: Entry,
  byName: ReadonlyMap<string, Entry>,
  targets: ReadonlyMap<string, string>,
): Entry | undefined {
  let at: Entry | undefined = entry;
  for (let hops = 0; at?.mode === linkMode; hops++) {
    const target = targets.get(at.oid);
    if (hops === MAX_LINK_HOPS || target === undefined || target.startsWith('/')) return undefined;
    at = byName.get(posix.join(posix.dirname(at.path), target));
  }
  return at;
}

function folderPrefix(folder: string): string {
  const parts = folder.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 ? '' : `${parts.join('/')}/`;
}

function tooLarge(file: SourceFile, maxFileBytes: number): GitFailure {
  const [has, may] = [file.size, maxFileBytes].map((bytes) => Math.ceil(bytes / 1_000_000));
  return new GitFailure('too-large', `${file.path} has ${has} MB; a file may have ${may} MB at most`);
}
