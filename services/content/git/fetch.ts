import { createHash } from 'node:crypto';
import type { Room } from '../../../shared/disk/room.js';
import type { GuardedProxy } from '../../../shared/outbound/proxy.js';
import { validRef } from './address/ref.js';
import { openRemote, parseRemote, type Remote, type RemoteUrl } from './address/remote.js';
import { discard, hold, locked, placeOf, sweep, tidy } from './cache.js';
import { GitFailure, remoteFailure, roomFailure, wordsOf } from './command/failure.js';
import { type GitPlace, type GitResult, runGit } from './command/run.js';
import { BlobReader } from './tree/blob-reader.js';
import { fileTimes } from './tree/history.js';
import { Listing, resolveFiles } from './tree/listing.js';
import type { SourceTree } from './tree/source-tree.js';

/** Bytes of the list of all files. */
const largestListing = 48_000_000;
/** Bytes of a commit message that are kept. */
const longestMessage = 16_000;

export interface FetchProgress {
  stage: 'receiving' | 'resolving';
  done: number;
  total: number;
}

export interface FetchOptions {
  /** http(s); may contain credentials, which never appear in an argument, on disk or in an error. */
  url: string;
  /** `refs/heads/<branch>` */
  ref: string;
  proxy: GuardedProxy;
  /** The folder that keeps clones from fetch to fetch; one process a folder. */
  cacheDir: string;
  /** Fetches of one URL with the same id share a clone. */
  cacheId?: string;
  /** Bytes of all clones together; the least recently used are dropped first. 4 GiB by default. */
  cacheMaxBytes?: number;
  /** Of the disk with the clones. When it is short, clones that nobody uses are dropped, and the fetch ends with `no-room`. */
  room?: Room;
  /** Lists only files below this folder; paths stay relative to the repository. */
  within?: string;
  /** For the whole fetch, including the wait for other fetches of the same clone. 10 minutes by default. */
  timeoutMs?: number;
  /** Limit of transferred bytes. 1 GB by default. */
  maxBytes?: number;
  /** Limit of transferred bytes for the history without its files. 64 MB by default. */
  historyMaxBytes?: number;
  /** 100 MB by default. */
  maxFileBytes?: number;
  /** 100,000 by default. */
  maxFiles?: number;
  /** For listing the files. 30 s by default. */
  listingMs?: number;
  /** Aborts the fetch, and later reads. */
  signal?: AbortSignal;
  onProgress?: (progress: FetchProgress) => void;
}

/** Fetches the tip of a branch and opens it for reading. Throws GitFailure. */
export async function fetchTree(options: FetchOptions): Promise<SourceTree> {
  if (!validRef(options.ref))
    throw new GitFailure('invalid', 'the ref must be refs/heads/<branch> with a valid branch name');
  const url = parseRemote(options.url, options.proxy.allowCidrs);
  const stop = new AbortController();
  const timeoutMs = options.timeoutMs ?? 600_000;
  const timer = setTimeout(() => {
    stop.abort(
      new GitFailure('timeout', `the repository could not be fetched within ${Math.ceil(timeoutMs / 1000)} s`),
    );
  }, timeoutMs);
  const watching = setInterval(() => isShort(options) && stop.abort(roomFailure()), 250).unref();
  const cancel = () => stop.abort(new GitFailure('aborted', 'the fetch was cancelled'));
  if (options.signal?.aborted) cancel();
  options.signal?.addEventListener('abort', cancel);
  try {
    const place = await placeOf(options.cacheDir, url.href, options.cacheId);
    if (isShort(options)) await makeRoom(place, options.cacheDir);
    const tree = await locked(place, stop.signal, () => fetchAndOpen(place, url, options, stop));
    // A full disk or a foreign file must not fail an import that is already fetched.
    await sweep(options.cacheDir, place, options.cacheMaxBytes ?? 4 * 1024 ** 3).catch(() => undefined);
    return tree;
  } finally {
    clearTimeout(timer);
    clearInterval(watching);
    options.signal?.removeEventListener('abort', cancel);
  }
}

function isShort({ room }: FetchOptions): boolean {
  try {
    room?.check();
    return false;
  } catch {
    return true;
  }
}

/** Drops every clone that nobody uses. Throws: whether that was enough, the next attempt sees. */
async function makeRoom({ home }: GitPlace, cacheDir: string): Promise<never> {
  await sweep(cacheDir, { home, gitDir: cacheDir }, 0);
  throw roomFailure();
}

async function fetchAndOpen(
  place: GitPlace,
  url: RemoteUrl,
  options: FetchOptions,
  stop: AbortController,
): Promise<SourceTree> {
  await tidy(place);
  try {
    await fetchRef(place, url, options, stop);
    return await openTree(place, options, stop);
  } catch (error) {
    // What an unfinished fetch left would take the room until the next.
    if (error instanceof GitFailure && error.reason === 'no-room') await tidy(place);
    if (!(error instanceof GitFailure) || error.reason !== 'corrupt') throw error;
    await discard(place.gitDir);
    await fetchRef(place, url, options, stop);
    return openTree(place, options, stop);
  }
}

async function fetchRef(place: GitPlace, url: RemoteUrl, options: FetchOptions, stop: AbortController): Promise<void> {
  const { signal } = stop;
  const maxBytes = options.maxBytes ?? 1_000_000_000;
  must(await runGit(['init', '--bare', '--quiet', '--template='], place, { signal }), signal);
  const remote = await openRemote({
    url,
    proxy: options.proxy,
    maxBytes,
    onTooLarge: () => {
      const limit = Math.ceil(maxBytes / 1_000_000);
      stop.abort(new GitFailure('too-large', `the repository has more than ${limit} MB to fetch`));
    },
  });
  try {
    const args = [
      'fetch',
      '--depth=1',
      '--no-tags',
      '--no-write-fetch-head',
      '--progress',
      '--force',
      '--',
      remote.href,
    ];
    const result = await runGit([...args, `${options.ref}:${localRef(options.ref)}`], place, {
      config: remote.config,
      env: remote.env,
      signal,
      onError: options.onProgress && progressReader(options.onProgress),
    });
    must(result, signal, (stderr) => fetchFailure(stderr, remote, url, options.ref));
  } finally {
    remote.close();
  }
}

async function openTree(place: GitPlace, options: FetchOptions, stop: AbortController): Promise<SourceTree> {
  const { signal } = stop;
  const commit = await readCommit(place, localRef(options.ref), signal);
  const listing = await listFiles(place, commit.oid, options, stop);
  const reader = new BlobReader(place);
  const release = hold(place);
  const cancel = () => void reader.close(new GitFailure('aborted', 'the import was cancelled'));
  const close = async () => {
    options.signal?.removeEventListener('abort', cancel);
    await reader.close();
    release();
  };
  stop.signal.addEventListener('abort', cancel);
  options.signal?.addEventListener('abort', cancel);
  try {
    const files = await resolveFiles(listing.entries, {
      within: options.within,
      maxFileBytes: options.maxFileBytes ?? 100_000_000,
      readLink: (oid) => reader.read(oid),
    });
    signal.throwIfAborted();
    return {
      ...gitTree(place, reader, close, commit, files),
      paths: listing.entries.map(({ path }) => path),
      times: (paths) => fileTimes(options, commit.oid, paths),
    };
  } catch (error) {
    await close();
    throw signal.aborted ? signal.reason : error;
  } finally {
    stop.signal.removeEventListener('abort', cancel);
  }
}

/**
 * Trees may be nested in each other many times: a few kilobytes can list more files than any disk holds, or empty folders
 * without end.
 */
async function listFiles(
  place: GitPlace,
  commit: string,
  { maxFiles = 100_000, listingMs = 30_000 }: FetchOptions,
  stop: AbortController,
): Promise<Listing> {
  const listing = new Listing();
  const { signal } = stop;
  const limit = setTimeout(() => {
    stop.abort(new GitFailure('too-large', 'the folders of the repository take too long to list'));
  }, listingMs);
  const listed = await runGit(['ls-tree', '-r', '-z', '-l', '--full-tree', commit], place, {
    signal,
    maxOutput: largestListing,
    onOutput(chunk) {
      if (signal.aborted) return;
      listing.take(chunk);
      if (listing.entries.length <= maxFiles) return;
      stop.abort(new GitFailure('too-large', `the repository has more than ${maxFiles} files`));
    },
  }).finally(() => clearTimeout(limit));
  signal.throwIfAborted();
  if (listed.overflow) throw new GitFailure('too-large', 'the paths of the repository are too long');
  must(listed, signal, (stderr) => remoteFailure(stderr) ?? unreadable(wordsOf(stderr)));
  return listing;
}

function gitTree(
  place: GitPlace,
  reader: BlobReader,
  close: () => Promise<void>,
  commit: SourceTree['commit'],
  files: SourceTree['files'],
): SourceTree {
  const oids = new Map(files.map((file) => [file.path, file.oid]));
  let discarded: Promise<void> | undefined;
  return {
    commit,
    files,
    async read(path) {
      const oid = oids.get(path);
      if (oid === undefined) throw new Error(`${path} is not in the tree`);
      try {
        return await reader.read(oid);
      } catch (error) {
        if (error instanceof GitFailure && error.reason === 'corrupt') {
          discarded ??= discard(place.gitDir);
          await discarded;
        }
        throw error;
      }
    },
    close,
  };
}

async function readCommit(
  place: GitPlace,
  ref: string,
  signal: AbortSignal,
): Promise<{ oid: string; message: string; committedAt: string }> {
  const shown = await runGit(['log', '-1', '--no-show-signature', '--format=%H%n%ct%n%B', ref, '--'], place, {
    signal,
    maxOutput: longestMessage,
  });
  if (!shown.overflow) must(shown, signal);
  signal.throwIfAborted();
  const [oid = '', seconds, ...message] = shown.stdout.toString().split('\n');
  const committed = new Date(Number(seconds) * 1000);
  return {
    oid,
    message: message.join('\n').trim(),
    committedAt: (Number.isNaN(committed.getTime()) ? new Date(0) : committed).toISOString(),
  };
}

function must(
  { code, stderr, overflow }: GitResult,
  signal: AbortSignal,
  failureOf: (stderr: string) => GitFailure = (stderr) => unreadable(wordsOf(stderr)),
): void {
  signal.throwIfAborted();
  if (code !== 0 || overflow) throw failureOf(stderr);
}

const unreadable = (words: string) => new GitFailure('corrupt', 'git could not read the repository', words);

function fetchFailure(stderr: string, remote: Remote, { username, password }: RemoteUrl, ref: string): GitFailure {
  const words = wordsOf(stderr, [username, password]);
  const failure = remote.failure(stderr);
  if (!failure) return unreadable(words);
  const { reason, message } = failure;
  const named =
    reason === 'ref-not-found' ? `the repository has no branch ${ref.slice('refs/heads/'.length)}` : message;
  return new GitFailure(reason, named, words);
}

/** Names of refs are hashed: a remote may replace branch `a` by `a/b`, which cannot exist side by side as files. */
function localRef(ref: string): string {
  return `refs/fetched/${createHash('sha1').update(ref).digest('hex')}`;
}

function progressReader(report: (progress: FetchProgress) => void): (text: string) => void {
  return (text) => {
    for (const line of text.split(/[\r\n]/)) {
      const match = /^(Receiving objects|Resolving deltas):\s+\d+% \((\d+)\/(\d+)\)/.exec(line);
      if (!match) continue;
      const stage = match[1] === 'Receiving objects' ? 'receiving' : 'resolving';
      report({ stage, done: Number(match[2]), total: Number(match[3]) });
    }
  };
}
