import { actingUser } from '../../../../shared/contract/caller.js';
import type { HandlersOf } from '../../../../shared/contract/service.js';
import { notFound } from '../../../../shared/errors/errors.js';
import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import { checkBound } from '../../../../shared/store/bounds.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { newId, timeIn } from '../../../../shared/values/ids.js';
import type { Role } from '../../../identity/resources.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { presentSpace, spaces } from '../../core/nodes/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import { checkMayCreateIn } from '../../core/spaces/moving/move-node.js';
import { shownParent } from '../../core/spaces/moving/siblings.js';
import { maxSpacesHeld } from '../../core/spaces/new-space.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import { usages } from '../../core/storage/model.js';
import { checkWaitingJobs } from '../../core/storage/waiting-jobs.js';
import type { HasIndexer } from '../../reading/search/indexer.js';
import type { copyOperations } from '../contract/copies.js';
import { type Copying, copyLater, discardLater, runCopy } from './copy-jobs.js';

type Dependencies = HasStore &
  HasTrees &
  HasRevisions &
  HasLedger &
  HasJobs &
  HasOutbox &
  HasIndexer & { baseUrl: string };

/** Pages and files, and bytes of all its revisions, of a space that is copied within the request. */
const small = { items: 500, bytes: 50_000_000 };

export const copyHandlers = (deps: Dependencies): HandlersOf<typeof copyOperations> => ({
  async duplicateSpace({ path: { spaceId: source } }, { caller, access, call, audit }) {
    const { store, trees, ledger, jobs, baseUrl } = deps;
    const { organization } = access;
    const tree = await trees.treeOf(organization);
    const node = tree.get(source);
    if (!node) throw notFound('Space');
    await checkMayCreateIn(deps, { organization, parent: shownParent(tree, node), caller });
    await checkBound(store, spaces, { organization }, { max: maxSpacesHeld, what: 'spaces in an organization' });
    const bytes = (await store.get(usages, source))?.bytes ?? 0;
    const { pageById, files } = await deps.revisions.current(source);
    const [id, user] = [newId(), actingUser(caller) ?? ''];
    const copying: Copying = { organization, source, copy: id, user, role: access.role as Role };
    if (pageById.size + files.length > small.items || bytes > small.bytes) {
      await ledger.checkRoom(organization, 1);
      await checkWaitingJobs(jobs, organization);
      await store.batch([copyLater(jobs, copying), audit('space', source, { details: { copy: id } })]);
      return { object: 'space-copy', id, urls: { location: `${baseUrl}/v1/spaces/${id}` } } as const;
    }
    await store.batch([discardLater(jobs, copying)]);
    try {
      await runCopy(deps, copying, { call, audit: audit('space', id, { details: { source } }) });
    } catch (error) {
      await store.batch([discardLater(jobs, copying, timeIn(0))]);
      throw error;
    }
    const space = await store.get(spaces, id);
    if (!space) throw notFound('Space');
    const [found] = await trees.resolve({ caller, ids: [id] }, 'space');
    return presentSpace(baseUrl, space, { role: (found?.role ?? null) as Role | null, comments: 0 });
  },
});
