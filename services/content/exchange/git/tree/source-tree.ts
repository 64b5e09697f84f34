import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { blobOid } from '../../../format/space/blob-oid.js';

export interface SourceFile {
  /** From the root of the tree, with forward slashes. */
  path: string;
  /** Git's blob hash of the content (hex). */
  oid: string;
  /** Bytes. */
  size: number;
}

export interface FileTimes {
  createdAt: string;
  updatedAt: string;
}

/** A Git commit or a folder, as an import reads it. Files are ordered by path. */
export interface SourceTree {
  commit?: { oid: string; message: string; committedAt: string };
  files: SourceFile[];
  /** Every path of the repository, also of what is left out of `files`; absent where nothing is. */
  paths?: string[];
  /** Files whose paths are too long to be listed. */
  leftOut?: number;
  /** The bytes of one of `files`. Many reads may run at the same time. */
  read(path: string): Promise<Buffer>;
  /** When files were made and last changed, as far as the history is available; never rejects. */
  times?(paths: ReadonlySet<string>): Promise<ReadonlyMap<string, FileTimes>>;
  /** Must always be called: a tree may hold a process. */
  close(): Promise<void>;
}

const LEFT_OUT = new Set(['.git', 'node_modules']);

/** A folder of the local disk as a source tree, without `.git`, `node_modules` and symbolic links. */
export async function openFolderTree(dir: string): Promise<SourceTree> {
  const files: SourceFile[] = [];
  for await (const path of walkFolder(dir, '')) {
    const bytes = await readFile(join(dir, path));
    files.push({ path, oid: blobOid(bytes), size: bytes.length });
  }
  files.sort(compareByPath);
  const known = new Set(files.map((file) => file.path));
  return {
    files,
    async read(path) {
      if (!known.has(path)) throw new Error(`${path} is not in the tree`);
      return readFile(join(dir, path));
    },
    async close() {},
  };
}

export function compareByPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

async function* walkFolder(dir: string, below: string): AsyncGenerator<string> {
  const entries: Dirent[] = await readdir(join(dir, below), { withFileTypes: true });
  for (const entry of entries) {
    if (LEFT_OUT.has(entry.name)) continue;
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* walkFolder(dir, path);
    else if (entry.isFile()) yield path;
  }
}
