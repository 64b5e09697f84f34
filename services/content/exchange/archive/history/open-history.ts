import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { scaleMs } from '../../../../../shared/settings/time-scale.js';
import { runInScratchFolder } from '../../../core/storage/scratch.js';
import { refusal } from '../../conversion/refused.js';
import { homeOf } from '../../git/cache.js';
import { throwUnlessDone } from '../../git/clone-session.js';
import { errorWordsOf, recognizeFailure } from '../../git/command/failure.js';
import { type GitOptions, type GitPlace, runGit } from '../../git/command/run.js';
import { BlobReader } from '../../git/tree/blob-reader.js';
import { historyBounds } from './bounds.js';
import type { CommittedRevision } from './commit-message.js';
import { type HistoryCommit, HistoryLog } from './history-log.js';

/** A revision of a history. Its files are those of the moment: they change when the next revision is asked for. */
export interface HistoryState {
  /** The hash of the commit. */
  commit: string;
  revision: CommittedRevision;
  /** Git's hash of each file, by its path in the folder of the space. */
  oids: ReadonlyMap<string, string>;
  /** Bytes of each file. */
  sizes: ReadonlyMap<string, number>;
  open(path: string): Promise<Readable>;
  read(path: string): Promise<Buffer>;
}

/** The history of a space, as an archive has it. */
export interface OpenedHistory {
  revisions: readonly CommittedRevision[];
  /** The oldest first. */
  states(): Generator<HistoryState>;
}

interface Opening {
  /** The name of the bundle in messages. */
  name: string;
  bundle: AsyncIterable<Buffer>;
  /** Where files may be written meanwhile. */
  scratchDir: string;
  signal: AbortSignal;
}

/** For opening a history. */
const maxOpeningMs = scaleMs(600_000);

/**
 * Opens the history in a bundle, which may come from anyone, in a repository of its own: it is whole, sound, and one line of commits of
 * plain files. Throws 422 with what is wrong.
 */
export async function runWithHistory<T>(opening: Opening, run: (history: OpenedHistory) => Promise<T>): Promise<T> {
  return runInScratchFolder(opening.scratchDir, async (folder) => {
    const limit = AbortSignal.timeout(maxOpeningMs);
    const signal = AbortSignal.any([opening.signal, limit]);
    const place = { gitDir: join(folder, 'repository'), home: await homeOf(folder) };
    const reader = new BlobReader(place);
    try {
      const opened = await readRepository({ ...opening, signal }, place).catch((error) => {
        if (limit.aborted) throw refusal(`${opening.name}: takes more than ${maxOpeningMs / 1000} s to read`);
        throw error;
      });
      const revisions = opened.commits.map(({ revision }) => revision);
      return await run({ revisions, states: () => statesOf(opened, reader) });
    } finally {
      await reader.close();
    }
  });
}

interface Repository {
  commits: HistoryCommit[];
  /** Bytes of each file, by its hash. */
  sizes: ReadonlyMap<string, number>;
}

/** A delta of some kilobytes can unpack to gigabytes. */
const env = { GIT_ALLOC_LIMIT: '256m' };
const reading = [
  ['core.fsync', 'none'],
  ['core.bigFileThreshold', '100m'],
] as const;

async function readRepository({ name, bundle, signal }: Opening, place: GitPlace): Promise<Repository> {
  const git = async (args: string[], options: GitOptions = {}) => {
    const result = await runGit(args, place, { config: reading, env, signal, ...options });
    throwUnlessDone(result, options.signal ?? signal, (stderr) => {
      const failure = recognizeFailure(stderr);
      return failure?.reason === 'no-room' ? failure : unsound(name, errorWordsOf(stderr));
    });
  };
  /** An error of `take` ends git. */
  const gitInto = async (args: string[], maxOutput: number, take: (chunk: Buffer) => void) => {
    const stop = new AbortController();
    const onOutput = (chunk: Buffer) => {
      if (stop.signal.aborted) return;
      try {
        take(chunk);
      } catch (error) {
        stop.abort(error);
      }
    };
    await git(args, { maxOutput, onOutput, signal: AbortSignal.any([signal, stop.signal]) });
  };
  await git(['init', '--bare', '--quiet', '--template=']);
  const pack = join(place.gitDir, 'objects', 'pack', 'pack-history.pack');
  await mkdir(dirname(pack), { recursive: true });
  let tip = '';
  const readTip = (found: string) => {
    tip = found;
  };
  await pipeline(Readable.from(packIn(bundle, name, readTip)), createWriteStream(pack), { signal });
  // A name that another system could not write is a file all the same: nothing is checked out.
  await git(['index-pack', '--strict=hasDotgit=ignore', pack]);
  const sizes = new Sizes(name);
  const sizesOfAll = ['cat-file', '--batch-check', '--batch-all-objects', '--unordered'];
  await gitInto(sizesOfAll, Number.POSITIVE_INFINITY, (chunk) => sizes.takeChunk(chunk));
  const log = new HistoryLog(name, sizes.files);
  await gitInto(logOf(tip), maxLog, (chunk) => log.takeChunk(chunk));
  return { commits: log.commits, sizes: sizes.files };
}

const unsound = (name: string, words: string) => refusal(`${name}: is no sound Git bundle: ${words.slice(0, 200)}`);

/** Bytes of all paths and messages. */
const maxLog = 1_000_000_000;

/** The commits in their order, with the files that each changes. */
const logOf = (tip: string): string[] => [
  'log',
  '--reverse',
  '--topo-order',
  '--no-show-signature',
  '--format=%H %P%x00%B',
  '--raw',
  '-r',
  '-z',
  '--no-abbrev',
  '--no-renames',
  '--root',
  tip,
  '--',
];

/** Bytes before the pack. */
const maxHeader = 1000;

/** The pack of a bundle that has the branch `main` and nothing else, and needs no other commits. */
async function* packIn(
  bundle: AsyncIterable<Buffer>,
  name: string,
  readTip: (tip: string) => void,
): AsyncGenerator<Buffer> {
  let header: Buffer | undefined = Buffer.alloc(0);
  for await (const piece of bundle) {
    if (!header) {
      yield piece;
      continue;
    }
    header = Buffer.concat([header, piece]);
    const end = header.indexOf('\n\n');
    if (end < 0 && header.length < maxHeader) continue;
    const [, tip] = /^# v2 git bundle\n([0-9a-f]{40}) refs\/heads\/main$/.exec(header.toString('latin1', 0, end)) ?? [];
    if (tip === undefined) break;
    readTip(tip);
    yield header.subarray(end + 2);
    header = undefined;
  }
  if (header) throw refusal(`${name}: must be a Git bundle (version 2) of refs/heads/main alone, with all its commits`);
}

/** The sizes of all files of a repository, from the output of `git cat-file --batch-check`. */
class Sizes {
  readonly files = new Map<string, number>();
  private bytes = 0;
  private objects = 0;
  private cut = '';

  constructor(private readonly name: string) {}

  /** Throws 422 for more than a history may have. */
  takeChunk(chunk: Buffer): void {
    const lines = (this.cut + chunk.toString('latin1')).split('\n');
    this.cut = lines.pop() as string;
    for (const line of lines) {
      const [oid = '', type, size] = line.split(' ');
      if (++this.objects > historyBounds.objects)
        throw refusal(`${this.name}: has more than ${historyBounds.objects} Git objects`);
      if (type !== 'blob') continue;
      this.files.set(oid, Number(size));
      this.bytes += Number(size);
      if (this.bytes > historyBounds.bytes)
        throw refusal(`${this.name}: has files of more than ${historyBounds.bytes} bytes`);
    }
  }
}

function* statesOf({ commits, sizes: bySize }: Repository, reader: BlobReader): Generator<HistoryState> {
  const oids = new Map<string, string>();
  const sizes = new Map<string, number>();
  const read = (path: string) => reader.read(oids.get(path) as string);
  for (const { oid: commit, revision, changes } of commits) {
    for (const [path, oid] of changes) {
      if (oid === null) {
        oids.delete(path);
        sizes.delete(path);
      } else {
        oids.set(path, oid);
        sizes.set(path, bySize.get(oid) as number);
      }
    }
    yield { commit, revision, oids, sizes, read, open: async (path) => Readable.from([await read(path)]) };
  }
}
