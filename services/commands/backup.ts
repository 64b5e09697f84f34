import { existsSync } from 'node:fs';
import { mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BackedUpFile, type Copy, copyFiles, hashFile, syncFiles, syncPath } from '../../shared/backup/copying.js';
import { type Manifest, writeManifest } from '../../shared/backup/manifest.js';
import { isDiskFull } from '../../shared/disk/full.js';
import { databaseFile, hasEmbeddedStore } from '../../shared/process/platform.js';
import { type Config, readConfig } from '../../shared/settings/config.js';
import { dataDirError } from '../../shared/settings/data-dir.js';
import { lockBackup } from '../../shared/settings/data-lock.js';
import { loadEnvFile } from '../../shared/settings/env-file.js';
import { timestamp } from '../../shared/values/ids.js';
import { giveWay, inBackground } from '../../shared/workers/process-priority.js';
import { holdEvents } from './backup-events.js';
import { abortOnSignal, inUnits, printText, showProgress } from './progress.js';

const usage = `Usage: npm run backup -- <new folder> [--without-events]

Backs up DATA_DIR, while the server runs or not: documents, files, secret key and events of visitors, in a new folder.
Restore it with: npm run restore -- <folder>
`;

interface Backup {
  config: Config;
  /** The folder, under a name that is not final. */
  folder: string;
  signal: AbortSignal;
  files: BackedUpFile[];
  bytes: number;
}

/** Takes the documents as they are at this moment. */
async function backUpDocuments(backup: Backup): Promise<void> {
  const { config, folder, files } = backup;
  const { snapshotDatabase } = await import('../../shared/store/sqlite/snapshot.js');
  const path = basename(databaseFile(config));
  printText(`Backing up ${config.DATA_DIR}: documents`);
  try {
    snapshotDatabase(databaseFile(config), join(folder, path));
  } catch (error) {
    throw isDiskFull(error) ? error : dataDirError(config.DATA_DIR, error);
  }
  const { sha256, bytes } = await hashFile(join(folder, path));
  files.push({ path, sha256 });
  backup.bytes += bytes;
}

async function copyAll(backup: Backup, what: string, copies: Copy[]): Promise<void> {
  const { folder: to, signal, files } = backup;
  const progress = showProgress(what, copies.length);
  const onCopied = (file: BackedUpFile, bytes: number) => {
    files.push(file);
    backup.bytes += bytes;
    progress.advance(1);
  };
  try {
    await copyFiles({ copies, to, signal, onCopied });
  } finally {
    progress.end();
  }
}

async function backUpEvents(backup: Backup, wanted: boolean): Promise<Pick<Manifest, 'events' | 'links'>> {
  const { copies, release, events, links } = await holdEvents(backup.config, wanted, backup.signal);
  try {
    await copyAll(backup, 'events of visitors', copies);
  } finally {
    await release();
  }
  return { events, links };
}

/** Copies the files that the documents name, which were stored before the documents; some may be newer. */
async function backUpFiles(backup: Backup): Promise<void> {
  const blobs = join(backup.config.DATA_DIR, 'blobs');
  const groups = existsSync(blobs) ? await readdir(blobs) : [];
  const copies: Copy[] = [];
  for (const group of groups.filter((name) => /^([0-9a-f]{2}|expiring)$/.test(name)))
    for (const id of await readdir(join(blobs, group)))
      if (/^[0-9a-f]{64}$/.test(id))
        copies.push({ path: `blobs/${group}/${id}`, from: join(blobs, group, id), mayVanish: true });
  await copyAll(backup, 'files', copies);
}

/** Copies the key, unless it is a setting. */
async function backUpKey(backup: Backup): Promise<Manifest['secretKey']> {
  const { SECRET_KEY, DATA_DIR } = backup.config;
  if (SECRET_KEY.length > 0) return 'setting';
  await copyAll(backup, 'secret key', [{ path: 'secret.key', from: join(DATA_DIR, 'secret.key') }]);
  return 'included';
}

/** Writes a whole backup into the folder, and brings it to the disk. */
async function writeBackup(backup: Backup, withEvents: boolean): Promise<Manifest['events']> {
  const { folder, files } = backup;
  const createdAt = timestamp();
  await backUpDocuments(backup);
  const { events, links } = await backUpEvents(backup, withEvents);
  await backUpFiles(backup);
  const secretKey = await backUpKey(backup);
  tellDamaged(files);
  await syncFiles(
    folder,
    files.map(({ path }) => path),
  );
  await syncFiles(
    folder,
    await writeManifest(folder, files, { createdAt, bytes: backup.bytes, secretKey, events, links }),
  );
  return events;
}

/** Says which files were damaged before the backup: the name of a file is its checksum. */
function tellDamaged(files: BackedUpFile[]): void {
  for (const { path, sha256 } of files)
    if (/^blobs\/[0-9a-f]{2}\//.test(path) && basename(path) !== sha256)
      process.stderr.write(`warning: ${path} in DATA_DIR is damaged, and so it is in the backup\n`);
}

const remarks: Partial<Record<Manifest['events'], string>> = {
  'left out': 'The events of visitors are not in it (--without-events).',
  'in ClickHouse':
    'The events of visitors are not in it: they are in the database of CLICKHOUSE_URL. Back that up, too.',
};

/** The files that a backup consists of, at the top of its folder. */
const ours = /^(bindery\.sqlite(-journal)?|blobs|analytics|secret\.key|SHA256SUMS|manifest\.json)$/;

/** Makes the folder in which a backup is written aside, in place of one that a killed backup left. */
async function makeAside(target: string): Promise<string> {
  const folder = `${target}.partial`;
  const left = existsSync(folder) ? await readdir(folder) : [];
  if (!left.every((name) => ours.test(name))) throw new Error(`${folder} is in the way: it is no unfinished backup`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

async function backUp(config: Config, target: string, withEvents: boolean): Promise<void> {
  const began = performance.now();
  const free = await lockBackup(config.DATA_DIR);
  const folder = await makeAside(target);
  const backup: Backup = { config, folder, signal: abortOnSignal(), files: [], bytes: 0 };
  try {
    const events = await writeBackup(backup, withEvents);
    await rename(folder, target);
    await syncPath(dirname(target));
    const { files, bytes } = backup;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    printText(`Backed up ${files.length} files, ${inUnits(bytes)}, in ${seconds} s: ${target}`);
    if (config.SECRET_KEY.length > 0) printText('SECRET_KEY is not in it: keep it, too.');
    if (remarks[events]) printText(remarks[events]);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw isDiskFull(error)
      ? new Error(`${dirname(target)} has no room for the backup; nothing was kept of it`)
      : error;
  } finally {
    free();
  }
}

/** Checks where a backup shall go. Returns the absolute path. */
async function checkedTarget(name: string, { DATA_DIR }: Config): Promise<string> {
  const parent = await realpath(dirname(resolve(name))).catch(() => {
    throw new Error(`${dirname(resolve(name))} does not exist: create it, or mount what belongs there`);
  });
  const target = join(parent, basename(resolve(name)));
  if (existsSync(target)) throw new Error(`${target} exists already: name a new folder`);
  if (!relative(await realpath(DATA_DIR), target).startsWith('..'))
    throw new Error(`${target} is in DATA_DIR, which the backup is of: name a folder elsewhere`);
  return target;
}

function checkSettings(config: Config): void {
  if (config.MONGODB_URL)
    throw new Error(
      'MONGODB_URL is set: documents and files are in MongoDB. Back it up with its own tools, such as mongodump: see docs/operations/backup.md',
    );
  if (!hasEmbeddedStore(config)) throw new Error(`DATA_DIR: no data in ${config.DATA_DIR}; correct the setting`);
}

process.umask(0o077);
try {
  loadEnvFile();
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'without-events': { type: 'boolean', default: false } },
  });
  const [name] = positionals;
  if (!name || positionals.length > 1) throw new Error(usage);
  const config = readConfig(process.env);
  checkSettings(config);
  giveWay(process.pid, inBackground);
  await backUp(config, await checkedTarget(name, config), !values['without-events']);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
