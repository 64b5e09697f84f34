import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const probeBytes = 1024 * 1024;

const remedies: Record<string, string> = {
  EACCES: 'this user may not write there; give it the right, or choose another folder',
  EPERM: 'this user may not write there; give it the right, or choose another folder',
  EROFS: 'the file system is read-only; choose a writable folder',
  ENOTDIR: 'a part of the path is a file; remove it, or choose another folder',
  EEXIST: 'it is a file; remove it, or choose another folder',
  ENOENT: 'it cannot be created there; choose another folder',
  ENOSPC: 'the disk is full; make room, or choose another folder',
  EDQUOT: "this user's disk quota is used up; make room, or choose another folder",
  SQLITE_FULL: 'the disk is full; make room, or choose another folder',
  SQLITE_READONLY: 'this user may not write the database; give it the right to all files in the folder',
  SQLITE_CANTOPEN: 'the database cannot be opened; give this user the right to all files in the folder',
  SQLITE_NOTADB: 'the file bindery.sqlite is not a database; restore it from a backup, or choose another folder',
  SQLITE_CORRUPT: 'the file bindery.sqlite is damaged; restore it from a backup, or choose another folder',
  SQLITE_IOERR: 'the disk failed; check it, or choose another folder',
};

/** An error that says why `dataDir` cannot be used, with the remedy. Other errors come back unchanged. */
export function dataDirError(dataDir: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  // Where libsql cannot open a file, its error has only a number.
  const known = code ?? (/database .*: 14"\)$/.test(message) ? 'SQLITE_CANTOPEN' : '');
  const remedy = remedies[known] ?? remedies[known.split('_', 2).join('_')];
  return remedy === undefined ? error : new Error(`DATA_DIR: ${dataDir} cannot be used (${known}): ${remedy}`);
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Node's recursive `mkdir` never returns below folders such as /proc. */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (!statSync(path, { throwIfNoEntry: false })) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it.
    if (!isFolder(path)) throw error;
  }
}

/** Creates the folder for this user alone and checks that it takes a megabyte. Throws an error that names the remedy. */
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

/** Where a restore gathers files; it is there until all of them are in their places. */
export const restoringDir = (dataDir: string): string => join(dataDir, 'restoring');

/** Throws where a restore was killed: the data is not complete. */
export function checkRestored(dataDir: string): void {
  if (existsSync(restoringDir(dataDir)))
    throw new Error(`DATA_DIR: a restore into ${dataDir} did not finish; run it again`);
}
