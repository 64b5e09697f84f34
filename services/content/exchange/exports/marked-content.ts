import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { eachInSlices } from '../../../../shared/work/slices.js';
import type { ContentChanges } from '../../core/revisions/derived-view.js';
import { documentId, type GitBlob, type PageDocument, pageDocuments } from '../../core/revisions/model.js';
import { pageMetaFields, withoutMeta } from '../../core/revisions/page-fields.js';
import { type OwnFields, PageTree } from '../../core/revisions/page-tree.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import type { HasLedger, Owner } from '../../core/storage/ledger.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { ExportedContent } from './exported-content.js';
import { splitIntoParts } from './page-sources.js';

type Dependencies = HasWork & HasLedger;
type Read = Pick<PageDocument, 'meta'>;

/** The content that an export wrote, by the ids of pages, files and reusable content. */
export interface Marks extends Pick<ExportedContent, 'paths' | 'oids' | 'sources'> {
  /** The parsed form of the sources that were written. */
  read: ReadonlyMap<string, Read>;
}

const atOnce = 32;

/** Stores the sources that an export wrote as page documents. Nothing points at them yet. */
export async function storeSources(
  { work, ledger }: Dependencies,
  owner: Owner,
  { sources, paths }: Pick<ExportedContent, 'sources' | 'paths'>,
): Promise<Map<string, Read>> {
  const read = new Map<string, Read>();
  const { space } = owner;
  for (const part of splitIntoParts([...sources], atOnce)) {
    const wanted = part.map(([id, { source }]) => ({ path: paths.get(id) ?? '', source }));
    const pages = await work.read(wanted, owner.organization);
    const documents: PageDocument[] = [];
    for (const [at, [id, { source, oid }]] of part.entries()) {
      const page = pages[at];
      if (!page || 'refused' in page) continue;
      read.set(id, page);
      documents.push({ _id: documentId(space, oid), space, source, ...page });
    }
    await ledger.addDocuments(owner, pageDocuments, documents);
  }
  return read;
}

/** Content with what an export wrote: the files of its items, and the sources that were written. */
export async function markContent(marks: Marks, view: RevisionView): Promise<ContentChanges> {
  const tree = new PageTree(view);
  await eachInSlices(view.pageById.values(), (page) => {
    const marked = markPage(marks, page);
    if (marked) tree.replace(marked);
  });
  const files = changeFields(view.files, (file) => gitBlobAfter(marks, file));
  const reusable = changeFields(view.reusable, (entry) => {
    const made = writtenSourceOf(marks, entry);
    const git = gitBlobAfter(marks, entry);
    return made || git ? { ...(git ?? {}), ...(made ? { document: made.oid } : {}) } : undefined;
  });
  return omitUndefined({ pages: tree.buildPages(), files, reusable });
}

/** The items with the fields that differ; undefined where none does. */
function changeFields<T>(items: T[], change: (item: T) => Partial<T> | undefined): T[] | undefined {
  let differs = false;
  const made = items.map((item) => {
    const fields = change(item);
    if (!fields) return item;
    differs = true;
    return { ...item, ...fields };
  });
  return differs ? made : undefined;
}

interface Item {
  id: string;
  git?: GitBlob;
  document?: string | undefined;
}

/** The source that was written of an item, unless the item has another by now. */
function writtenSourceOf({ sources, read }: Marks, { id, document }: Item) {
  const [made, page] = [sources.get(id), read.get(id)];
  return made && page && made.of === document ? { oid: made.oid, meta: page.meta } : undefined;
}

/** Where the item lies in the repository; undefined where it says so already. */
function gitBlobAfter(marks: Marks, item: Item): { git: GitBlob } | undefined {
  const path = marks.paths.get(item.id);
  if (path === undefined) return undefined;
  const oid = writtenSourceOf(marks, item)?.oid ?? item.document ?? marks.oids.get(path) ?? '';
  return item.git?.path === path && item.git.oid === oid ? undefined : { git: { oid, path } };
}

function markPage(marks: Marks, entry: PageEntry): OwnFields | undefined {
  const git = gitBlobAfter(marks, entry);
  const made = writtenSourceOf(marks, entry);
  if (!made && !git) return undefined;
  const { pages: _, ...page } = entry;
  if (!made) return { ...page, ...git };
  const { heading: __, ...kept } = withoutMeta(page);
  const { emoji = page.emoji, ...meta } = pageMetaFields(made.meta);
  return { ...kept, ...meta, ...(emoji ? { emoji } : {}), document: made.oid, ...git };
}
