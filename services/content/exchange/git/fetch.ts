import { scaleMs } from '../../../../shared/settings/time-scale.js';
import { isPullRef, isValidRef } from './address/ref.js';
import { discardClone, holdClone } from './cache.js';
import {
  fetchTip,
  localRefOf,
  type RepositoryCommit,
  readCommit,
  runInSession,
  type Session,
  type SessionOptions,
  throwUnlessDone,
  unreadableFailure,
} from './clone-session.js';
import { errorWordsOf, GitFailure, recognizeFailure } from './command/failure.js';
import { type GitPlace, runGit } from './command/run.js';
import { BlobReader } from './tree/blob-reader.js';
import { readFileTimes } from './tree/history.js';
import { resolveFiles, TreeListing } from './tree/listing.js';
import type { SourceTree } from './tree/source-tree.js';

/** Bytes of the list of all files. */
const maxListing = 48_000_000;

export interface ListingOptions {
  /** Lists only files below this folder; paths stay relative to the repository. */
  within?: string;
  /** 100 MB by default. */
  maxFileBytes?: number;
  /** 100,000 by default. */
  maxFiles?: number;
  /** For listing the files. 30 s by default. */
  listingMs?: number;
}

export interface FetchOptions extends SessionOptions, ListingOptions {
  /** `refs/heads/<branch>` */
  ref: string;
  /** Limit of transferred bytes for the history without its files. 64 MB by default. */
  historyMaxBytes?: number;
}

/** Throws GitFailure for a name that is no branch. */
export function checkRef(ref: string): void {
  if (!isValidRef(ref) && !isPullRef(ref))
    throw new GitFailure('invalid', 'the ref must be refs/heads/<branch> with a valid branch name');
}

/** The name of a branch in messages. */
export const branchText = (ref: string): string =>
  isPullRef(ref) ? `pull request ${ref.split('/')[2]}` : `branch ${ref.slice('refs/heads/'.length)}`;

/** Fetches the tip of a branch and opens it for reading. Throws GitFailure. */
export async function fetchTree(options: FetchOptions): Promise<SourceTree> {
  const { ref } = options;
  checkRef(ref);
  return runInSession(options, async (session) => {
    await fetchTip(session, { from: ref, name: branchText(ref), to: localRefOf(ref) });
    return openFetchedTree(session, options);
  });
}

async function openFetchedTree(session: Session, options: FetchOptions): Promise<SourceTree> {
  const { place, stop } = session;
  const { signal } = stop;
  const commit = await readCommit(session, localRefOf(options.ref));
  const listing = await listFiles(session, commit.oid, options);
  const reader = new BlobReader(place);
  const release = holdClone(place);
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
      ...newGitTree(place, reader, close, commit, files),
      paths: listing.entries.map(({ path }) => path),
      leftOut: listing.leftOut,
      times: (paths) => readFileTimes(options, commit.oid, paths),
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
export async function listFiles(
  { place, stop }: Session,
  commit: string,
  { maxFiles = 100_000, listingMs = scaleMs(30_000) }: ListingOptions,
): Promise<TreeListing> {
  const listing = new TreeListing();
  const { signal } = stop;
  const limit = setTimeout(() => {
    stop.abort(new GitFailure('too-large', 'the folders of the repository take too long to list'));
  }, listingMs);
  const listed = await runGit(['ls-tree', '-r', '-z', '-l', '--full-tree', commit], place, {
    signal,
    maxOutput: maxListing,
    onOutput(chunk) {
      if (signal.aborted) return;
      try {
        listing.takeChunk(chunk);
      } catch (error) {
        return stop.abort(error);
      }
      if (listing.entries.length <= maxFiles) return;
      stop.abort(new GitFailure('too-large', `the repository has more than ${maxFiles} files`));
    },
  }).finally(() => clearTimeout(limit));
  signal.throwIfAborted();
  if (listed.overflow) throw new GitFailure('too-large', 'the paths of the repository are too long');
  throwUnlessDone(listed, signal, (stderr) => recognizeFailure(stderr) ?? unreadableFailure(errorWordsOf(stderr)));
  return listing;
}

function newGitTree(
  place: GitPlace,
  reader: BlobReader,
  close: () => Promise<void>,
  commit: RepositoryCommit,
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
          discarded ??= discardClone(place.gitDir);
          await discarded;
        }
        throw error;
      }
    },
    close,
  };
}
