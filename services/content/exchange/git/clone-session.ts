import { createHash } from 'node:crypto';
import type { Room } from '../../../../shared/disk/room.js';
import { scaleMs } from '../../../../shared/settings/time-scale.js';
import type { GuardedProxy } from './address/proxy.js';
import { openRemote, parseRemote, type Remote, type RemoteUrl } from './address/remote.js';
import { clonePlaceOf, discardClone, runWithLock, sweepClones, tidyClone } from './cache.js';
import { errorWordsOf, GitFailure, roomFailure } from './command/failure.js';
import { type GitPlace, type GitResult, runGit } from './command/run.js';

export interface FetchProgress {
  stage: 'receiving' | 'resolving';
  done: number;
  total: number;
}

export interface SessionOptions {
  /** The owner of the session, such as an organization. */
  owner: string;
  /** http(s); may contain credentials, which never appear in an argument, on disk or in an error. */
  url: string;
  proxy: GuardedProxy;
  /** The folder that keeps clones from session to session; one process a folder. */
  cacheDir: string;
  /** Sessions with one URL and the same id share a clone. */
  cacheId?: string;
  /** Bytes of all clones together; the least recently used are dropped first. 4 GiB by default. */
  cacheMaxBytes?: number;
  /** Free space on the disk with the clones. When it is short, clones that nobody uses are dropped, and the session ends with `no-room`. */
  room?: Room;
  /** For the whole session, including the wait for others with the same clone. 10 minutes by default. */
  timeoutMs?: number;
  /** Limit of transferred bytes of each fetch or push. 1 GB by default. */
  maxBytes?: number;
  /** Aborts the session. */
  signal?: AbortSignal;
  onProgress?: (progress: FetchProgress) => void;
}

/** Access to a repository by way of its clone, which nobody else uses meanwhile. */
export interface Session {
  place: GitPlace;
  url: RemoteUrl;
  options: SessionOptions;
  stop: AbortController;
}

/** Runs work alone on the clone of a repository; once more with a new clone when this one is damaged. Throws GitFailure. */
export async function runInSession<T>(options: SessionOptions, work: (session: Session) => Promise<T>): Promise<T> {
  const url = parseRemote(options.url, options.proxy.allowCidrs);
  const stop = new AbortController();
  const timeoutMs = options.timeoutMs ?? scaleMs(600_000);
  const timer = setTimeout(() => {
    stop.abort(new GitFailure('timeout', `the repository could not be read within ${Math.ceil(timeoutMs / 1000)} s`));
  }, timeoutMs);
  const watching = setInterval(() => lacksRoom(options) && stop.abort(roomFailure()), 250).unref();
  const cancel = () => stop.abort(new GitFailure('aborted', 'the operation was cancelled'));
  if (options.signal?.aborted) cancel();
  options.signal?.addEventListener('abort', cancel);
  try {
    const place = await clonePlaceOf(options.cacheDir, url.href, options.cacheId);
    if (lacksRoom(options)) await dropUnusedClones(place, options.cacheDir);
    const done = await runWithLock(place, stop.signal, () => workOnClone({ place, url, options, stop }, work));
    // A full disk or a foreign file must not fail what is done already.
    await sweepClones(options.cacheDir, place, options.cacheMaxBytes ?? 4 * 1024 ** 3).catch(() => undefined);
    return done;
  } finally {
    clearTimeout(timer);
    clearInterval(watching);
    options.signal?.removeEventListener('abort', cancel);
  }
}

function lacksRoom({ room }: SessionOptions): boolean {
  try {
    room?.refuseIfFull();
    return false;
  } catch {
    return true;
  }
}

/** Drops every clone that nobody uses. Throws: whether that was enough, the next attempt sees. */
async function dropUnusedClones({ home }: GitPlace, cacheDir: string): Promise<never> {
  await sweepClones(cacheDir, { home, gitDir: cacheDir }, 0);
  throw roomFailure();
}

async function workOnClone<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
  const { place } = session;
  await tidyClone(place);
  try {
    return await prepareAndWork(session, work);
  } catch (error) {
    // Remains of an unfinished fetch would take space until the next one.
    if (error instanceof GitFailure && error.reason === 'no-room') await tidyClone(place);
    if (!(error instanceof GitFailure) || error.reason !== 'corrupt') throw error;
    await discardClone(place.gitDir);
    return prepareAndWork(session, work);
  }
}

async function prepareAndWork<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
  const { signal } = session.stop;
  throwUnlessDone(await runGit(['init', '--bare', '--quiet', '--template='], session.place, { signal }), signal);
  return work(session);
}

interface Fetching {
  /** A branch, `HEAD`, or the hash of a commit. */
  from: string;
  /** The name of `from` for people. */
  name: string;
  /** The ref of the clone. */
  to: string;
  /** The number of commits; 1 by default. */
  depth?: number;
}

/** Fetches the tip of a branch, or another commit, without the history before. */
export async function fetchTip(session: Session, { from, name, to, depth = 1 }: Fetching): Promise<void> {
  const { onProgress } = session.options;
  const args = ['fetch', `--depth=${depth}`, '--no-tags', '--no-write-fetch-head', '--progress', '--force', '--'];
  await withRemote(session, 'fetch', async (remote, run) => {
    const result = await run([...args, remote.href, `${from}:${to}`], onProgress && newProgressReader(onProgress));
    throwUnlessDone(result, session.stop.signal, (stderr) => fetchFailure(stderr, remote, session.url, name));
  });
}

type RunRemote = (args: readonly string[], onError?: (text: string) => void) => Promise<GitResult>;

/** Runs git with a guarded connection to the repository. */
export async function withRemote<T>(
  { place, url, options, stop }: Session,
  what: 'fetch' | 'push',
  work: (remote: Remote, run: RunRemote) => Promise<T>,
): Promise<T> {
  const { maxBytes = 1_000_000_000, proxy, owner } = options;
  const remote = await openRemote({
    owner,
    url,
    proxy,
    maxBytes,
    onTooLarge: () => {
      const limit = Math.ceil(maxBytes / 1_000_000);
      stop.abort(new GitFailure('too-large', `the repository has more than ${limit} MB to ${what}`));
    },
  });
  try {
    const { config, env } = remote;
    return await work(remote, (args, onError) => {
      const readProgress = (text: string) => {
        if (text.includes('remote: ')) remote.heard();
        onError?.(text);
      };
      return runGit(args, place, { config, env, signal: stop.signal, onError: readProgress });
    });
  } finally {
    remote.close();
  }
}

export interface RepositoryCommit {
  oid: string;
  message: string;
  /** ISO time. */
  committedAt: string;
}

/** Bytes of a commit message that are kept. */
const maxMessage = 16_000;

export async function readCommit({ place, stop: { signal } }: Session, ref: string): Promise<RepositoryCommit> {
  const shown = await runGit(['log', '-1', '--no-show-signature', '--format=%H%n%ct%n%B', ref, '--'], place, {
    signal,
    maxOutput: maxMessage,
  });
  if (!shown.overflow) throwUnlessDone(shown, signal);
  signal.throwIfAborted();
  const [oid = '', seconds, ...message] = shown.stdout.toString().split('\n');
  const committed = new Date(Number(seconds) * 1000);
  return {
    oid,
    message: message.join('\n').trim(),
    committedAt: (Number.isNaN(committed.getTime()) ? new Date(0) : committed).toISOString(),
  };
}

/** Throws GitFailure unless git did what it was asked for. */
export function throwUnlessDone(
  { code, stderr, overflow }: GitResult,
  signal: AbortSignal,
  failureOf: (stderr: string) => Error = (stderr) => unreadableFailure(errorWordsOf(stderr)),
): void {
  signal.throwIfAborted();
  if (code !== 0 || overflow) throw failureOf(stderr);
}

export const unreadableFailure = (words: string) =>
  new GitFailure('corrupt', 'git could not read the repository', words);

function fetchFailure(stderr: string, remote: Remote, { username, password }: RemoteUrl, name: string): GitFailure {
  const words = errorWordsOf(stderr, [username, password]);
  const failure = remote.failure(stderr);
  if (!failure) return unreadableFailure(words);
  const { reason, message } = failure;
  return new GitFailure(reason, reason === 'ref-not-found' ? `the repository has no ${name}` : message, words);
}

/** Names of refs are hashed: a remote may replace branch `a` by `a/b`, which cannot exist side by side as files. */
export const localRefOf = (ref: string): string => `refs/fetched/${createHash('sha1').update(ref).digest('hex')}`;

function newProgressReader(report: (progress: FetchProgress) => void): (text: string) => void {
  return (text) => {
    for (const line of text.split(/[\r\n]/)) {
      const match = /^(Receiving objects|Resolving deltas):\s+\d+% \((\d+)\/(\d+)\)/.exec(line);
      if (!match) continue;
      const stage = match[1] === 'Receiving objects' ? 'receiving' : 'resolving';
      report({ stage, done: Number(match[2]), total: Number(match[3]) });
    }
  };
}
