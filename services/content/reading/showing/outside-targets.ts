import type { ContentCaller } from '../../../../shared/contract/caller.js';
import { isExpected } from '../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { spaces } from '../../core/nodes/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { ContentRef } from '../../format/resources.js';
import type { OutsideTarget } from '../contract.js';
import type { HasViews } from '../pages/visitors/visitor-view-cache.js';
import { placesOf, shownPath } from './page-places.js';
import { type VisitedView, viewOfVisitor } from './visited-view.js';

type Dependencies = HasStore & HasRevisions & HasViews;

/** Other spaces that the references of one page are looked up in. */
const maxSpaces = 20;

/** Where references lead, for a visitor: null for what is gone, what it may not read, and what has no page. */
export async function outsideTargets(
  deps: Dependencies,
  visitor: ContentCaller,
  refs: readonly ContentRef[],
): Promise<(OutsideTarget | null)[]> {
  const views = new Map<string, VisitedView | null>();
  const targets: (OutsideTarget | null)[] = [];
  for (const ref of refs) {
    const space = typeof ref.space === 'string' ? ref.space : visitor.space;
    const leadsToPage = ref.kind === 'page' || ref.kind === 'anchor' || ref.kind === 'space';
    if (leadsToPage && !views.has(space) && views.size < maxSpaces)
      views.set(space, await readable(deps, visitor, space));
    targets.push(ref.kind === 'url' ? urlTarget(ref) : await pageTarget(deps, views.get(space) ?? null, ref));
  }
  return targets;
}

/** Null for a space that the visitor does not read, and for one that is gone. */
function readable(deps: Dependencies, visitor: ContentCaller, space: string): Promise<VisitedView | null> {
  return viewOfVisitor(deps, visitor, space).catch((error) => {
    if (isExpected(error)) return null;
    throw error;
  });
}

const urlTarget = ({ url }: ContentRef): OutsideTarget => ({ kind: 'url', url: String(url) });

async function pageTarget(
  { store }: HasStore,
  visited: VisitedView | null,
  { kind, page, anchor }: ContentRef,
): Promise<OutsideTarget | null> {
  if (!visited) return null;
  const { view } = visited;
  const { space } = view.revision;
  if (kind === 'space') {
    const found = await store.get(spaces, space, { fields: ['title'] });
    return found && { kind: 'page', space, path: '', title: found.title };
  }
  const target = page === undefined ? placesOf(view).first : view.pageById.get(String(page));
  if (!target) return null;
  return omitUndefined({
    kind: 'page' as const,
    space,
    path: shownPath(view, target),
    anchor: kind === 'anchor' ? String(anchor) : undefined,
    title: target.title,
  });
}
