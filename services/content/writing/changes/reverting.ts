import { invalid } from '../../../../shared/errors/errors.js';
import { pageMetaFields, withoutMeta } from '../../core/revisions/page-fields.js';
import { type OwnFields, top } from '../../core/revisions/page-tree.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import type { ChangeOf, ContentDraft } from './content-draft.js';
import { checkDepth, checkWritten, freeSlug } from './placement.js';

/** Brings a page, or blocks of it, back to an earlier state. */
export async function revertPage(draft: ContentDraft, change: ChangeOf<'revert_page'>): Promise<void> {
  const earlier = await draft.earlier(change.revision);
  const before = earlier.pageById.get(change.page);
  const now = draft.tree.page(change.page);
  const named = now ?? before;
  if (!named) throw invalid(`page: there is no page ${change.page}`);
  checkWritten(named, 'page');
  if (change.block) return revertBlocks(draft, { before, now, blocks: change.block });
  if (!before) draft.remove(change.page);
  else if (now) resetPage(draft, { earlier, before, now });
  else restorePage(draft, earlier, before);
}

const ownOf = ({ pages: _, ...own }: PageEntry): OwnFields => own;

/** The parent that a page had, where it is still there. */
function formerParent({ tree }: ContentDraft, earlier: RevisionView, id: string): string {
  const parent = earlier.parentById.get(id);
  return parent !== undefined && tree.page(parent) ? parent : top;
}

/** After the nearest page that stood before it in the same place and still does; the end where its place is another. */
function formerPosition(
  { tree }: ContentDraft,
  earlier: RevisionView,
  { page, parent }: { page: string; parent: string },
): number | undefined {
  if ((earlier.parentById.get(page) ?? top) !== parent) return undefined;
  const former = (parent === top ? earlier.pages : (earlier.pageById.get(parent)?.pages ?? [])).map(({ id }) => id);
  const present = tree.childrenOf(parent).filter((id) => id !== page);
  const known = new Set(present);
  const before = former.slice(0, former.indexOf(page)).findLast((id) => known.has(id));
  return before === undefined ? 0 : present.indexOf(before) + 1;
}

/** Puts a deleted page back, with what was below it and is gone as well. */
function restorePage(draft: ContentDraft, earlier: RevisionView, page: PageEntry): void {
  const { tree } = draft;
  if (tree.page(page.id)) return;
  const parent = formerParent(draft, earlier, page.id);
  const own = ownOf(page);
  const slug = own.type === 'link' ? own.slug : freeSlug(tree, own.slug, { parent });
  draft.insert({ ...own, slug }, parent, formerPosition(draft, earlier, { page: page.id, parent }));
  checkDepth(tree, page.id, 'page');
  for (const below of page.pages) restorePage(draft, earlier, below);
}

/** Gives a page the fields, the document and the place that it had. */
function resetPage(
  draft: ContentDraft,
  { earlier, before, now }: { earlier: RevisionView; before: PageEntry; now: OwnFields },
): void {
  const { tree } = draft;
  const { id } = before;
  const parent = formerParent(draft, earlier, id);
  const isBelowItself = parent === id || [...tree.ancestorsOf(parent)].includes(id);
  const isMoved = parent !== tree.parentOf(id) || before.placed !== now.placed;
  if (isMoved && !isBelowItself) draft.move(id, parent, formerPosition(draft, earlier, { page: id, parent }));
  checkDepth(tree, id, 'page');
  const own = ownOf(before);
  const slug = own.type === 'link' ? own.slug : freeSlug(tree, own.slug, { parent: tree.parentOf(id), page: id });
  draft.sources.forget(id);
  draft.replace({ ...own, slug, path: tree.page(id)?.path ?? now.path });
}

interface Blocks {
  before: PageEntry | undefined;
  now: OwnFields | undefined;
  blocks: string[];
}

async function revertBlocks(draft: ContentDraft, { before, now, blocks }: Blocks): Promise<void> {
  if (!before?.document || !now?.document)
    throw invalid('block: blocks are reverted in a page that has a document in both revisions');
  const base = await draft.sources.stored(before.document);
  const tip = await draft.sources.of(now.id, now.document);
  const source = await draft.sources.reverted({
    base: base.source,
    tip: tip.source,
    keys: blocks,
    title: now.heading ?? now.title,
    tags: new Map((draft.tip.revision.tags ?? []).map(({ tag, label }) => [tag, label])),
  });
  const made = await draft.sources.write(now.id, { source, before: '', edits: {} }, base.links);
  const { emoji: _, ...meta } = pageMetaFields(made.meta);
  draft.replace({ ...withoutMeta(now), ...meta, ...(now.emoji ? { emoji: now.emoji } : {}) });
}
