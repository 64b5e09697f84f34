import { type HasStore, StoreConflict } from '../../../../shared/store/port.js';
import { type Roots, readSettings, storeContent, storeSettings } from '../../core/revisions/chunks.js';
import { carriedFields } from '../../core/revisions/commit.js';
import { documentId, pageDocuments, type RevisionDocument } from '../../core/revisions/model.js';
import { eachPageOf, type PageEntry, type RevisionView } from '../../core/revisions/revision-view.js';
import type { HasLedger, Owner } from '../../core/storage/ledger.js';

/** Documents and files that are copied in one batch. */
const atOnce = { documents: 50, files: 200 };

export interface CopiedContent {
  roots: Roots;
  fields: Pick<RevisionDocument, 'variables' | 'tags' | 'treeURL' | 'repository'>;
}

/** Stores the content of a revision for another space, which shares nothing with it but files. Nothing points at it yet. */
export async function copyContent(
  deps: HasStore & HasLedger,
  view: RevisionView,
  { owner, signal }: { owner: Owner; signal?: AbortSignal },
): Promise<CopiedContent> {
  const { ledger } = deps;
  for (const part of partsOf(documentsIn(view), atOnce.documents)) {
    signal?.throwIfAborted();
    await copyDocuments(deps, part, { from: view.revision.space, owner });
  }
  for (const part of partsOf(view.files, atOnce.files)) {
    signal?.throwIfAborted();
    await ledger.addUses(owner, part);
  }
  const { repository, ...fields } = carriedFields(view);
  const { roots } = await storeContent(deps, {
    ...owner,
    content: {
      // Lists of their own: those of the view are known to be cut into the chunks of its space.
      pages: copyPages(view.pages),
      files: [...view.files],
      reusable: [...view.reusable],
      redirects: [...view.redirects.values()],
      outside: [...view.outside],
    },
  });
  if (!repository) return { roots, fields };
  const settings = await storeSettings(deps, owner, await readSettings(deps.store, view.revision));
  return { roots, fields: { ...fields, repository: { ...repository, settings } } };
}

/** The ids of the documents of a revision within its space. */
const documentsIn = ({ pages, reusable }: RevisionView): string[] => [
  ...new Set([...eachPageOf(pages), ...reusable].flatMap(({ document }) => document ?? [])),
];

async function copyDocuments(
  { store, ledger }: HasStore & HasLedger,
  oids: string[],
  { from, owner }: { from: string; owner: Owner },
): Promise<void> {
  const found = await store.getMany(
    pageDocuments,
    oids.map((oid) => documentId(from, oid)),
  );
  // The space has other content by now, and what it no longer needs is removed.
  if (found.length < oids.length) throw new StoreConflict(pageDocuments.name);
  const { space } = owner;
  const copies = found.map((document, at) => ({ ...document, _id: documentId(space, oids[at] as string), space }));
  await ledger.addDocuments(owner, pageDocuments, copies);
}

const copyPages = (pages: readonly PageEntry[]): PageEntry[] =>
  pages.map((page) => ({ ...page, pages: copyPages(page.pages) }));

function* partsOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
