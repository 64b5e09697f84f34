import { deriveView } from '../../../core/revisions/derived-view.js';
import { PageTree, top } from '../../../core/revisions/page-tree.js';
import type { HasRevisions } from '../../../core/revisions/revision-cache.js';
import type { RevisionView } from '../../../core/revisions/revision-view.js';
import type { HeldItem, SharedState } from '../model.js';

/**
 * The content that both sides agreed on last: that of the shared revision, where what is held is as it was when they last agreed on it.
 * Undefined where the revision is no longer kept.
 */
export async function readSharedContent(
  { revisions }: HasRevisions,
  { space, revision, held = [] }: Pick<SharedState, 'space' | 'revision' | 'held'>,
): Promise<RevisionView | undefined> {
  let view = await revisions.find(space, revision);
  for (const agreed of new Set(held.map((item) => item.agreed))) {
    const before = view && (await revisions.find(space, agreed));
    const items = held.filter((item) => item.agreed === agreed);
    if (view && before) view = await putBack(view, { before, items });
  }
  return view;
}

/** The content with some items as they are in `before`. */
function putBack(
  view: RevisionView,
  { before, items }: { before: RevisionView; items: HeldItem[] },
): Promise<RevisionView> {
  const idsOf = (kind: HeldItem['kind']) => items.flatMap((item) => (item.kind === kind ? [item.id] : []));
  const tree = new PageTree(view);
  for (const id of idsOf('page')) putPageBack(tree, before, id);
  const { variables, ...revision } = view.revision;
  const changed = { ...variables };
  for (const name of idsOf('variable')) {
    const value = before.revision.variables?.[name];
    if (value === undefined) delete changed[name];
    else changed[name] = value;
  }
  return deriveView(
    view,
    { ...revision, ...(Object.keys(changed).length > 0 ? { variables: changed } : {}) },
    {
      pages: tree.buildPages(),
      files: replaceItems(view.files, before.files, idsOf('file')),
      reusable: replaceItems(view.reusable, before.reusable, idsOf('reusable-content')),
    },
  );
}

function putPageBack(tree: PageTree, before: RevisionView, id: string): void {
  const entry = before.pageById.get(id);
  if (!entry) return;
  const { pages: _, ...own } = entry;
  const parent = before.parentById.get(id) ?? top;
  const holder = parent !== top && !tree.page(parent) ? top : parent;
  const now = tree.page(id);
  if (!now) {
    tree.insert(own, holder);
    return;
  }
  tree.replace({ ...own, path: now.path });
  const isBelow = holder === id || (holder !== top && [...tree.ancestorsOf(holder)].includes(id));
  if (tree.parentOf(id) !== holder && !isBelow) tree.move(id, holder);
}

/** The list with these items as another list has them. */
function replaceItems<T extends { id: string }>(list: T[], before: readonly T[], ids: readonly string[]): T[] {
  if (ids.length === 0) return list;
  const earlier = new Map(before.map((item) => [item.id, item]));
  const there = new Set(list.map(({ id }) => id));
  const gone = ids.flatMap((id) => (there.has(id) ? [] : (earlier.get(id) ?? [])));
  return [...list.map((item) => (ids.includes(item.id) ? (earlier.get(item.id) ?? item) : item)), ...gone];
}
