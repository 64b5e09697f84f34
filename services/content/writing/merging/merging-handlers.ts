import type { HasBlobs } from '../../../../shared/blobs/port.js';
import { actingInstallation } from '../../../../shared/contract/caller.js';
import type { Context, HandlersOf } from '../../../../shared/contract/service.js';
import { conflict, invalid } from '../../../../shared/errors/errors.js';
import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import { slicePage } from '../../../../shared/lists/paging.js';
import { again } from '../../../../shared/store/again.js';
import { type HasStore, write } from '../../../../shared/store/port.js';
import type { HasTurns } from '../../../../shared/work/semaphore.js';
import { changeRequestEventPayload, checkChangeable, planChange } from '../../core/change-requests/changes.js';
import { type ChangeRequestPath, findChangeRequest } from '../../core/change-requests/find.js';
import type { ChangeRequestDocument } from '../../core/change-requests/model.js';
import { changeRequestMerged, changeRequestUpdated } from '../../core/events.js';
import { spaces } from '../../core/nodes/model.js';
import { carriedFields, commitRevision } from '../../core/revisions/commit.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import { creatorId } from '../../core/spaces/new-space.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import { redirectKey } from '../../format/space/paths.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { HasIndexer } from '../../reading/search/indexer.js';
import { commitPrimary } from '../changes/commit-primary.js';
import type { mergingOperations } from '../contract/merging.js';
import { Conflicts } from './conflicts.js';
import { type Merged, mergeContent } from './merge-content.js';
import type { ThreeViews } from './merge-pages.js';
import type { Conflict, MergeSide } from './resources.js';

/** A change request and the content of its space, as they are when an attempt begins. */
interface Attempt {
  item: ChangeRequestDocument;
  views: ThreeViews;
  sweeps: number;
}

export function mergingHandlers(
  deps: HasStore &
    HasBlobs &
    HasOutbox &
    HasJobs &
    HasRevisions &
    HasWork &
    HasLedger &
    HasIndexer &
    HasTurns & { baseUrl: string },
): HandlersOf<typeof mergingOperations> {
  const { store, turns, ledger } = deps;

  /** Takes turns with the writers of both sides in this process, and begins again when another process was faster. */
  const inTurn = async <T>(path: ChangeRequestPath, act: (attempt: Attempt) => Promise<T>): Promise<T> => {
    const { _id } = await findChangeRequest(store, path, { fields: [] });
    const attempt = async () => {
      const sweeps = await ledger.readSweeps(path.spaceId);
      const item = await findChangeRequest(store, path);
      checkChangeable(item);
      return act({ sweeps, item, views: await viewsOf(deps, item) });
    };
    return turns.run(`content ${path.spaceId}`, () => turns.run(`content ${_id}`, () => again(attempt)));
  };

  return {
    async mergeChangeRequest({ path }, context) {
      await ledger.openUsage({ organization: context.access.organization, space: path.spaceId });
      return inTurn(path, async (attempt) => {
        const merged = await mergeAttempt(deps, attempt, new Map());
        const conflicts = merged !== null && merged.conflicts.length > 0;
        if (conflicts) return { revision: attempt.item.revision, result: 'conflicts' as const };
        return { revision: await merge(deps, { ...attempt, merged, context }), result: 'merge' as const };
      });
    },

    async updateChangeRequest({ path, body: { choices = [], revision } }, context) {
      await ledger.openUsage({ organization: context.access.organization, space: path.spaceId });
      return inTurn(path, async (attempt) => {
        const { item, views } = attempt;
        if (revision !== undefined && revision !== views.primary.revision._id)
          throw conflict(
            'revision: the content of the space has changed since; list the conflicts again',
            'revision_outdated',
          );
        const merged = await mergeAttempt(deps, attempt, chosenSides(choices, views));
        if (!merged) return { revision: item.revision, result: 'update' as const };
        if (merged.conflicts.length > 0) return { revision: item.revision, result: 'conflicts' as const };
        return { revision: await update(deps, { ...attempt, merged, context }), result: 'update' as const };
      });
    },

    async listChangeRequestConflicts({ path, query }) {
      const item = await findChangeRequest(store, path);
      if (item.status === 'merged') return slicePage([], item.revision, query, (conflict) => conflict);
      const views = await viewsOf(deps, item);
      const merged = await mergeAttempt(deps, { item, views }, new Map());
      const version = `${views.primary.revision._id} ${item.revision}`;
      return slicePage(merged?.conflicts ?? [], version, query, (conflict) => conflict);
    },
  };
}

async function viewsOf({ revisions }: HasRevisions, item: ChangeRequestDocument): Promise<ThreeViews> {
  const { space } = item;
  const primary = await revisions.current(space);
  const [base, changeRequest] = await Promise.all([
    revisions.get(space, item.base),
    revisions.get(space, item.revision),
  ]);
  return { base, primary, changeRequest };
}

/** The merged content; null where the content of the space is that which the change request is based on. */
async function mergeAttempt(
  deps: HasStore & HasBlobs & HasWork & HasLedger & { baseUrl: string },
  { item: { organization, space, base }, views }: Pick<Attempt, 'item' | 'views'>,
  choices: ReadonlyMap<string, MergeSide>,
): Promise<Merged | null> {
  if (views.primary.revision._id === base) return null;
  return mergeContent(deps, { organization, space, views, choices });
}

interface Committing extends Attempt {
  merged: Merged | null;
  context: Context;
}

/** The base, content and fields of a new revision; without merged content, the change request as it is. */
async function revisionFrom({ merged, views: { primary, changeRequest } }: Committing) {
  if (!merged) return { before: changeRequest, fields: carriedFields(changeRequest) };
  return { before: primary, ...(await merged.store()) };
}

async function merge(
  deps: HasStore & HasOutbox & HasJobs & HasRevisions & HasLedger & HasIndexer,
  committing: Committing,
): Promise<string> {
  const { item: before, views, sweeps, context } = committing;
  const { organization, space, number, subject } = before;
  const made = await revisionFrom(committing);
  return commitPrimary(deps, {
    organization,
    space,
    sweeps,
    primary: views.primary,
    installation: actingInstallation(context.caller),
    ...made,
    fields: {
      ...made.fields,
      parents: [views.primary.revision._id, before.revision],
      type: 'merge',
      author: creatorId(context.caller),
      mergedFrom: before._id,
      subject: subject || `Change request ${number}`,
    },
    writes: (to) => {
      const change = planChange(before, { status: 'merged', merged: to._id });
      return [
        ...change.writes,
        deps.outbox.add(changeRequestMerged, {
          ...changeRequestEventPayload(change.item),
          merged: to._id,
          mergedBy: creatorId(context.caller),
        }),
        context.audit('change-request', before._id, { details: { revision: to._id } }),
      ];
    },
  });
}

async function update(deps: HasStore & HasOutbox & HasRevisions & HasLedger, committing: Committing): Promise<string> {
  const { item: before, views, sweeps, context } = committing;
  const { organization, space } = before;
  const base = views.primary.revision._id;
  const made = await revisionFrom(committing);
  const { _id } = await commitRevision(deps, {
    organization,
    space,
    sweeps,
    ...made,
    fields: {
      ...made.fields,
      parents: [before.revision, base],
      type: 'update',
      author: creatorId(context.caller),
    },
    writes: (to) => {
      const change = planChange(before, { revision: to._id, base });
      return [
        ...change.writes,
        write.check(spaces, { _id: space, deletedAt: null, revision: base }, 1),
        deps.outbox.add(changeRequestUpdated, changeRequestEventPayload(change.item)),
        context.audit('change-request', before._id, { details: { revision: to._id, base } }),
      ];
    },
  });
  return _id;
}

interface Choice extends Pick<Conflict, 'kind' | 'id'> {
  choice: MergeSide;
}

const has: Record<Choice['kind'], (view: RevisionView, id: string) => boolean> = {
  page: ({ pageById }, id) => pageById.has(id),
  file: ({ fileById }, id) => fileById.has(id),
  'reusable-content': ({ reusable }, id) => reusable.some((entry) => entry.id === id),
  variable: ({ revision }, id) => Object.hasOwn(revision.variables ?? {}, id),
  redirect: ({ redirects }, id) => redirects.has(redirectKey(id)),
};

/**
 * The chosen sides by what they are chosen for. A choice for something that is not in conflict (any more) does no harm; one for
 * something that no side knows, and two for the same, are 400.
 */
function chosenSides(choices: readonly Choice[], views: ThreeViews): Map<string, MergeSide> {
  const chosen = new Map<string, MergeSide>();
  for (const [at, each] of choices.entries()) {
    const { kind, id, choice } = each;
    const key = Conflicts.key(each);
    if (chosen.has(key)) throw invalid(`choices.${at}: there are two choices for the ${kind} ${id}`);
    if (!Object.values(views).some((view) => has[kind](view, id)))
      throw invalid(`choices.${at}: there is no ${kind} ${id}`);
    chosen.set(key, choice);
  }
  return chosen;
}
