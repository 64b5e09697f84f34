import { imageSize } from 'image-size';
import { lookup } from 'mime-types';
import { newId } from '../../../shared/ids.js';
import type { ContentDependencies } from '../dependencies.js';
import type { FileEntry } from '../revisions/model.js';
import type { RevisionView } from '../revisions/revision-view.js';
import type { Ledger, Owner } from '../storage/ledger.js';
import type { SourceFile, SourceTree } from './source-tree.js';

const filesAtOnce = 4;

/** Stores files of a tree as blobs, except those that the revision before has already. */
export async function storeFiles(
  { ledger }: Pick<ContentDependencies, 'ledger'>,
  {
    tree,
    owner,
    paths,
    before,
    signal,
  }: { tree: SourceTree; owner: Owner; paths: string[]; before: RevisionView | null; signal: AbortSignal | undefined },
): Promise<FileEntry[]> {
  const byPath = new Map(tree.files.map((file) => [file.path, file]));
  const known = new Map((before?.files ?? []).flatMap((file) => (file.git ? [[file.git.oid, file] as const] : [])));
  const sources = paths.flatMap((path) => byPath.get(path) ?? []);
  const entries: FileEntry[] = new Array(sources.length);
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < sources.length; index = next++) {
      signal?.throwIfAborted();
      entries[index] = await storeFile(ledger, { tree, owner, file: sources[index] as SourceFile, known });
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, lane));
  return withFileIds(entries, before);
}

async function storeFile(
  ledger: Ledger,
  {
    tree,
    owner,
    file,
    known,
  }: { tree: SourceTree; owner: Owner; file: SourceFile; known: ReadonlyMap<string, FileEntry> },
): Promise<FileEntry> {
  const { path, oid, size } = file;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const own = { id: '', name, contentType: lookup(name) || 'application/octet-stream', size, git: { oid, path } };
  const same = known.get(oid);
  if (same) return { ...own, blob: same.blob, ...(same.dimensions ? { dimensions: same.dimensions } : {}) };
  const content = await tree.read(path);
  const blob = await ledger.addFile(owner, content);
  const dimensions = own.contentType.startsWith('image/') ? dimensionsOf(content) : undefined;
  return { ...own, blob, ...(dimensions ? { dimensions } : {}) };
}

function dimensionsOf(content: Buffer): FileEntry['dimensions'] {
  try {
    const { width, height } = imageSize(content);
    return width && height ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}

/** A file keeps its id by its path; a moved file, by its content. */
function withFileIds(entries: FileEntry[], before: RevisionView | null): FileEntry[] {
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
