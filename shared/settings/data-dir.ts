import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const probeBytes = 1024 * 1024;

const remedies: Record<string, string> = {
  EACCES: 'this user may not write there; give it the right, or choose another folder',
  EPERM: 'this user may not write there; give it the right, or choose another folder',
  EROFS: 'the file system is read-only; choose a folder that can be written',
  ENOTDIR: 'a part of the path is a file; remove it, or choose another folder',
  EEXIST: 'it is a file; remove it, or choose another folder',
  ENOENT: 'it cannot be made there; choose another folder',
  ENOSPC: 'the disk is full; make room, or choose another folder',
  EDQUOT: "this user's disk quota is used up; make room, or choose another folder",
  SQLITE_FULL: 'the disk is full; make room, or choose another folder',
  SQLITE_READONLY: 'this user may not write the database; give it the right to all files in there',
  SQLITE_CANTOPEN: 'the database cannot be opened; give this user the right to all files in there',
  SQLITE_NOTADB: 'the file bindery.sqlite is no database; restore it from a backup, or choose another folder',
  SQLITE_CORRUPT: 'the file bindery.sqlite is damaged; restore it from a backup, or choose another folder',
  SQLITE_IOERR: 'the disk fails; check it, or choose another folder',
};

/** What keeps us from using `dataDir`, with its remedy; any other error as it is. */
export function dataDirError(dataDir: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  // libsql gives the number alone where it cannot open a file.
  const known = code ?? (/database .*: 14"\)$/.test(message) ? 'SQLITE_CANTOPEN' : '');
  const remedy = remedies[known] ?? remedies[known.split('_', 2).join('_')];
  return remedy === undefined ? error : new Error(`DATA_DIR: ${dataDir} cannot be used (${known}): ${remedy}`);
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Node's own recursive way never ends below a place such as /proc. */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (!statSync(path, { throwIfNoEntry: false })) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it.
    if (!isFolder(path)) throw error;
  }
}

/** Makes the folder, for this user alone, and sees that it takes a megabyte. Throws an error that says the remedy. */
export function openDataDir(dataDir: string): void {
  const probe = join(dataDir, `.probe-${process.pid}`);
  try {
    makeFolder(dataDir);
    try {
      writeFileSync(probe, Buffer.alloc(probeBytes), { mode: 0o600, flush: true } as { mode: number });
    } finally {
      rmSync(probe, { force: true });
    }
  } catch (error) {
    throw dataDirError(dataDir, error);
  }
}
