import { scaleMs } from '../../../../shared/settings/time-scale.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { unlessTaskFailed } from '../../../../shared/workers/workers.js';
import { hasStoredContent, lookUpChangeRequest } from '../../core/change-requests/find.js';
import type { ChangeRequestDocument } from '../../core/change-requests/model.js';
import { spaces } from '../../core/nodes/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { FindTarget, FoundTarget, ShownTarget, ShowTargets, TargetPage } from '../contract.js';
import { documentBody } from '../pages/page-bodies.js';

type Dependencies = HasStore & HasRevisions & HasWork;
type Target = ShowTargets['targets'][number];

/** A space, or a change request of it. */
interface TargetPlace {
  space: string;
  organization: string;
  /** The primary content of the space. */
  primary: string;
  changeRequest?: Pick<ChangeRequestDocument, '_id' | 'status' | 'revision' | 'base' | 'createdBy'>;
}

/** Null for a space that does not exist, and a change request that it does not have. */
async function placeOf(
  { store }: Dependencies,
  { space: id, changeRequest }: Pick<FindTarget, 'space' | 'changeRequest'>,
): Promise<TargetPlace | null> {
  const space = await store.get(spaces, id, { fields: ['organization', 'revision'] });
  if (!space) return null;
  const place = { space: id, organization: space.organization, primary: space.revision };
  if (changeRequest === undefined) return place;
  const path = { spaceId: id, changeRequestId: changeRequest };
  const item = await lookUpChangeRequest(store, path, { fields: ['space', 'status', 'revision', 'base', 'createdBy'] });
  return item && { ...place, changeRequest: item };
}

/** Finds a target, and how it is shown. Null for a space that does not exist, and a change request that it does not have. */
export async function locateTarget(
  deps: Dependencies,
  { page, node, ...named }: FindTarget,
): Promise<FoundTarget | null> {
  const place = await placeOf(deps, named);
  if (!place) return null;
  const { space, organization, primary, changeRequest } = place;
  const revision = changeRequest?.revision ?? primary;
  const of = changeRequest ? { changeRequest: changeRequest._id, createdBy: changeRequest.createdBy } : {};
  const found = { revision, ...of };
  if (page === undefined) return node === undefined ? found : { ...found, lacks: 'page' };
  const view = await deps.revisions.find(space, revision);
  const body = view?.pageById.get(page);
  if (!view || !body) return { ...found, lacks: 'page' };
  const { document } = body;
  const seen = document === undefined ? {} : { document };
  const onPage = { ...found, page: presentPage(body), ...seen };
  const show = async (target: Target) => (await showIn(deps, place, [target]))[0] ?? null;
  if (node === undefined) return { ...onPage, shown: await show({ page, ...seen }) };
  if (document === undefined) return { ...onPage, lacks: 'node' };
  const block = { ...(await documentBody(deps, { view, body })), key: node };
  const preview = await deps.work.blockPreview(block, organization);
  if (preview === undefined) return { ...onPage, lacks: 'node' };
  return { ...onPage, node: { id: node, preview }, shown: await show({ page, node, document }) };
}

/** Shows targets as they are now. Null for pages that are gone; all of them are where the content of a change request is kept no longer. */
export async function presentTargets(
  deps: Dependencies,
  { targets, ...named }: ShowTargets,
): Promise<(ShownTarget | null)[]> {
  const place = await placeOf(deps, named);
  return place ? showIn(deps, place, targets) : targets.map(() => null);
}

async function showIn(
  deps: Dependencies,
  place: TargetPlace,
  targets: readonly Target[],
): Promise<(ShownTarget | null)[]> {
  const view = await shownView(deps, place);
  if (!view) return targets.map(() => null);
  const { organization } = place;
  const [keys, gone] = await Promise.all([
    keysOfPages(deps, { organization, view, pages: changedPages(view, targets) }),
    goneFromPrimary(deps, place, targets),
  ]);
  return targets.map((target) => {
    const page = view.pageById.get(target.page);
    if (!page) return null;
    return { page: presentPage(page), outdated: gone.has(page.id) || !holds(page, target, keys) };
  });
}

/** The content that targets are shown in: a merged change request stands for the primary content. */
async function shownView(
  { store, revisions }: Dependencies,
  { space, primary, changeRequest: item }: TargetPlace,
): Promise<RevisionView | undefined> {
  if (!item || item.status === 'merged') return revisions.find(space, primary);
  if (item.status === 'archived' && !(await hasStoredContent(store, item))) return undefined;
  return revisions.find(space, item.revision);
}

const presentPage = ({ id, title, emoji, icon, createdAt, updatedAt, path }: PageEntry): TargetPage => ({
  id,
  title,
  ...(emoji ? { emoji } : {}),
  ...(icon ? { icon } : {}),
  ...(createdAt ? { createdAt } : {}),
  ...(updatedAt ? { updatedAt } : {}),
  path,
});

/** Pages with another body than the one in which a node of them was seen. */
function changedPages(view: RevisionView, targets: readonly Target[]): PageEntry[] {
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
  { revisions }: Dependencies,
  { space, primary: current, changeRequest: item }: TargetPlace,
  targets: readonly Target[],
): Promise<ReadonlySet<string>> {
  if (!item || item.status === 'merged' || item.base === current) return new Set();
  const primary = await revisions.find(space, current);
  const missing = targets.map(({ page }) => page).filter((page) => !primary?.pageById.has(page));
  const base = missing.length > 0 ? await revisions.find(space, item.base) : undefined;
  return new Set(missing.filter((page) => base?.pageById.has(page)));
}

/** Limit for the pages of one question. */
const maxPages = 50;
const atOnce = 4;
/** Milliseconds after which no more pages of a question are looked at. */
const maxLookingMs = scaleMs(2000);

interface Looking {
  organization: string;
  view: RevisionView;
  pages: PageEntry[];
}

/** The keys of the blocks of pages, by the ids of the pages, without those of pages that are too many, or take too long to parse. */
export async function keysOfPages(
  deps: HasStore & HasWork,
  { organization, view, pages }: Looking,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, ReadonlySet<string>>();
  const look = async (page: PageEntry) => {
    const body = await documentBody(deps, { view, body: page });
    const keys = await deps.work.blockKeys(body, organization).catch(unlessTaskFailed);
    if (keys) found.set(page.id, keys);
  };
  const looked = pages.slice(0, maxPages);
  const until = performance.now() + maxLookingMs;
  for (let start = 0; start < looked.length && performance.now() < until; start += atOnce)
    await Promise.all(looked.slice(start, start + atOnce).map(look));
  return found;
}
