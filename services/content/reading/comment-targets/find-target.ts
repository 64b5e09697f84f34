import type { HasStore } from '../../../../shared/store/port.js';
import { pointerOf } from '../../core/change-requests/find.js';
import { spaces } from '../../core/nodes/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { FindTarget, FoundTarget } from '../contract.js';
import { documentBody } from '../pages/page-bodies.js';
import { targetPage } from './target-page.js';

type Dependencies = HasStore & HasRevisions & HasWork;

/** Null for a space that does not exist, and a change request that it does not have. */
export async function findTarget(
  deps: Dependencies,
  { space, changeRequest, page, node }: FindTarget,
): Promise<FoundTarget | null> {
  const place = await placeOf(deps, { space, changeRequest });
  if (!place) return null;
  const { organization, ...found } = place;
  if (page === undefined) return node === undefined ? found : { ...found, lacks: 'page' };
  const view = await deps.revisions.find(space, found.revision);
  const body = view?.pageById.get(page);
  if (!view || !body) return { ...found, lacks: 'page' };
  const { document } = body;
  const onPage = { ...found, page: targetPage(body), ...(document === undefined ? {} : { document }) };
  if (node === undefined) return onPage;
  if (document === undefined) return { ...onPage, lacks: 'node' };
  const block = { ...(await documentBody(deps, { view, body })), key: node };
  const preview = await deps.work.blockPreview(block, organization);
  return preview === undefined ? { ...onPage, lacks: 'node' } : { ...onPage, node: { id: node, preview } };
}

async function placeOf(
  { store }: Dependencies,
  { space: id, changeRequest }: { space: string; changeRequest: string | undefined },
): Promise<(Pick<FoundTarget, 'changeRequest' | 'revision'> & { organization: string }) | null> {
  const space = await store.get(spaces, id, { fields: ['organization', 'revision'] });
  if (!space) return null;
  const { organization, revision } = space;
  if (changeRequest === undefined) return { organization, revision };
  const found = await pointerOf(store, { space: id, changeRequest });
  return found && { organization, changeRequest: found.id, revision: found.revision };
}
