import { posix } from 'node:path';
import { byPath, type SourceFile } from '../source-tree.js';
import { GitFailure } from './command/failure.js';

export interface Entry extends SourceFile {
  kind: 'file' | 'link';
}

const MAX_LINK_BYTES = 4096;
const MAX_LINK_HOPS = 8;

/** Parses the output of `git ls-tree -r -z -l` chunk by chunk. Leaves out submodules and names that a tree must not contain. */
export class Listing {
  readonly entries: Entry[] = [];
  private rest: Buffer = Buffer.alloc(0);

  take(chunk: Buffer): void {
    const all = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    let from = 0;
    for (let end = all.indexOf(0, from); end >= 0; end = all.indexOf(0, from)) {
      const entry = parseEntry(all.toString('utf8', from, end));
      if (entry) this.entries.push(entry);
      from = end + 1;
    }
    this.rest = all.subarray(from);
  }
}

/** `<mode> <type> <oid> <padded size>\t<path>` */
function parseEntry(line: string): Entry | undefined {
  const tab = line.indexOf('\t');
  const [mode = '', type, oid = '', size] = line.slice(0, tab).split(/ +/);
  const path = line.slice(tab + 1);
  if (type !== 'blob' || !path.split('/').every(isPlainName)) return undefined;
  return { path, oid, size: Number(size), kind: mode === '120000' ? 'link' : 'file' };
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
): Promise<SourceFile[]> {
  const prefix = folderPrefix(within);
  const byName = new Map(entries.map((entry) => [entry.path, entry]));
  const targets = new Map<string, string>();
  for (const link of entries) {
    if (link.kind === 'link' && link.size <= MAX_LINK_BYTES)
      targets.set(link.path, (await readLink(link.oid)).toString());
  }
  const files: SourceFile[] = [];
  for (const entry of entries) {
    if (!entry.path.startsWith(prefix)) continue;
    const file = followLinks(entry, byName, targets);
    if (!file) continue;
    if (file.size > maxFileBytes) throw tooLarge(file, maxFileBytes);
    files.push({ path: entry.path, oid: file.oid, size: file.size });
  }
  return files.sort(byPath);
}

interface ResolveOptions {
  within?: string;
  maxFileBytes: number;
  readLink(oid: string): Promise<Buffer>;
}

function followLinks(entry: Entry, byName: Map<string, Entry>, targets: Map<string, string>): Entry | undefined {
  let at: Entry | undefined = entry;
  for (let hops = 0; at?.kind === 'link'; hops++) {
    const target = targets.get(at.path);
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
