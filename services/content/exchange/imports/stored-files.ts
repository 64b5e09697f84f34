import { lookup } from 'mime-types';
import { newId } from '../../../../shared/values/ids.js';
import { KeyedSemaphore } from '../../../../shared/work/semaphore.js';
import { isTaskFailure } from '../../../../shared/workers/workers.js';
import type { FileEntry } from '../../core/revisions/model.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import type { HasLedger, Owner } from '../../core/storage/ledger.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { SourceFile, SourceTree } from '../git/tree/source-tree.js';
import { checkFiles } from './import-limits.js';

const filesAtOnce = 4;
/** Bytes. One larger file at a time is read in this process. */
const largeFile = 8_000_000;
const largeFiles = new KeyedSemaphore();
/** Images of one import that may take too long to look at; the others stay without dimensions then. */
const maxSlowImages = 3;

interface StoreFiles {
  tree: SourceTree;
  owner: Owner;
  paths: string[];
  before: RevisionView | null;
  signal: AbortSignal | undefined;
}

type Dependencies = HasWork & HasLedger;
type Content = Pick<FileEntry, 'blob' | 'dimensions'>;
type SourcedContent = Pick<SourceFile, 'path' | 'size'> & { look: ReturnType<typeof newImageLook> };

/** Stores files of a tree as blobs, except those that the revision before has already. Equal files are read once. */
export async function storeFiles(
  deps: Dependencies,
  { tree, owner, paths, before, signal }: StoreFiles,
): Promise<FileEntry[]> {
  const byPath = new Map(tree.files.map((file) => [file.path, file]));
  const sources = paths.flatMap((path) => byPath.get(path) ?? []);
  checkFiles(sources);
  const contents = new Map<string, Promise<Content>>(
    (before?.files ?? []).flatMap(({ git, blob, dimensions }) =>
      git ? [[git.oid, Promise.resolve({ blob, ...(dimensions ? { dimensions } : {}) })] as const] : [],
    ),
  );
  const look = newImageLook(deps, owner);
  const entries: FileEntry[] = new Array(sources.length);
  let next = 0;
  const runLane = async () => {
    for (let index = next++; index < sources.length; index = next++) {
      signal?.throwIfAborted();
      const { path, oid, size } = sources[index] as SourceFile;
      const name = path.slice(path.lastIndexOf('/') + 1);
      const contentType = lookup(name) || 'application/octet-stream';
      const content = contents.get(oid) ?? storeFileContent(deps, { tree, owner, path, size, look });
      contents.set(oid, content);
      entries[index] = { id: '', name, contentType, size, git: { oid, path }, ...(await content) };
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, runLane));
  return keepFileIds(entries, before);
}

async function storeFileContent(
  { ledger }: Dependencies,
  { tree, owner, path, size, look }: Pick<StoreFiles, 'tree' | 'owner'> & SourcedContent,
): Promise<Content> {
  const store = async () => {
    const bytes = await tree.read(path);
    const blob = await ledger.addFile(owner, bytes);
    const dimensions = (lookup(path) || '').startsWith('image/') ? await look(bytes) : undefined;
    return { blob, ...(dimensions ? { dimensions } : {}) };
  };
  return size > largeFile ? largeFiles.run('', store) : store();
}

/** Looks at images; one that cannot be read, or takes too long, has no dimensions. */
function newImageLook({ work }: Dependencies, { organization }: Owner) {
  let slow = 0;
  return async (image: Buffer): Promise<FileEntry['dimensions']> => {
    if (slow >= maxSlowImages) return undefined;
    try {
      return await work.dimensions(image, organization);
    } catch (error) {
      if (!isTaskFailure(error)) throw error;
      slow++;
      return undefined;
    }
  };
}

/** A file keeps its id by its path; a moved file, by its content. */
function keepFileIds(entries: FileEntry[], before: RevisionView | null): FileEntry[] {
  const paths = new Set(entries.map((file) => file.git?.path));
  const moved = new Map(
    (before?.files ?? []).flatMap((file) =>
      file.git && !paths.has(file.git.path) ? [[file.git.oid, file.id] as const] : [],
    ),
  );
  return entries.map((file) => {
    const { path = '', oid = '' } = file.git ?? {};
    const id = before?.fileByPath.get(path)?.id ?? moved.get(oid) ?? newId();
    moved.delete(oid);
    return { ...file, id };
  });
}
