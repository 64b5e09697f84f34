import { Encoded } from '../../../../shared/contract/encoded.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { nextTurn } from '../../../../shared/work/slices.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import { type PageEntry, type RevisionView, replaceComputed } from '../../core/revisions/revision-view.js';
import type { ContentRef } from '../../format/resources.js';
import type { ShownTree, ShowTree, TreeEntry } from '../contract.js';
import { presentTarget } from '../pages/pages.js';
import type { HasViews } from '../pages/visitors/visitor-view-cache.js';
import { outsideTargets } from './outside-targets.js';
import { linkToPage } from './page-places.js';
import { treeKeyOf, viewOfVisitor } from './visited-view.js';

/** Entries that are made before others get their turn. */
const entriesAtOnce = 200;

/** The navigation of a space, by default without hidden pages and what is below them. */
export async function showTree(
  deps: HasStore & HasRevisions & HasViews,
  { visitor, space, known, withHidden = false }: ShowTree,
): Promise<Encoded<ShownTree>> {
  const visited = await viewOfVisitor(deps, visitor, space);
  const { view } = visited;
  const key = treeKeyOf(visited);
  const revision = view.revision._id;
  if (known === key) return Encoded.of({ key, revision });
  const made = { count: 0 };
  const targets = new Map<PageEntry, ContentRef>();
  const pages = await entriesOf(view, view.pages, { made, targets, withHidden });
  await resolveTargets(targets, pages, (refs) => outsideTargets(deps, visitor, refs));
  return Encoded.of({ key, revision, pages });
}

interface Making {
  withHidden: boolean;
  made: { count: number };
  /** Links of the navigation, with what they lead to. */
  targets: Map<PageEntry, ContentRef>;
}

async function entriesOf(view: RevisionView, pages: readonly PageEntry[], making: Making): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  for (const page of replaceComputed(pages)) {
    if ((page.hidden && !making.withHidden) || page.type === 'computed') continue;
    making.made.count += 1;
    if (making.made.count % entriesAtOnce === 0) await nextTurn();
    const { target } = presentTarget(view, page);
    if (target) making.targets.set(page, target);
    entries.push({
      ...linkToPage(view, page),
      ...omitUndefined({
        description: page.description || undefined,
        noIndex: page.noIndex || undefined,
        noRobotsIndex: page.noRobotsIndex || undefined,
        updatedAt: page.updatedAt,
      }),
      kind: page.type,
      pages: await entriesOf(view, page.pages, making),
    });
  }
  return entries;
}

/** Sets where the links among entries lead. */
async function resolveTargets(
  targets: Making['targets'],
  entries: TreeEntry[],
  resolve: (refs: ContentRef[]) => ReturnType<typeof outsideTargets>,
): Promise<void> {
  if (targets.size === 0) return;
  const found = await resolve([...targets.values()]);
  const byId = new Map([...targets.keys()].map(({ id }, at) => [id, found[at]]));
  const open = [...entries];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const target = byId.get(entry.id);
    if (target) entry.target = target;
    for (const below of entry.pages) open.push(below);
  }
}
