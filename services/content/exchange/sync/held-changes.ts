import { type Update, type Write, write } from '../../../../shared/store/port.js';
import { changeRequestEventPayload, planChange } from '../../core/change-requests/changes.js';
import { type ChangeRequestDocument, changeRequests, isChangeable } from '../../core/change-requests/model.js';
import { newChangeRequest } from '../../core/change-requests/new-change-request.js';
import { changeRequestArchived, changeRequestCreated, changeRequestUpdated } from '../../core/events.js';
import { spaces } from '../../core/nodes/model.js';
import { commitRevision } from '../../core/revisions/commit.js';
import { Conflicts } from '../../writing/merging/conflicts.js';
import { type Merged, mergeContent } from '../../writing/merging/merge-content.js';
import type { ThreeViews } from '../../writing/merging/merge-pages.js';
import type { Conflict, MergeSide } from '../../writing/merging/resources.js';
import { GitFailure } from '../git/command/failure.js';
import { sharedStates } from '../git/model.js';
import { type GitInstallationDocument, gitInstallations } from './model.js';
import { findSyncState } from './sync-payload.js';
import type { SyncDependencies, SyncRun } from './sync-run.js';

interface MergeWith {
  views: ThreeViews;
  /** The items that both sides changed differently: one side is chosen for all. */
  conflicts: readonly Conflict[];
  side?: MergeSide;
}

/** Merges both sides; with conflicts, one side goes before the other there. Throws GitFailure where even so they cannot be told apart. */
export async function mergeWith(
  deps: SyncDependencies,
  { item: { organization, space } }: SyncRun,
  { views, conflicts, side = 'primary' }: MergeWith,
): Promise<Merged> {
  const choices = new Map(conflicts.map((found) => [Conflicts.key(found), side]));
  const merged = await mergeContent(deps, { organization, space, views, choices });
  if (choices.size === 0 || merged.conflicts.length === 0) return merged;
  const titles = merged.conflicts.slice(0, 5).map(({ title }) => title);
  throw new GitFailure(
    'conflict',
    `the space and the branch changed ${titles.join(', ')} in ways that exclude each other; sync with priority "git" or "gitbook"`,
  );
}

interface Holding extends Required<Omit<MergeWith, 'side'>> {
  sweeps: number;
  /** The id of the content of the space that a change request is made for. */
  revision: string;
}

/** The writes that keep what the branch says about conflicts in a change request; one that somebody works on stays as it is. */
export async function holdWrites(deps: SyncDependencies, sync: SyncRun, holding: Holding): Promise<Write[]> {
  const { item } = sync;
  const { revision: base, views } = holding;
  const before = await findHeldRequest(deps, item);
  if (before && before.revision !== item.conflict?.revision) return [];
  const revision = await commitTheirs(deps, sync, holding);
  const theirs = views.changeRequest.revision._id;
  if (before) {
    const { item: changed, writes } = planChange(before, { revision, base });
    const conflict = { changeRequest: before._id, revision, theirs };
    const event = deps.outbox.add(changeRequestUpdated, changeRequestEventPayload(changed));
    return [...writes, event, conflictWrite(item, { $set: { conflict } })];
  }
  const { item: made, writes } = await newChangeRequest(deps, {
    space: item.space,
    subject: subjectOf(holding.conflicts),
    creator: item.createdBy,
    status: 'open',
    content: { revision, base },
  });
  const conflict = { changeRequest: made._id, revision, theirs };
  const event = deps.outbox.add(changeRequestCreated, changeRequestEventPayload(made));
  return [...writes, event, conflictWrite(item, { $set: { conflict } })];
}

/** The content of the space with what the branch says about conflicts. */
async function commitTheirs(
  deps: SyncDependencies,
  sync: SyncRun,
  { views, conflicts, sweeps }: Holding,
): Promise<string> {
  const { organization, space } = sync.item;
  const { primary, changeRequest } = views;
  const made = await (await mergeWith(deps, sync, { views, conflicts, side: 'change-request' })).store();
  const { _id } = await commitRevision(deps, {
    organization,
    space,
    sweeps,
    before: primary,
    content: made.content,
    fields: { ...made.fields, parents: [primary.revision._id, changeRequest.revision._id], type: 'update' },
    writes: () => [write.check(spaces, { _id: space, deletedAt: null }, 1)],
  });
  return _id;
}

/** The writes that end the keeping: a change request that nobody worked on is archived, since both sides agree. */
export async function releaseWrites(deps: SyncDependencies, { item }: SyncRun): Promise<Write[]> {
  if (!item.conflict) return [];
  const before = await findHeldRequest(deps, item);
  const released = conflictWrite(item, { $unset: { conflict: true } });
  if (before?.revision !== item.conflict.revision) return [released];
  const { item: archived, writes } = planChange(before, { status: 'archived' });
  return [...writes, deps.outbox.add(changeRequestArchived, changeRequestEventPayload(archived)), released];
}

/**
 * Takes note of what people decided since: what the branch said is known to the space once its change request is merged or archived, and
 * goes to the branch as the space has it.
 */
export async function settleHeld(deps: SyncDependencies, { item, run }: SyncRun): Promise<GitInstallationDocument> {
  const { conflict } = item;
  if (!conflict || (await findHeldRequest(deps, item))) return item;
  const state = await findSyncState(deps, item);
  const held = state?.held?.map((each) => ({ ...each, agreed: conflict.theirs }));
  await deps.store.batch([
    deps.jobs.stillHeld(run.job),
    ...(state && held ? [write.update(sharedStates, { _id: state._id }, { $set: { held } })] : []),
    conflictWrite(item, { $unset: { conflict: true } }),
  ]);
  const { conflict: _, ...settled } = item;
  return settled;
}

const conflictWrite = ({ _id }: GitInstallationDocument, update: Update<GitInstallationDocument>): Write =>
  write.update(gitInstallations, { _id }, update);

/** The change request with what is held, unless it was merged or archived. */
async function findHeldRequest(
  { store }: Pick<SyncDependencies, 'store'>,
  { conflict }: GitInstallationDocument,
): Promise<ChangeRequestDocument | undefined> {
  const found = conflict && (await store.get(changeRequests, conflict.changeRequest));
  return found && isChangeable(found) ? found : undefined;
}

const maxSubject = 100;

function subjectOf(conflicts: readonly Conflict[]): string {
  const [first, ...others] = conflicts.map(({ title }) => title);
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  const room = maxSubject - 'From Git: '.length - more.length;
  return `From Git: ${(first ?? '').slice(0, room)}${more}`;
}
