import type { HasStore } from '../../../../shared/store/port.js';
import { changeRequestAt, isKept } from '../../core/change-requests/find.js';
import { spaces } from '../../core/nodes/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { ShownTarget, ShowTargets } from '../contract.js';
import { keysOfPages } from './page-keys.js';
import { targetPage } from './target-page.js';

type Dependencies = HasStore & HasRevisions & HasWork;
type Target = ShowTargets['targets'][number];

/** Where targets are shown. */
interface Place {
  view: RevisionView;
  /** Only for a change request: the primary content that it is based on, and the present one. */
  aside?: { base: string; primary: string };
}

/** Null for pages that are gone; all of them are where the content of a change request is kept no longer. */
export async function showTargets(
  deps: Dependencies,
  { organization, space, changeRequest, targets }: ShowTargets,
): Promise<(ShownTarget | null)[]> {
  const place = await placeOf(deps, { space, changeRequest });
  if (!place) return targets.map(() => null);
  const { view } = place;
  const [keys, gone] = await Promise.all([
    keysOfPages(deps, { organization, view, pages: changedPages(view, targets) }),
    goneFromPrimary(deps, place, targets),
  ]);
  return targets.map((target) => {
    const page = view.pageById.get(target.page);
    if (!page) return null;
    return { page: targetPage(page), outdated: gone.has(page.id) || !holds(page, target, keys) };
  });
}

async function placeOf(
  { store, revisions }: Dependencies,
  { space, changeRequest }: { space: string; changeRequest: string | undefined },
): Promise<Place | undefined> {
  const primary = (await store.get(spaces, space, { fields: ['revision'] }))?.revision;
  if (primary === undefined) return undefined;
  const inPrimary = async () => {
    const view = await revisions.find(space, primary);
    return view && { view };
  };
  if (changeRequest === undefined) return inPrimary();
  const path = { spaceId: space, changeRequestId: changeRequest };
  const item = await changeRequestAt(store, path, { fields: ['space', 'status', 'revision', 'base'] });
  if (item?.status === 'merged') return inPrimary();
  if (!item || (item.status === 'archived' && !(await isKept(store, item)))) return undefined;
  const view = await revisions.find(space, item.revision);
  return view && { view, aside: { base: item.base, primary } };
}

/** Pages with another body than the one in which a node of them was seen. */
function changedPages(view: RevisionView, targets: Target[]): PageEntry[] {
  const changed = targets.flatMap(({ page: id, node, document }) => {
    const page = node === undefined ? undefined : view.pageById.get(id);
    return page && page.document !== undefined && page.document !== document ? [page] : [];
  });
  return [...new Set(changed)];
}

/** Whether the node of a target is in the page, if it has one. One of a page that was not looked at counts as if it were. */
function holds(
  { id, document }: PageEntry,
  { node, document: seenIn }: Target,
  keys: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  if (node === undefined) return true;
  if (document === undefined) return false;
  return document === seenIn || (keys.get(id)?.has(node) ?? true);
}

/** The pages that a change request took from the primary content, and that are gone from there now. */
async function goneFromPrimary(
  { revisions }: Pick<Dependencies, 'revisions'>,
  { view, aside }: Place,
  targets: Target[],
): Promise<ReadonlySet<string>> {
  if (!aside || aside.base === aside.primary) return new Set();
  const { space } = view.revision;
  const primary = await revisions.find(space, aside.primary);
  const missing = targets.map(({ page }) => page).filter((page) => !primary?.pageById.has(page));
  const base = missing.length > 0 ? await revisions.find(space, aside.base) : undefined;
  return new Set(missing.filter((page) => base?.pageById.has(page)));
}
