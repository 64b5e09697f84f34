import type { Dirent } from 'node:fs';
import { readdir, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';

/** Where the embedded engine, whose files are in `dir`, puts the frozen state called `name`. */
export const frozenDir = (dir: string, name: string): string => join(dir, 'shadow', name);

/**
 * Freezes the rows of a table of the embedded engine, whose files are in `dir`: hard links to its files of this moment, made in milliseconds. They
 * take room when the engine merges these files, so those of earlier backups are removed.
 */
export async function freezeTable(
  { client, table }: { client: ClickHouseClient; table: string },
  dir: string,
  name: string,
): Promise<void> {
  await rm(join(dir, 'shadow'), { recursive: true, force: true });
  await client.command({ query: `ALTER TABLE ${table} FREEZE WITH NAME '${name}'` });
}

/** A file of the engine, and its path below the folder of the engine. */
export interface EngineFile {
  path: string;
  from: string;
}

/**
 * The files that make up the tables in `dir`: those of the tables themselves, and the parts that hold their rows, which are read in `partsIn`. That is
 * `dir` where no engine runs, else a frozen state.
 */
export async function tableFiles(dir: string, partsIn = dir): Promise<EngineFile[]> {
  const files: EngineFile[] = [];
  for (const table of await tableFoldersIn(dir))
    for (const entry of await listFolder(join(dir, table)))
      if (entry.isFile() && !isTemporary(entry)) files.push(engineFileAt(dir, `${table}/${entry.name}`));
  for (const table of await tableFoldersIn(partsIn))
    for (const entry of await listFolder(join(partsIn, table)))
      if (entry.isDirectory() && !isTemporary(entry) && !notParts.has(entry.name))
        files.push(...(await listFilesBelow(partsIn, `${table}/${entry.name}`)));
  return files;
}

/** The symbolic links by which the engine finds its databases, each with its target. */
export async function databaseLinks(dir: string): Promise<Record<string, string>> {
  const links = (await listFolder(join(dir, 'metadata'))).filter((entry) => entry.isSymbolicLink());
  const targets = links.map(async ({ name }) => [`metadata/${name}`, await readlink(join(dir, 'metadata', name))]);
  return Object.fromEntries(await Promise.all(targets));
}

/** Folders of a table that hold none of its rows. */
const notParts = new Set(['detached', 'deduplication_logs', 'moving']);
/** Recognises what is being written or removed; the engine drops it when it starts. */
const isTemporary = ({ name }: Dirent) => /^(delete_)?tmp/.test(name);

const engineFileAt = (dir: string, path: string): EngineFile => ({ path, from: join(dir, path) });

/** The folders of the tables in `dir`, as `store/<abc>/<id>`. */
async function tableFoldersIn(dir: string): Promise<string[]> {
  const groups = (await listFolder(join(dir, 'store'))).map(({ name }) => `store/${name}`);
  const tables = await Promise.all(
    groups.map(async (group) => (await listFolder(join(dir, group))).map(({ name }) => `${group}/${name}`)),
  );
  return tables.flat();
}

async function listFilesBelow(dir: string, path: string): Promise<EngineFile[]> {
  const entries = await listFolder(join(dir, path));
  const files = entries.map((entry) => {
    const at = `${path}/${entry.name}`;
    return entry.isDirectory() ? listFilesBelow(dir, at) : [engineFileAt(dir, at)];
  });
  return (await Promise.all(files)).flat();
}

/** Lists a folder; empty where there is none. */
async function listFolder(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
