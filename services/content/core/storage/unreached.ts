import {
  type Collection,
  type Document,
  eachDocument,
  type Filter,
  type HasStore,
  type Store,
  StoreConflict,
  type Write,
  write,
} from '../../../../shared/store/port.js';
import { type ChunkDocument, chunks, documentId, pageDocuments, revisions } from '../revisions/model.js';
import { documentBytes, type HasLedger, type Owner } from './ledger.js';
import { type BlobUseDocument, blobUses, type UsageDocument, usages } from './model.js';

type Dependencies = HasStore & HasLedger;

/** The kind of the job that counts a space, and removes what nothing reaches any more. Its order key is that of imports. */
export const tidySpace = 'tidySpace';

const atOnce = 100;
const chunksAtOnce = 20;
/** Attempts, each after content was committed meanwhile. */
const maxAttempts = 100;

interface Removal {
  /** The ids of the revisions that stay. */
  kept(): Promise<string[]>;
  /** The blobs that stay besides. */
  keptBlobs(): Promise<string[]>;
  signal: AbortSignal;
}

/**
 * Removes from a space what the revisions that stay do not reach. Writers go on meanwhile: what is removed after somebody
 * committed is looked for again, and a writer whose content was removed before its commit begins again.
 */
export async function removeUnreachedContent(deps: Dependencies, owner: Owner, removal: Removal): Promise<void> {
  const reached = new Reached(deps.store, owner.space);
  for (let attempt = 1; ; attempt++) {
    const usage = await deps.store.get(usages, owner.space, { fields: ['commits'] });
    const guard = sweepWrite(owner, usage?.commits);
    try {
      await reached.add(await removal.kept());
      for (const blob of await removal.keptBlobs()) reached.blobs.add(blob);
      return await removeAllBut(deps, owner, { reached, guard, signal: removal.signal });
    } catch (error) {
      if (!(error instanceof StoreConflict) || attempt === maxAttempts) throw error;
      removal.signal.throwIfAborted();
    }
  }
}

/** The write that goes with each removal: it fails when content was committed since these commits were counted, or the space was transferred. */
function sweepWrite({ space, organization }: Owner, commits = 0): Write {
  const same: Filter<UsageDocument> = {
    _id: space,
    organization,
    commits: commits === 0 ? { $in: [0, null] } : commits,
  };
  return write.update(usages, same, { $inc: { sweeps: 1 } }, { expect: 1 });
}

interface Removing {
  reached: Reached;
  guard: Write;
  signal: AbortSignal;
}

async function removeAllBut(deps: Dependencies, owner: Owner, removing: Removing): Promise<void> {
  const { store, ledger } = deps;
  const { space } = owner;
  const { reached, guard, signal } = removing;
  await runInParts(await listOtherIds(store, revisions, { space, keep: reached.revisions }), signal, (part) =>
    store.batch([guard, write.delete(revisions, { _id: { $in: part } })]),
  );
  await removeDocuments(deps, owner, { collection: pageDocuments, keep: reached.documents, ...removing });
  await removeDocuments(deps, owner, { collection: chunks, keep: reached.chunks, ...removing });
  const unused: BlobUseDocument[] = [];
  for await (const use of eachDocument(store, blobUses, { space })) if (!reached.blobs.has(use.blob)) unused.push(use);
  await runInParts(unused, signal, (part) => ledger.removeBlobUses(owner, part, [guard]));
}

async function runInParts<T>(items: T[], signal: AbortSignal, act: (part: T[]) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += atOnce) {
    signal.throwIfAborted();
    await act(items.slice(start, start + atOnce));
  }
}

/** The ids of the documents of a space that are not kept. */
async function listOtherIds<D extends Document & { space: string }>(
  store: Store,
  collection: Collection<D>,
  { space, keep }: { space: string; keep: ReadonlySet<string> },
): Promise<string[]> {
  const ids: string[] = [];
  const ofSpace = { space } as Filter<D>;
  for await (const { _id } of eachDocument(store, collection, ofSpace, ['_id'])) if (!keep.has(_id)) ids.push(_id);
  return ids;
}

async function removeDocuments<D extends Document & { space: string }>(
  { store, ledger }: Dependencies,
  owner: Owner,
  { collection, keep, guard, signal }: Removing & { collection: Collection<D>; keep: ReadonlySet<string> },
): Promise<void> {
  const { space } = owner;
  await runInParts(await listOtherIds(store, collection, { space, keep }), signal, async (ids) => {
    const documents = await store.getMany(collection, ids);
    const bytes = documents.reduce((sum, document) => sum + documentBytes(document), 0);
    const removals = documents.map(({ _id }) => write.delete(collection, { _id } as Filter<D>, { expect: 1 }));
    await ledger.removeCounted(owner, bytes, [guard, ...removals]);
  });
}

/** Collects the ids of everything that revisions of a space refer to. */
class Reached {
  readonly revisions = new Set<string>();
  readonly chunks = new Set<string>();
  readonly documents = new Set<string>();
  readonly blobs = new Set<string>();

  constructor(
    private readonly store: Store,
    private readonly space: string,
  ) {}

  async add(ids: readonly string[]): Promise<void> {
    const more = ids.filter((id) => !this.revisions.has(id));
    for (let start = 0; start < more.length; start += atOnce) {
      const part = await this.store.getMany(revisions, more.slice(start, start + atOnce));
      for (const { _id, pages, files, reusable, redirects = [], outside = [], repository } of part) {
        this.revisions.add(_id);
        const settings = repository ? [repository.settings] : [];
        await this.addChunks([...pages, ...files, ...reusable, ...redirects, ...outside, ...settings]);
      }
    }
  }

  private async addChunks(roots: string[]): Promise<void> {
    let next = roots;
    while (next.length > 0) {
      const ids = [...new Set(next)].filter((id) => !this.chunks.has(id));
      next = [];
      for (let start = 0; start < ids.length; start += chunksAtOnce) {
        const part = ids.slice(start, start + chunksAtOnce);
        for (const id of part) this.chunks.add(id);
        for (const chunk of await this.store.getMany(chunks, part)) next.push(...this.collectIds(chunk));
      }
    }
  }

  /** Notes what a chunk holds; returns the chunks below it. */
  private collectIds({ pages = [], reusable = [], files = [] }: ChunkDocument): string[] {
    for (const { document } of [...pages, ...reusable])
      if (document !== undefined) this.documents.add(documentId(this.space, document));
    for (const { blob } of files) this.blobs.add(blob);
    return pages.flatMap(({ children }) => children);
  }
}

/** Removes all content of a space that is gone, and takes it off the count. */
export async function removeSpaceContent(deps: Dependencies, owner: Owner, signal: AbortSignal): Promise<void> {
  const { store } = deps;
  const { space, organization } = owner;
  await removeUnreachedContent(deps, owner, { kept: async () => [], keptBlobs: async () => [], signal });
  const left = await store.get(usages, space);
  if (left)
    await store.batch([
      write.delete(usages, { _id: space }, { expect: 1 }),
      write.update(usages, { _id: organization }, { $inc: { bytes: -left.bytes } }),
    ]);
}
