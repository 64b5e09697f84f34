import { invalid } from '../../../shared/errors.js';
import type { OwnFields } from '../revisions/page-tree.js';
import { top } from '../revisions/page-tree.js';
import type { PageEntry, RevisionView } from '../revisions/revision-view.js';
import type { ChangeOf, ContentDraft } from './content-draft.js';
import { freeSlug } from './placement.js';

/** Brings a page, or blocks of it, back to an earlier state. */
export async function revertPage(draft: ContentDraft, change: ChangeOf<'revert_page'>): Promise<void> {
  const earlier = await draft.earlier(change.revision);
  const before = earlier.pageById.get(change.page);
  const now = draft.tree.page(change.page);
  if (!before && !now) throw invalid(`page: there is no page ${change.page}`);
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

/** Puts a deleted page back, with what was below it and is gone as well. */
function restorePage(draft: ContentDraft, earlier: RevisionView, page: PageEntry): void {
  if (draft.tree.page(page.id)) return;
  const parent = page.type === 'group' ? top : formerParent(draft, earlier, page.id);
  const siblings = parent === top ? earlier.pages : (earlier.pageById.get(parent)?.pages ?? []);
  const at = siblings.findIndex(({ id }) => id === page.id);
  const own = ownOf(page);
  const slug = own.type === 'link' ? own.slug : freeSlug(draft.tree, own.slug, { parent });
  draft.insert({ ...own, slug }, parent, at < 0 ? undefined : at);
  for (const below of page.pages) restorePage(draft, earlier, below);
}

function resetPage(
  draft: ContentDraft,
  { earlier, before, now }: { earlier: RevisionView; before: PageEntry; now: OwnFields },
): void {
  const { tree } = draft;
  const parent = formerParent(draft, earlier, before.id);
  const isBelowItself = parent === before.id || [...tree.above(parent)].includes(before.id);
  if (parent !== tree.parentOf(before.id) && !isBelowItself) draft.move(before.id, parent);
  const own = ownOf(before);
  const place = { parent: tree.parentOf(before.id), page: before.id };
  const slug = own.type === 'link' ? own.slug : freeSlug(tree, own.slug, place);
  draft.replace({ ...own, slug, path: tree.page(before.id)?.path ?? now.path });
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
  });
  await draft.sources.write(now.id, { source, before: '', edits: {} });
  draft.replace(now);
}
