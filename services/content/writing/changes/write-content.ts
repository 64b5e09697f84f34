import { isDeepStrictEqual } from 'node:util';
import { isValid } from 'ulid';
import type { HasBlobs } from '../../../../shared/blobs/port.js';
import type { Caller } from '../../../../shared/contract/caller.js';
import { conflict, forbidden, invalid } from '../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../shared/store/port.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { type ContentChanges, deriveView } from '../../core/revisions/derived-view.js';
import { type FileEntry, revisions as revisionDocuments } from '../../core/revisions/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import { eachPageOf, type PageEntry, type RevisionView } from '../../core/revisions/revision-view.js';
import type { HasLedger, Owner } from '../../core/storage/ledger.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { withComputedPages } from '../../openapi/pages/computed-pages.js';
import { mayCompute } from '../../openapi/specs/find.js';
import { BatchWork } from './batch-work.js';
import { type Change, ContentDraft } from './content-draft.js';
import type { InsertedFile } from './inserted-files.js';
import { BatchLinkScope } from './link-targets.js';
import { OtherSpaces } from './other-spaces.js';
import { beginDocuments, deletePage, insertPage, nameRef, updatePage } from './page-changes.js';
import { PageSources } from './page-sources.js';
import { checkFileRoom, checkRoom } from './placement.js';
import { revertPage } from './reverting.js';

type Dependencies = HasStore & HasBlobs & HasTrees & HasRevisions & HasWork & HasLedger & { baseUrl: string };

export interface Writing extends Owner {
  caller: Caller;
  /** The content that is changed, and the one that it is based on. */
  tip: RevisionView;
  base: string;
  changes: readonly Change[];
  /** The revision that the writer saw. */
  seen: string | undefined;
  files: ReadonlyMap<number, InsertedFile[]>;
  /** Deadline for reading pages, in epoch milliseconds. */
  until?: number;
}

export interface WrittenContent {
  /** The difference from the tip; null if there is none. */
  content: ContentChanges | null;
  draft: ContentDraft;
  inserted: FileEntry[];
}

/** Applies changes to content, and stores the pages that they write. Throws 400 or 409 with the place of the change that is at fault. */
export async function writeContent(deps: Dependencies, writing: Writing): Promise<WrittenContent> {
  const { organization, tip, space, changes, seen, until } = writing;
  if (seen !== undefined && seen !== tip.revision._id) checkSeen(changes, await seenView(deps, space, seen), tip);
  const work = new BatchWork(deps.work, organization, until);
  try {
    return await writeBatch(deps, writing, new PageSources(deps, { organization, space }, work));
  } finally {
    work.end();
  }
}

async function writeBatch(
  deps: Dependencies,
  { organization, caller, tip, base, space, changes, files }: Writing,
  sources: PageSources,
): Promise<WrittenContent> {
  checkComputed(changes, { caller, organization });
  const earlier = (revision = base) => earlierView(deps, space, revision);
  const draft = new ContentDraft(tip, sources, earlier);
  await beginDocuments(draft, changes);
  for (const [at, change] of changes.entries())
    await applyChange(draft, change, files.get(at) ?? []).catch(placing(at));
  const inserted = draft.inserted.length > 0 ? [...tip.files, ...draft.inserted] : undefined;
  if (inserted) checkFileRoom(inserted.length);
  const content = { pages: draft.tree.buildPages(), ...(inserted ? { files: inserted } : {}) };
  checkRoom(draft.tree.size);
  const view = sources.haveLinks ? await deriveView(tip, tip.revision, content) : undefined;
  const others = new OtherSpaces(deps, { organization, caller });
  const { baseUrl } = deps;
  await sources.store(draft.tree, view && new BatchLinkScope({ before: tip, view, refs: draft.refs, others, baseUrl }));
  draft.settle();
  const pages = await computePages(deps, { organization, space, changes, tip, pages: draft.tree.buildPages() });
  const same = pages === tip.pages && !inserted;
  return { content: same ? null : { ...content, pages }, draft, inserted: draft.inserted };
}

/** Throws 403 for pages that would show an installation specifications which it may not read. */
function checkComputed(
  changes: readonly Change[],
  { caller, organization }: Pick<Writing, 'caller' | 'organization'>,
): void {
  const at = changes.findIndex((change) => change.operation === 'insert_page' && change.computed);
  if (at >= 0 && !mayCompute(caller, organization))
    throw forbidden(`changes.${at}.computed: the integration needs the scope "openapi:read"`, 'missing_scope');
}

/** Makes the pages of specifications that a batch inserts. */
const computePages = (
  deps: Dependencies,
  { changes, tip, pages, ...owner }: Owner & Pick<Writing, 'changes' | 'tip'> & { pages: PageEntry[] },
): PageEntry[] | Promise<PageEntry[]> =>
  changes.some((change) => change.operation === 'insert_page' && change.computed)
    ? withComputedPages(deps, { ...owner, pages, before: tip.pageById })
    : pages;

async function applyChange(draft: ContentDraft, change: Change, files: InsertedFile[]): Promise<void> {
  switch (change.operation) {
    case 'insert_page':
      return insertPage(draft, change);
    case 'update_page':
      return updatePage(draft, change);
    case 'delete_page':
      return deletePage(draft, change);
    case 'revert_page':
      return revertPage(draft, change);
    case 'insert_files':
      for (const { entry, ref } of files) {
        draft.inserted.push(entry);
        if (ref !== undefined) nameRef(draft, ref, { file: entry.id });
      }
  }
}

/** Names the change in the message of an error that a person is shown. */
const placing = (at: number) => (error: Error & { type?: string }) => {
  if (error.type === 'INVALID' || error.type === 'CONFLICT' || error.type === 'UNPROCESSABLE')
    error.message = `changes.${at}.${error.message}`;
  throw error;
};

/** Throws 409 for what may have been a revision once, and 400 for what never was one of this space. */
async function seenView({ store, revisions }: Dependencies, space: string, id: string): Promise<RevisionView> {
  const view = await revisions.find(space, id);
  if (view) return view;
  if (!isValid(id) || (await store.get(revisionDocuments, id, { fields: ['space'] })))
    throw invalid('revision: there is no such revision of this space');
  throw conflict('revision: it is no longer kept; read the content again', 'revision_outdated');
}

/** A revision to take content from: it has to be stored still, since one that was removed may be in memory. */
async function earlierView({ store, revisions }: Dependencies, space: string, id: string): Promise<RevisionView> {
  const kept = await store.get(revisionDocuments, id, { fields: ['space'] });
  const view = kept ? await revisions.find(space, id) : undefined;
  if (!view) throw invalid('revision: there is no such revision of this space, or it is no longer kept');
  return view;
}

/** The pages that a change alters, or would delete. */
function pagesOf(change: Change, seen: RevisionView, tip: RevisionView): string[] {
  switch (change.operation) {
    case 'insert_files':
    case 'insert_page':
      return [];
    case 'delete_page': {
      const entries = [seen.pageById.get(change.page), tip.pageById.get(change.page)];
      return entries.flatMap((page) => (page ? [...eachPageOf([page])].map(({ id }) => id) : []));
    }
    case 'update_page':
    case 'revert_page':
      return [change.page];
  }
}

const ownOf = ({ pages: _, updatedAt: __, path: ___, ...own }: PageEntry) => own;

function isSame(id: string, seen: RevisionView, tip: RevisionView): boolean {
  const [before, now] = [seen.pageById.get(id), tip.pageById.get(id)];
  if (before === now) return seen.parentById.get(id) === tip.parentById.get(id);
  if (!before || !now) return false;
  return seen.parentById.get(id) === tip.parentById.get(id) && isDeepStrictEqual(ownOf(before), ownOf(now));
}

/** Whether a page that is to hold another one is gone. What else became of it is no concern of the writer. */
const isGone = (id: string, seen: RevisionView, tip: RevisionView) => seen.pageById.has(id) && !tip.pageById.has(id);

/** Throws 409 with the name of a page that the changes touch and that is different from what the writer saw. */
function checkSeen(changes: readonly Change[], seen: RevisionView, tip: RevisionView): void {
  for (const change of changes) {
    const into = 'into' in change ? change.into : undefined;
    const changed =
      into && isGone(into, seen, tip) ? into : pagesOf(change, seen, tip).find((id) => !isSame(id, seen, tip));
    if (changed === undefined) continue;
    const { title } = tip.pageById.get(changed) ?? seen.pageById.get(changed) ?? {};
    throw conflict(
      `revision: the page "${title ?? changed}" (${changed}) has changed since; read it again`,
      'revision_outdated',
    );
  }
}
