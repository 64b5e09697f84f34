import { isDeepStrictEqual } from 'node:util';
import { conflict, markLasting } from '../../../../shared/errors/errors.js';
import { write } from '../../../../shared/store/port.js';
import { newId } from '../../../../shared/values/ids.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { spaces } from '../../core/nodes/model.js';
import type { ContentChanges } from '../../core/revisions/derived-view.js';
import type { RevisionDocument } from '../../core/revisions/model.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import { findPageDifferences } from '../../core/revisions/view-differences.js';
import { commitPrimary } from '../../writing/changes/commit-primary.js';
import type { ThreeViews } from '../../writing/merging/merge-pages.js';
import type { Conflict } from '../../writing/merging/resources.js';
import { treeURLOf } from '../git/address/tree-url.js';
import type { HeldItem, SharedState } from '../git/model.js';
import { progressWrite } from '../git/operations/progress.js';
import { commitURL, gitSettingsAfter } from '../git/operations/repository.js';
import { newSharedStateNote } from '../git/operations/shared-states.js';
import type { SourceTree } from '../git/tree/source-tree.js';
import { commitImport } from '../imports/commit-import.js';
import { noPagesText } from '../imports/git-import/git-import-job.js';
import { importTree } from '../imports/import-tree.js';
import { holdWrites, mergeWith, releaseWrites } from './held-changes.js';
import { withMovedFiles } from './moved-files.js';
import { currentSpace, type SyncDependencies, type SyncRun, type SyncStep } from './sync-run.js';

interface MergeTree {
  step: SyncStep;
  /** The state that space and branch shared last, and its content. */
  state: SharedState;
  base: RevisionView;
  tree: SourceTree;
}

/**
 * Merges the branch into the content of the space. Where both changed the same differently, each keeps its own, and a change request holds
 * what the branch says. Throws StoreConflict when the space was changed meanwhile.
 */
export async function mergeTree(deps: SyncDependencies, sync: SyncRun, merging: MergeTree): Promise<void> {
  const { space } = sync.item;
  const theirs = await importBeside(deps, sync, merging);
  await deps.turns.run(`content ${space}`, async () => {
    const sweeps = await deps.ledger.readSweeps(space);
    const primary = await deps.revisions.current(space);
    const views = { base: merging.base, primary, changeRequest: theirs };
    await commitMerge(deps, sync, { ...merging, views, sweeps });
  });
}

/** The content of the branch as a revision beside that of the space. */
async function importBeside(
  deps: SyncDependencies,
  { item: { organization, space } }: SyncRun,
  { step, base, tree }: MergeTree,
): Promise<RevisionView> {
  const { payload } = step.job;
  const { repoProjectDirectory: projectDirectory, ref } = payload;
  const content = await importTree(deps, {
    tree,
    organization,
    space,
    projectDirectory,
    before: base,
    signal: step.signal,
  });
  if (content.pages.length === 0) throw markLasting(conflict(noPagesText(payload)));
  const { oid = '', message = '' } = tree.commit ?? {};
  const { _id } = await commitImport(deps, {
    organization,
    space,
    parent: base.revision._id,
    content,
    git: { oid, message, createdByService: false, ref, ...commitURL(payload, oid) },
    treeURL: treeURLOf({ ...payload, url: deps.secrets.decrypt(payload.url) }),
    standalone: true,
  });
  return deps.revisions.get(space, _id);
}

interface Committing extends MergeTree {
  views: ThreeViews;
  sweeps: number;
}

async function commitMerge(deps: SyncDependencies, sync: SyncRun, committing: Committing): Promise<void> {
  const { organization, space } = sync.item;
  const { step, state, views, sweeps, tree } = committing;
  const { primary, changeRequest: theirs } = views;
  const { payload } = step.job;
  const { conflicts } = await mergeWith(deps, sync, { views, conflicts: [] });
  const made = await (await mergeWith(deps, sync, { views, conflicts, side: 'primary' })).store();
  const content = withMovedFiles(views, made.content);
  const fields = { ...made.fields, ...settingsOf(views) };
  const stays = isSame(primary, content, fields);
  const revision = stays ? primary.revision._id : newId();
  const held = conflicts.filter(isHeld).map((found) => holdItem(state, found));
  const note = await newSharedStateNote(deps, payload);
  const { oid = '' } = tree.commit ?? {};
  const writes = [
    deps.jobs.stillHeld(step.job),
    ...note({ commit: oid, revision: theirs.revision._id, isAhead: false, held }),
    progressWrite(payload, { commit: oid, revision }),
    ...(conflicts.length > 0
      ? await holdWrites(deps, sync, { views, sweeps, conflicts, revision })
      : await releaseWrites(deps, sync)),
  ];
  if (stays) {
    await deps.store.batch([write.check(spaces, { _id: space, revision }, 1), ...writes]);
    return;
  }
  const settings = gitSettingsAfter(payload, await currentSpace(deps, sync), undefined);
  await commitPrimary(deps, {
    organization,
    space,
    sweeps,
    primary,
    before: primary,
    content,
    fields: {
      ...fields,
      _id: revision,
      parents: [primary.revision._id, theirs.revision._id],
      type: 'merge',
      subject: subjectOf(tree),
    },
    writes: () => [write.update(spaces, { _id: space }, { $set: { git: settings } }), ...writes],
  });
}

/** Takes the fields about the repository from the branch. */
const settingsOf = ({ base, primary, changeRequest: theirs }: ThreeViews) => {
  const { repository, treeURL, tags } = theirs.revision;
  const isChanged = !isDeepStrictEqual(tags, base.revision.tags);
  return omitUndefined({ repository, treeURL, tags: isChanged ? tags : primary.revision.tags });
};

/** Whether a merge leaves the primary content as it is. */
function isSame(primary: RevisionView, content: ContentChanges, fields: Partial<RevisionDocument>): boolean {
  const { pages = primary.pages, files, reusable, redirects, outside } = content;
  if (files || reusable || redirects || outside) return false;
  const { added, removed } = findPageDifferences(primary, pages);
  const { variables, tags, treeURL, repository } = primary.revision;
  const before = omitUndefined({ variables, tags, treeURL, repository });
  return added.length === 0 && removed.length === 0 && isDeepStrictEqual(omitUndefined(fields), before);
}

/** The fields of a page that its file does not have. */
const outsideFiles = new Set(['position', 'title', 'linkTitle', 'slug']);

/**
 * Whether both sides keep their own until it is settled. Without a file of its own, as the order of pages, the branch takes what the
 * space has, and the change request alone says what it had.
 */
const isHeld = ({ kind, hunks, deletedIn, attributes }: Conflict): boolean =>
  kind === 'file' ||
  kind === 'reusable-content' ||
  (kind === 'page' &&
    (hunks.length > 0 || deletedIn !== undefined || attributes.some(({ attribute }) => !outsideFiles.has(attribute))));

/** Holds an item; one that was held before keeps the revision in which both sides agreed on it. */
function holdItem({ held = [], revision }: SharedState, { kind, id, title, path }: Conflict): HeldItem {
  const before = held.find((item) => item.kind === kind && item.id === id);
  return omitUndefined({ kind, id, title, path, agreed: before?.agreed ?? revision }) as HeldItem;
}

const maxSubject = 100;

const subjectOf = ({ commit }: SourceTree): string =>
  (commit?.message.split('\n')[0] || 'Changes from Git').slice(0, maxSubject);
