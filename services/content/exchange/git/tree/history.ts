import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scaleMs } from '../../../../../shared/settings/time-scale.js';
import { eachInSlices } from '../../../../../shared/work/slices.js';
import { decodeName } from '../../../format/space/path-names.js';
import type { GuardedProxy } from '../address/proxy.js';
import { openRemote, parseRemote } from '../address/remote.js';
import { clonePlaceOf, discardClone, runWithLock, tidyClone } from '../cache.js';
import { NulItems } from '../command/nul-items.js';
import { type GitPlace, runGit } from '../command/run.js';
import { maxPath } from './listing.js';
import type { FileTimes } from './source-tree.js';

const maxOutput = 128 * 1024 ** 2;
/** The options of the fetch that the history belongs to. */
export interface HistoryOptions {
  owner: string;
  url: string;
  ref: string;
  proxy: GuardedProxy;
  cacheDir: string;
  cacheId?: string;
  historyMaxBytes?: number;
  signal?: AbortSignal;
}

/** Milliseconds to read a history; the import goes on without it. */
const maxHistoryMs = scaleMs(30_000);
/** The file in the place of a clone that marks its history as too large, so that imports do not try again each time. */
const leftOut = 'history-left-out';

/**
 * When files were first and last committed, up to a commit: from the history without the files, which is small. Empty when that
 * is too large, takes too long or cannot be fetched; an import works without it.
 */
export async function readFileTimes(
  options: HistoryOptions,
  commit: string,
  paths: ReadonlySet<string>,
): Promise<Map<string, FileTimes>> {
  const { url, proxy, cacheDir, cacheId = '', signal: outer } = options;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), maxHistoryMs);
  const signal = outer ? AbortSignal.any([outer, limit.signal]) : limit.signal;
  try {
    const { href } = parseRemote(url, proxy.allowCidrs);
    const clone = await clonePlaceOf(cacheDir, href, cacheId);
    if (!(await pathExists(join(clone.gitDir, 'shallow'))))
      return (await readTimes(clone, { commit, paths }, limit, signal)) ?? new Map();
    const place = await clonePlaceOf(cacheDir, href, `${cacheId}\nhistory`);
    return await runWithLock(place, signal, async () => {
      if (await pathExists(join(place.gitDir, leftOut))) return new Map();
      await tidyClone(place);
      const fetched = await fetchHistory(place, options, limit, signal);
      const times = fetched ? await readTimes(place, { commit, paths }, limit, signal) : undefined;
      if (limit.signal.aborted) await markLeftOut(place);
      return times ?? new Map();
    });
  } catch {
    return new Map();
  } finally {
    clearTimeout(timer);
  }
}

const pathExists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

async function markLeftOut({ gitDir }: GitPlace): Promise<void> {
  await discardClone(gitDir);
  await mkdir(gitDir, { recursive: true });
  await writeFile(join(gitDir, leftOut), '');
}

async function fetchHistory(
  place: GitPlace,
  { owner, url, ref, proxy, historyMaxBytes = 64_000_000 }: HistoryOptions,
  limit: AbortController,
  signal: AbortSignal,
): Promise<boolean> {
  await runGit(['init', '--bare', '--quiet', '--template='], place, { signal });
  const remote = await openRemote({
    owner,
    url: parseRemote(url, proxy.allowCidrs),
    proxy,
    maxBytes: historyMaxBytes,
    onTooLarge: () => limit.abort(),
  });
  try {
    const args = ['fetch', '--filter=blob:none', '--no-tags', '--no-write-fetch-head', '--force', '--', remote.href];
    const { code } = await runGit([...args, `${ref}:refs/fetched/history`], place, {
      config: remote.config,
      env: remote.env,
      signal,
    });
    return code === 0 && !signal.aborted;
  } finally {
    remote.close();
  }
}

async function readTimes(
  place: GitPlace,
  { commit, paths }: { commit: string; paths: ReadonlySet<string> },
  limit: AbortController,
  signal: AbortSignal,
): Promise<Map<string, FileTimes> | undefined> {
  const log = new TimesLog(paths);
  const args = ['log', '--no-show-signature', '--no-renames', '--name-only', '-z', '--format=%x01%ct', commit, '--'];
  const { code, overflow } = await runGit(args, place, {
    signal,
    maxOutput,
    onOutput: (chunk) => log.takeOutput(chunk),
  });
  if (overflow) limit.abort();
  return code === 0 && !signal.aborted ? log.timesByPath() : undefined;
}

/** Parses the output of `git log -z --name-only` chunk by chunk: `\x01<seconds>`, then the names of files. */
class TimesLog {
  private readonly found = new Map<string, { first: number; last: number }>();
  private readonly items = new NulItems(maxPath + 1);
  private seconds = Number.NaN;

  constructor(private readonly paths: ReadonlySet<string>) {}

  takeOutput(chunk: Buffer): void {
    for (const item of this.items.takeChunk(chunk)) this.noteItem(decodeName(item));
  }

  private noteItem(item: string): void {
    const text = item.replace(/^\n/, '');
    if (text.startsWith('\x01')) this.seconds = Number(text.slice(1));
    else if (this.paths.has(text) && Number.isSafeInteger(this.seconds)) {
      const { first, last } = this.found.get(text) ?? { first: this.seconds, last: this.seconds };
      this.found.set(text, { first: Math.min(first, this.seconds), last: Math.max(last, this.seconds) });
    }
  }

  async timesByPath(): Promise<Map<string, FileTimes>> {
    const now = Math.floor(Date.now() / 1000);
    const at = (seconds: number) => new Date(Math.max(0, Math.min(seconds, now)) * 1000).toISOString();
    const times = new Map<string, FileTimes>();
    await eachInSlices(this.found, ([path, { first, last }]) => {
      times.set(path, { createdAt: at(first), updatedAt: at(last) });
    });
    return times;
  }
}
