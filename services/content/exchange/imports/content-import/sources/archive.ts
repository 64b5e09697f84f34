import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HasRoom } from '../../../../../../shared/disk/room.js';
import { scaleMs } from '../../../../../../shared/settings/time-scale.js';
import { bounds, megabytesText } from '../../../conversion/bounds.js';
import type { ConversionWork } from '../../../conversion/conversion-work.js';
import type { GivenFile } from '../../../conversion/model.js';
import { refusal } from '../../../conversion/refused.js';
import type { HasProxy } from '../../../git/address/proxy.js';
import { GitFailure } from '../../../git/command/failure.js';
import { fetchTree } from '../../../git/fetch.js';
import type { SourceTree } from '../../../git/tree/source-tree.js';
import type { ImportSource } from '../resources.js';
import { type FetchedFile, type FetchedFiles, isArchive, mediaType, readStart } from './fetched-files.js';

export const archiveMs = scaleMs(120_000);

/** Checks that a file is an archive, and no web page in its place. */
export async function checkArchive({ file, size, contentType }: FetchedFile): Promise<void> {
  if (size === 0) throw refusal('url: the answer is empty');
  if (await isArchive(file)) return;
  const isWebPage =
    mediaType(contentType) === 'text/html' ||
    (await readStart(file, 200)).toString('latin1').trimStart().startsWith('<');
  throw refusal(
    isWebPage
      ? 'url: the answer is a web page, and no ZIP archive; give the address of the exported file, which needs no account'
      : 'url: the answer is no ZIP archive',
  );
}

/** Fetches an archive and unpacks it. */
export async function fetchArchive(
  { conversion, files, organization }: { conversion: ConversionWork; files: FetchedFiles; organization: string },
  { url, source }: { url: string; source: ImportSource },
): Promise<GivenFile[]> {
  const archive = await files.fetchFile(url, { maxBytes: bounds.archive, timeoutMs: archiveMs });
  await checkArchive(archive);
  const folder = join(files.folder, 'unpacked');
  return conversion.unpacked({ archive: archive.file, folder, nested: source === 'notion' }, organization);
}

type GitDependencies = HasProxy & HasRoom & { cacheDir: string };

/** Wikis of GitHub have one branch. */
const branches = ['master', 'main'];

/** Fetches the repository of a wiki. Throws 422 where there is none. */
export async function fetchWiki(
  deps: GitDependencies,
  { owner, url, folder, signal }: { owner: string; url: string; folder: string; signal: AbortSignal },
): Promise<GivenFile[]> {
  const tree = await fetchWikiTree(deps, { owner, url, signal });
  try {
    const wanted = tree.files.filter(({ size }) => size <= bounds.file);
    const bytes = wanted.reduce((sum, { size }) => sum + size, 0);
    if (wanted.length > bounds.entries || bytes > bounds.unpacked)
      throw refusal(`url: the wiki has more than ${bounds.entries} files or ${megabytesText(bounds.unpacked)}`);
    const files: GivenFile[] = [];
    for (const [at, { path, size }] of wanted.entries()) {
      const file = join(folder, `wiki-${at}`);
      await writeFile(file, await tree.read(path));
      files.push({ path, file, size });
    }
    return files;
  } finally {
    await tree.close();
  }
}

async function fetchWikiTree(
  { proxy, cacheDir, room }: GitDependencies,
  { owner, url, signal }: { owner: string; url: string; signal: AbortSignal },
): Promise<SourceTree> {
  let failure: unknown;
  for (const branch of branches) {
    try {
      return await fetchTree({
        owner,
        url,
        proxy,
        cacheDir,
        room,
        signal,
        ref: `refs/heads/${branch}`,
        timeoutMs: archiveMs,
      });
    } catch (error) {
      signal.throwIfAborted();
      failure ??= error;
      if (!(error instanceof GitFailure) || error.reason !== 'ref-not-found') break;
    }
  }
  throw failure instanceof GitFailure ? refusal(`url: ${failure.message}`) : failure;
}
