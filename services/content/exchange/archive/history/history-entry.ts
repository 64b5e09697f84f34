import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { HasStore } from '../../../../../shared/store/port.js';
import type { ArchiveEntry } from '../../../../../shared/zip/zip-stream.js';
import { type RevisionDocument, revisions } from '../../../core/revisions/model.js';
import type { HasRevisions } from '../../../core/revisions/revision-cache.js';
import type { RevisionView } from '../../../core/revisions/revision-view.js';
import { makeScratchFolder, removeScratchFolder } from '../../../core/storage/scratch.js';
import { blobOidInSlices } from '../../../format/space/blob-oid.js';
import { homeOf } from '../../git/cache.js';
import { throwUnlessDone } from '../../git/clone-session.js';
import { GitFailure } from '../../git/command/failure.js';
import { type GitPlace, runGit } from '../../git/command/run.js';
import { dataOf, fastImport, quotePath } from '../../git/fast-import.js';
import { historyBounds } from './bounds.js';
import { revisionMessage } from './commit-message.js';

type Dependencies = HasStore & HasRevisions & { scratchDir: string };

/** The files of a revision: Git's hash of each by its path, and the bytes of one. */
export interface RevisionFiles {
  oids: ReadonlyMap<string, string>;
  read(path: string): Promise<Buffer>;
}

export interface ExportedHistory {
  /** The entry of the archive. */
  path: string;
  /** The present content of the space. */
  tip: RevisionView;
  filesOf(view: RevisionView): Promise<RevisionFiles>;
  /** The names of the members of the organization, by the ids of their users. */
  names: ReadonlyMap<string, string>;
  signal: AbortSignal;
}

const branch = 'refs/heads/main';

/** Packs are the same for the same objects, and take little memory. */
const packing = [
  ['core.fsync', 'none'],
  ['core.bigFileThreshold', '100m'],
  ['pack.windowMemory', '100m'],
] as const;

/**
 * The history of a space as a Git bundle with a commit for each revision. No entry where the present content alone is more than a history
 * may be.
 */
export async function* historyEntry(deps: Dependencies, history: ExportedHistory): AsyncGenerator<ArchiveEntry> {
  const folder = await makeScratchFolder(deps.scratchDir);
  try {
    const place = { gitDir: join(folder, 'repository'), home: await homeOf(folder) };
    const { signal } = history;
    const git = async (...args: string[]) =>
      throwUnlessDone(await runGit(args, place, { signal, config: packing }), signal);
    await git('init', '--bare', '--quiet', '--template=');
    if (!(await writeCommits(deps, place, history))) return;
    const bundle = join(folder, 'history.bundle');
    await git('bundle', 'create', '--quiet', bundle, branch);
    if ((await stat(bundle)).size <= historyBounds.bytes)
      yield { path: history.path, content: createReadStream(bundle) };
  } finally {
    await removeScratchFolder(folder);
  }
}

/** False where there is none. */
async function writeCommits(deps: Dependencies, place: GitPlace, history: ExportedHistory): Promise<boolean> {
  let commits = 0;
  const counted = async function* () {
    const planned: Planned[] = [];
    yield* planCommits(deps, history, planned);
    commits = planned.length;
    yield* commitsOf(planned.reverse(), history.names);
    yield 'done\n';
  };
  await fastImport(place, { stream: counted(), dates: 'raw', signal: history.signal });
  return commits > 0;
}

/** A commit to be made. */
interface Planned {
  revision: RevisionDocument;
  /** Git's hashes of its files by their paths, until those of the revision before it are known. */
  files: ReadonlyMap<string, string>;
  /** The files that it has otherwise than the revision before it, with null for those that it lacks; of the first one, all its files. */
  changes: ReadonlyMap<string, string | null>;
}

/** Writes the files of revisions, the latest first, until there are as many as a history may have. */
async function* planCommits(
  deps: Dependencies,
  { tip, filesOf }: ExportedHistory,
  planned: Planned[],
): AsyncGenerator<Buffer | string> {
  // Of a page that is no UTF-8, the space has the hash of its bytes, but not these.
  const written = new Map<string, string>();
  const room = { bytes: historyBounds.bytes, changes: historyBounds.changes };
  for await (const view of eachRevision(deps, tip)) {
    const found = await filesOf(view).catch((error) => leaveOut(error, view === tip));
    if (!found) continue;
    const { oids, read } = found;
    const files = new Map<string, string>();
    for (const [path, oid] of oids) {
      if (!written.has(oid)) {
        const content = await read(path);
        room.bytes -= content.length;
        if (room.bytes < 0) return;
        yield 'blob\n';
        yield* dataOf(content);
        written.set(oid, await blobOidInSlices(content));
      }
      files.set(path, written.get(oid) as string);
    }
    const later = planned.at(-1);
    const changes = later ? changesBetween(files, later.files) : noFiles;
    room.changes -= changes.size;
    if (room.changes < files.size) return;
    if (later) [later.changes, later.files] = [changes, noFiles];
    planned.push({ revision: view.revision, files, changes: files });
  }
}

/** Leaves out an earlier revision whose names do not go beside each other in a folder: nobody can change it any more. */
function leaveOut(error: unknown, isPresent: boolean): undefined {
  if (isPresent || !(error instanceof GitFailure) || error.reason !== 'conflict') throw error;
}

const noFiles: ReadonlyMap<string, string> = new Map();

/** The primary content of a space from the present one back. What was removed meanwhile is left out. */
async function* eachRevision(
  { store, revisions: cache }: Dependencies,
  tip: RevisionView,
): AsyncGenerator<RevisionView> {
  const { _id, space, createdAt } = tip.revision;
  const { items } = await store.page(revisions, {
    filter: { space, primary: true, createdAt: { $lte: createdAt } },
    sort: { createdAt: -1 },
    limit: historyBounds.revisions,
    fields: ['createdAt'],
  });
  yield tip;
  for (const each of items) {
    const view = each._id === _id ? undefined : await cache.find(space, each._id);
    if (view) yield view;
  }
}

/** The files that `to` has otherwise than `from`. */
function changesBetween(
  from: ReadonlyMap<string, string>,
  to: ReadonlyMap<string, string>,
): Map<string, string | null> {
  const changes = new Map<string, string | null>();
  for (const path of from.keys()) if (!to.has(path)) changes.set(path, null);
  for (const [path, oid] of to) if (from.get(path) !== oid) changes.set(path, oid);
  return changes;
}

/** The commits, the first one first. */
function* commitsOf(planned: Planned[], names: ReadonlyMap<string, string>): Generator<Buffer | string> {
  for (const { revision, changes } of planned) {
    const who = `${identOf(revision, names)} ${Math.floor(Date.parse(revision.createdAt) / 1000)} +0000`;
    yield `commit ${branch}\nauthor ${who}\ncommitter ${who}\n`;
    yield* dataOf(Buffer.from(revisionMessage(revision)));
    for (const [path, oid] of changes) if (oid === null) yield `D ${quotePath(Buffer.from(path))}\n`;
    for (const [path, oid] of changes) if (oid !== null) yield `M 100644 ${oid} ${quotePath(Buffer.from(path))}\n`;
    yield '\n';
  }
}

/** Who made a revision, as members may know: the address is none. */
function identOf({ author }: RevisionDocument, names: ReadonlyMap<string, string>): string {
  if (author === undefined) return 'System <system@users.noreply>';
  const name = (names.get(author) ?? '').replace(/[<>\p{Cc}]/gu, '').trim();
  return `${name || author} <${author}@users.noreply>`;
}
