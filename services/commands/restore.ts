import { mkdir, readdir, rename, rm, statfs, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BackedUpFile, type Copy, copyFiles, syncFiles, syncPath } from '../../shared/backup/copying.js';
import { type Contents, damagedError, readManifest } from '../../shared/backup/manifest.js';
import { isDiskFull } from '../../shared/disk/full.js';
import { type Config, readConfig } from '../../shared/settings/config.js';
import { openDataDir, restoringDir } from '../../shared/settings/data-dir.js';
import { lockDataDir } from '../../shared/settings/data-lock.js';
import { loadEnvFile } from '../../shared/settings/env-file.js';
import { abortOnSignal, inUnits, printText, showProgress } from './progress.js';

const usage = `Usage: npm run restore -- <folder of a backup>

Restores a backup into DATA_DIR, which must be empty. Stop the server first; start it afterwards.
`;

/** Names that an empty `DATA_DIR` may contain: locks, and what a file system puts at its root. */
const ignored = /^((backup\.)?lock(-journal)?|lost\+found)$/;

/** Makes sure that the folder is empty, and removes what a restore that was killed left. */
async function clearFolder(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => !ignored.test(name));
  const [unfinished] = names.filter((name) => join(dataDir, name) === restoringDir(dataDir));
  if (names.length > 0 && !unfinished)
    throw new Error(`DATA_DIR: ${dataDir} is not empty; name an empty folder, or move away what is in it`);
  // Removed last: while this folder exists, a later run may remove the rest.
  for (const name of [...names.filter((each) => each !== unfinished), ...(unfinished ? [unfinished] : [])])
    await rm(join(dataDir, name), { recursive: true, force: true });
}

async function checkRoom(dataDir: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < bytes) throw noRoom(dataDir, bytes);
}

const noRoom = (dataDir: string, bytes: number) =>
  new Error(`DATA_DIR: ${dataDir} has no room for the backup of ${inUnits(bytes)}; nothing was restored`);

interface Restoring {
  from: string;
  to: string;
  signal: AbortSignal;
}

/** Copies the files of a backup aside, and makes sure that each is what it was. */
async function copyChecked({ from, to, signal }: Restoring, { manifest, files }: Contents): Promise<void> {
  const sums = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const copies = files.map(({ path }): Copy => ({ path, from: join(from, path) }));
  const progress = showProgress('restoring files', files.length);
  const onCopied = ({ path, sha256 }: BackedUpFile) => {
    if (sums.get(path) !== sha256) throw damagedError(from, `${path} was changed or cut off`);
    progress.advance(1);
  };
  try {
    await copyFiles({ copies, to, signal, onCopied });
  } catch (error) {
    const { code, path = '' } = error as NodeJS.ErrnoException;
    throw code === 'ENOENT' || code === 'ELOOP' ? damagedError(from, `${path} is missing`) : error;
  } finally {
    progress.end();
  }
  for (const [path, target] of Object.entries(manifest.links)) {
    await mkdir(dirname(join(to, path)), { recursive: true });
    await symlink(target, join(to, path));
  }
  await syncFiles(to, [...sums.keys(), ...Object.keys(manifest.links).map(dirname)]);
}

/** Moves what was restored into its place. A server does not start before all of it is there. */
async function moveIntoPlace(aside: string, dataDir: string): Promise<void> {
  for (const name of await readdir(aside)) await rename(join(aside, name), join(dataDir, name));
  await syncPath(dataDir);
  await rm(aside, { recursive: true });
  await syncPath(dataDir);
}

async function restore(config: Config, from: string): Promise<void> {
  const began = performance.now();
  const { DATA_DIR } = config;
  const contents = await readManifest(from);
  const { bytes, files, createdAt, secretKey, events } = contents.manifest;
  openDataDir(DATA_DIR);
  const free = await lockDataDir(DATA_DIR);
  const aside = restoringDir(DATA_DIR);
  try {
    await clearFolder(DATA_DIR);
    await checkRoom(DATA_DIR, bytes);
    await mkdir(aside);
    await copyChecked({ from, to: aside, signal: abortOnSignal() }, contents).catch(async (error) => {
      await rm(aside, { recursive: true, force: true });
      throw isDiskFull(error) ? noRoom(DATA_DIR, bytes) : error;
    });
    await moveIntoPlace(aside, DATA_DIR);
  } finally {
    free();
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  printText(`Restored ${files} files, ${inUnits(bytes)}, in ${seconds} s: ${DATA_DIR} is as it was at ${createdAt}`);
  if (secretKey === 'setting')
    printText('Start Bindery with the SECRET_KEY of that installation: it is not in the backup.');
  if (events === 'left out' || events === 'in ClickHouse') printText('The events of visitors are not in the backup.');
}

process.umask(0o077);
try {
  loadEnvFile();
  const { positionals } = parseArgs({ allowPositionals: true, options: {} });
  const [name] = positionals;
  if (!name || positionals.length > 1) throw new Error(usage);
  const config = readConfig(process.env);
  if (config.MONGODB_URL)
    throw new Error(
      'MONGODB_URL is set: a backup of an embedded installation is restored into DATA_DIR. Unset it, or restore MongoDB with its own tools: see docs/operations/backup.md',
    );
  await restore(config, resolve(name));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
