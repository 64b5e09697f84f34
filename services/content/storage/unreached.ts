import {
  type Collection,
  type Document,
  eachDocument,
  type Filter,
  type Store,
  write,
} from '../../../shared/store/port.js';
import type { JobKind } from '../../../shared/work/jobs.js';
import type { ContentDependencies } from '../dependencies.js';
import { type ChunkDocument, chunks, documentId, pageDocuments, revisions } from '../revisions/model.js';
import { spaces } from '../tree/model.js';
import { bytesOf, type Owner } from './ledger.js';
import { type BlobUseDocument, blobUses, usages } from './model.js';

type Dependencies = Pick<ContentDependencies, 'store' | 'ledger'>;

/** The kind of the job that counts a space, and removes what none of its revisions reaches. Its order key is that of imports. */
export const tidySpace = 'tidySpace';

const atOnce = 100;

export function tidySpaceJob(deps: Dependencies): JobKind<{ space: string }> {
  return {
    kind: tidySpace,
    attempts: 5,
    async run({ job: { payload }, signal }) {
      const { space } = payload;
      const found = await deps.store.get(spaces, space, { fields: ['organization'] });
      if (!found) return;
      const owner = { organization: found.organization, space };
      await deps.ledger.open(owner);
      await removeUnreached(deps, owner, signal);
    },
  };
}

interface Reached {
  chunks: Set<string>;
  documents: Set<string>;
  blobs: Set<string>;
}

/** Removes what failed imports left of a space. No import of the space may run meanwhile. */
async function removeUnreached(deps: Dependencies, owner: Owner, signal: AbortSignal): Promise<void> {
  const { store, ledger } = deps;
  const { space } = owner;
  const reached = await reachedIn(store, space);
  await removeDocuments(deps, owner, { collection: pageDocuments, keep: reached.documents, signal });
  await removeDocuments(deps, owner, { collection: chunks, keep: reached.chunks, signal });
  const unused: BlobUseDocument[] = [];
  for await (const use of eachDocument(store, blobUses, { space })) if (!reached.blobs.has(use.blob)) unused.push(use);
  for (let start = 0; start < unused.length; start += atOnce) {
    signal.throwIfAborted();
    await ledger.removeUses(owner, unused.slice(start, start + atOnce));
  }
}

/** Removes the documents of a space that are not kept, some at a time. */
async function removeDocuments<D extends Document & { space: string }>(
  { store, ledger }: Dependencies,
  owner: Owner,
  { collection, keep, signal }: { collection: Collection<D>; keep: ReadonlySet<string>; signal: AbortSignal },
): Promise<void> {
  const { space } = owner;
  const ids: string[] = [];
  const ofSpace = { space } as Filter<D>;
  for await (const { _id } of eachDocument(store, collection, ofSpace, ['_id'])) if (!keep.has(_id)) ids.push(_id);
  for (let start = 0; start < ids.length; start += atOnce) {
    signal.throwIfAborted();
    const documents = await store.getMany(collection, ids.slice(start, start + atOnce));
    const bytes = documents.reduce((sum, document) => sum + bytesOf(document), 0);
    await ledger.remove(
      owner,
      bytes,
      documents.map(({ _id }) => write.delete(collection, { _id } as Filter<D>, { expect: 1 })),
    );
  }
}

async function reachedIn(store: Store, space: string): Promise<Reached> {
  const reached: Reached = { chunks: new Set(), documents: new Set(), blobs: new Set() };
  let next: string[] = [];
  for await (const { pages, files, reusable, redirects = [], outside = [] } of eachDocument(store, revisions, {
    space,
  }))
    next.push(...pages, ...files, ...reusable, ...redirects, ...outside);
  while (next.length > 0) {
    const ids = [...new Set(next)].filter((id) => !reached.chunks.has(id));
    next = [];
    for (let start = 0; start < ids.length; start += atOnce) {
      const part = ids.slice(start, start + atOnce);
      for (const id of part) reached.chunks.add(id);
      for (const chunk of await store.getMany(chunks, part)) next.push(...reach(space, chunk, reached));
    }
  }
  return reached;
}

/** Notes what a chunk holds; returns the chunks below it. */
function reach(space: string, { pages = [], reusable = [], files = [] }: ChunkDocument, reached: Reached): string[] {
  for (const { document } of [...pages, ...reusable])
    if (document !== undefined) reached.documents.add(documentId(space, document));
  for (const { blob } of files) reached.blobs.add(blob);
  return pages.flatMap(({ children }) => children);
}

/** Removes all content of a space that is gone, and takes it off the count. */
export async function removeContent(deps: Dependencies, owner: Owner, signal: AbortSignal): Promise<void> {
  const { store } = deps;
  const { space, organization } = owner;
  await store.deleteMany(revisions, { space });
  await removeUnreached(deps, owner, signal);
  const left = await store.get(usages, space);
  if (left)
    await store.batch([
      write.delete(usages, { _id: space }, { expect: 1 }),
      write.update(usages, { _id: organization }, { $inc: { bytes: -left.bytes } }),
    ]);
}
