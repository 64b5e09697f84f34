import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { version } from '../process/version.js';
import { sha256 } from '../values/ids.js';
import type { BackedUpFile } from './copying.js';

const manifestFile = 'manifest.json';
const sumsFile = 'SHA256SUMS';
/** Format of the folder of a backup; changes when an older Bindery could not restore it. */
const format = 1;

const manifestSchema = z.object({
  format: z.number(),
  /** The version of Bindery that made the backup. */
  version: z.string(),
  /** The moment whose documents it holds, in ISO 8601. */
  createdAt: z.string(),
  files: z.number(),
  bytes: z.number(),
  /** The SHA-256 of the list of checksums. */
  sums: z.string(),
  /** `setting`: it is the `SECRET_KEY` of the installation. */
  secretKey: z.enum(['included', 'setting']),
  events: z.enum(['included', 'none', 'left out', 'in ClickHouse']),
  /** Symbolic links of the analytics engine, each with its target. */
  links: z.record(
    z.string().regex(/^analytics\/metadata\/\w+$/),
    z.string().regex(/^\.\.\/store\/[0-9a-f]{3}\/[0-9a-f-]{36}$/),
  ),
});

/** A backup's description of itself. It is written last: a backup without it is not complete. */
export type Manifest = z.infer<typeof manifestSchema>;

/** Everything that a backup says, checked but for the files themselves. */
export interface Contents {
  manifest: Manifest;
  files: BackedUpFile[];
}

/** Lists `files` in the format of `sha256sum`, and describes the backup. Returns the names of the two files that it writes. */
export async function writeManifest(
  folder: string,
  files: BackedUpFile[],
  about: Omit<Manifest, 'format' | 'version' | 'files' | 'sums'>,
): Promise<string[]> {
  const strange = files.find(({ path }) => !isOurs(path));
  if (strange) throw new Error(`${strange.path} in DATA_DIR has a name that no backup can have`);
  const list = files.map((file) => `${file.sha256}  ${file.path}\n`).join('');
  const manifest: Manifest = { format, version, ...about, files: files.length, sums: sha256(list) };
  await writeFile(join(folder, sumsFile), list, { flag: 'wx' });
  await writeFile(join(folder, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`, { flag: 'wx' });
  return [sumsFile, manifestFile];
}

/** Reads what a backup says about itself. Throws an error that names what is wrong with it. */
export async function readManifest(folder: string): Promise<Contents> {
  const manifest = await parseManifest(folder);
  const list = await readBackupText(folder, sumsFile);
  if (sha256(list) !== manifest.sums) throw damagedError(folder, `${sumsFile} was changed or cut off`);
  const files = list.split('\n').filter(Boolean).map(parseFileLine);
  for (const { path } of files) if (!isOurs(path)) throw damagedError(folder, `${path} is no file of an installation`);
  return { manifest, files };
}

async function parseManifest(folder: string): Promise<Manifest> {
  const text = await readBackupText(folder, manifestFile);
  const parsed = parseJsonOrUndefined(text) as Partial<Manifest> | undefined;
  // Before all else: another format may have other fields.
  if (typeof parsed?.format === 'number' && (parsed.format > format || isNewerVersion(String(parsed.version))))
    throw new Error(
      `${folder} is a backup of Bindery ${parsed.version}, and this is ${version}: restore it with that version or a later one`,
    );
  const { success, data } = manifestSchema.safeParse(parsed);
  if (!success) throw damagedError(folder, `${manifestFile} cannot be read`);
  return data;
}

async function readBackupText(folder: string, name: string): Promise<string> {
  try {
    return await readFile(join(folder, name), 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new Error(`${folder} is not a complete backup: it has no ${name}`);
    throw new Error(`${folder} cannot be read (${code ?? message})`);
  }
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error for a backup that is not as it was written. */
export const damagedError = (folder: string, what: string): Error =>
  new Error(`the backup ${folder} is damaged: ${what}. Nothing was restored`);

const parseFileLine = (line: string): BackedUpFile => ({ sha256: line.slice(0, 64), path: line.slice(66) });

/** Whether a path is one that a backup has; none of them leads out of a folder. */
const isOurs = (path: string): boolean =>
  /^(bindery\.sqlite|secret\.key|blobs\/([0-9a-f]{2}|expiring)\/[0-9a-f]{64})$/.test(path) ||
  /^analytics\/store(\/[\w%@~-][\w.%@~-]*){3,}$/.test(path);

const versionNumbers = (text: string) => text.split('-', 1)[0]?.split('.').map(Number) ?? [];

/** Whether a version is later than that of this program. */
function isNewerVersion(other: string): boolean {
  const own = versionNumbers(version);
  const at = versionNumbers(other).findIndex((number, index) => number !== own[index]);
  return at >= 0 && (versionNumbers(other)[at] ?? 0) > (own[at] ?? 0);
}
