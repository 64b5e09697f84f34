import { pathBytes, type RawPaths } from '../../format/space/path-names.js';
import {
  fetchTip,
  localRefOf,
  type RepositoryCommit,
  readCommit,
  runInSession,
  type Session,
  type SessionOptions,
  withRemote,
} from './clone-session.js';
import { errorWordsOf, GitFailure, recognizeRejection } from './command/failure.js';
import { runGit } from './command/run.js';
import { dataOf, fastImport, quotePath } from './fast-import.js';
import { branchText, checkRef, type ListingOptions, listFiles } from './fetch.js';
import { BlobReader } from './tree/blob-reader.js';
import { type ResolvedFile, resolveFiles } from './tree/listing.js';

export interface BranchOptions extends SessionOptions, ListingOptions {
  /** `refs/heads/<branch>` */
  ref: string;
  /** Commits at which the branch may begin where the repository does not have it, best first. */
  beginnings: readonly string[];
}

/** The files of a commit. */
export interface BranchTree {
  /** By path. */
  files: ReadonlyMap<string, ResolvedFile>;
  /** The paths of what is no file: submodules, and symbolic links that lead to none. */
  others: readonly string[];
  raw: RawPaths;
}

/** A branch of a repository, to be read and written. */
export interface Branch {
  /** The commit that it is at; absent where the repository does not have the branch. */
  tip: RepositoryCommit | undefined;
  /** The parent of a new commit: the tip, or where the branch begins; absent where it begins without files. */
  parent: RepositoryCommit | undefined;
  /** The tree of the parent. */
  tree: BranchTree;
  /** The tree of a commit of the repository; without one, an empty tree. */
  treeOf(commit: string | undefined): Promise<BranchTree>;
  /** Whether the branch has a commit: as its tip, or under a few others. */
  holds(commit: string): Promise<boolean>;
  /** Makes a commit on top of the parent, in the clone alone; its hash. */
  commit(made: NewCommit): Promise<string>;
  /** Makes a commit the tip of the branch. Throws GitFailure `moved` when the branch has another tip by now. */
  push(oid: string): Promise<void>;
}

export interface NewCommit {
  message: string;
  /** `Name <address>` */
  author: string;
  /** `Name <address>`; the author by default. */
  committer?: string;
  /** By path. */
  changes: ReadonlyMap<string, FileChange>;
}

/** The new content of a file with its mode; null removes it. */
export type FileChange = { read(): Promise<Buffer>; mode: string } | null;

/** Opens a branch and works on it while nobody else uses the clone. Throws GitFailure. */
export async function workOnBranch<T>(options: BranchOptions, work: (branch: Branch) => Promise<T>): Promise<T> {
  checkRef(options.ref);
  return runInSession(options, async (session) => work(await openBranch(session, options)));
}

async function openBranch(session: Session, options: BranchOptions): Promise<Branch> {
  const { ref, beginnings } = options;
  const to = localRefOf(ref);
  const isAtBranch = await tryFetch(session, { from: ref, to });
  const from = isAtBranch ? ref : await fetchFirstFound(session, [...beginnings, 'HEAD'], to);
  const parent = from === undefined ? undefined : await readCommit(session, to);
  const tree = parent ? await openBranchTree(session, parent.oid, options) : emptyTree;
  return {
    tip: isAtBranch ? parent : undefined,
    parent,
    tree,
    async treeOf(commit) {
      if (commit === undefined) return emptyTree;
      await fetchTip(session, { from: commit, name: `commit ${commit}`, to });
      return openBranchTree(session, commit, options);
    },
    holds: async (commit) => isAtBranch && (parent?.oid === commit || isAmongLast(session, { commit, ref, to })),
    commit: (made) => writeCommit(session, { made, parent: parent?.oid, raw: tree.raw, to }),
    push: (oid) => pushCommit(session, { oid, ref, parent: parent?.oid }),
  };
}

async function fetchFirstFound(session: Session, candidates: string[], to: string): Promise<string | undefined> {
  for (const from of candidates) if (await tryFetch(session, { from, to })) return from;
  return undefined;
}

/** False where the repository does not have it. */
async function tryFetch(session: Session, { from, to }: { from: string; to: string }): Promise<boolean> {
  try {
    await fetchTip(session, { from, name: branchText(from), to });
    return true;
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'ref-not-found') return false;
    throw error;
  }
}

const emptyTree: BranchTree = { files: new Map(), others: [], raw: new Map() };

async function openBranchTree(session: Session, commit: string, options: BranchOptions): Promise<BranchTree> {
  const { signal } = session.stop;
  const { entries, submodules, raw } = await listFiles(session, commit, options);
  const reader = new BlobReader(session.place);
  const cancel = () => void reader.close();
  signal.addEventListener('abort', cancel);
  try {
    const files = await resolveFiles(entries, {
      maxFileBytes: Number.POSITIVE_INFINITY,
      readLink: (link) => reader.read(link),
    });
    const byPath = new Map(files.map((file) => [file.path, file]));
    const links = entries.flatMap(({ path }) => (byPath.has(path) ? [] : [path]));
    return { files: byPath, others: [...submodules, ...links], raw };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', cancel);
    await reader.close();
  }
}

/** Commits that others may have pushed on top of one that is looked for. */
const looksBack = 50;

/** Whether a commit is among the last ones of a branch. */
async function isAmongLast(session: Session, { commit, ref, to }: { commit: string; ref: string; to: string }) {
  const { place, stop } = session;
  await fetchTip(session, { from: ref, name: branchText(ref), to, depth: looksBack });
  const { code } = await runGit(['merge-base', '--is-ancestor', commit, to], place, { signal: stop.signal });
  stop.signal.throwIfAborted();
  return code === 0;
}

interface Writing {
  made: NewCommit;
  parent: string | undefined;
  raw: RawPaths;
  to: string;
}

/** Writes blobs, trees and the commit; its hash. */
async function writeCommit({ place, stop: { signal } }: Session, writing: Writing): Promise<string> {
  const oid = (await fastImport(place, { stream: importStream(writing), dates: 'now', signal })).trim();
  if (!/^[0-9a-f]{40,64}$/.test(oid)) throw new GitFailure('corrupt', 'git could not write the commit');
  return oid;
}

/** The stream that `git fast-import` reads; it ends with the question for the hash of the commit. */
async function* importStream({
  made: { message, author, committer = author, changes },
  parent,
  raw,
  to,
}: Writing): AsyncGenerator<Buffer | string> {
  yield `commit ${to}\nmark :1\nauthor ${author} now\ncommitter ${committer} now\n`;
  yield* dataOf(Buffer.from(message));
  if (parent !== undefined) yield `from ${parent}\n`;
  for (const [path, change] of changes) if (change === null) yield `D ${quotePath(pathBytes(raw, path))}\n`;
  for (const [path, change] of changes) {
    if (change === null) continue;
    const content = await change.read();
    yield `M ${change.mode} inline ${quotePath(pathBytes(raw, path))}\n`;
    yield* dataOf(content);
  }
  yield '\nget-mark :1\ndone\n';
}

interface Pushing {
  oid: string;
  ref: string;
  parent: string | undefined;
}

async function pushCommit(session: Session, { oid, ref, parent }: Pushing): Promise<void> {
  const { url, stop } = session;
  await withRemote(session, 'push', async (remote, run) => {
    const tryPush = () => run(['push', '--porcelain', '--progress', '--', remote.href, `${oid}:${ref}`]);
    let pushed = await tryPush();
    // The branch begins at a commit that no branch of the repository has any more, so that its history goes with it.
    if (parent !== undefined && pushed.stdout.includes('(shallow update not allowed)')) {
      await run([
        'fetch',
        '--unshallow',
        '--no-tags',
        '--no-write-fetch-head',
        '--progress',
        '--',
        remote.href,
        parent,
      ]);
      pushed = await tryPush();
    }
    const { code, stdout, stderr } = pushed;
    stop.signal.throwIfAborted();
    if (code === 0) return;
    const secrets = [url.username, url.password];
    const porcelain = stdout.toString();
    const words = errorWordsOf(`${porcelain}\n${stderr}`, secrets);
    const failure = recognizeRejection({ porcelain, stderr }, secrets) ?? remote.failure(stderr);
    if (!failure) throw new GitFailure('network', 'the push failed', words);
    throw new GitFailure(failure.reason, failure.message, words);
  });
}
