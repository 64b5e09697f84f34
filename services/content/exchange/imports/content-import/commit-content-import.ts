import { auditRecord, auditRecorded } from '../../../../../shared/contract/audit.js';
import { system } from '../../../../../shared/contract/caller.js';
import type { HasCallAsSystem } from '../../../../../shared/contract/context.js';
import { conflict, markLasting } from '../../../../../shared/errors/errors.js';
import type { HasJobs, Job } from '../../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../../shared/jobs/outbox.js';
import { again } from '../../../../../shared/store/again.js';
import { type HasStore, type Write, write } from '../../../../../shared/store/port.js';
import { timestamp } from '../../../../../shared/values/ids.js';
import type { HasTurns } from '../../../../../shared/work/semaphore.js';
import type { HasTrees } from '../../../core/access/tree/content-tree-cache.js';
import { changeRequestEventPayload, checkChangeable, planChange } from '../../../core/change-requests/changes.js';
import { findChangeRequest } from '../../../core/change-requests/find.js';
import { contributionWrite } from '../../../core/change-requests/model.js';
import { changeRequestUpdated } from '../../../core/events.js';
import { spaces } from '../../../core/nodes/model.js';
import { carriedFields, commitRevision } from '../../../core/revisions/commit.js';
import type { ContentChanges } from '../../../core/revisions/derived-view.js';
import type { RevisionDocument } from '../../../core/revisions/model.js';
import { pageMetaFields } from '../../../core/revisions/page-fields.js';
import { type OwnFields, PageTree, top } from '../../../core/revisions/page-tree.js';
import type { HasRevisions } from '../../../core/revisions/revision-cache.js';
import type { RevisionView } from '../../../core/revisions/revision-view.js';
import type { HasLedger } from '../../../core/storage/ledger.js';
import { slugOf } from '../../../format/space/paths.js';
import type { HasIndexer } from '../../../reading/search/indexer.js';
import { commitPrimary } from '../../../writing/changes/commit-primary.js';
import { checkDepth, checkFileRoom, checkRoom, freeSlug } from '../../../writing/changes/placement.js';
import { type Problem, trimProblems } from '../problems.js';
import { checkImporter } from './import-access.js';
import type { Linked, NewPage } from './linked-pages.js';
import { type ContentImportDocument, contentImports, hasEnded } from './model.js';
import { Cancelled } from './progress.js';
import type { StoredImport } from './stored-import.js';

export interface CommitContentImport {
  item: ContentImportDocument;
  job: Pick<Job, '_id' | 'fence'>;
  linked: Linked;
  stored: StoredImport;
  /** Pages and files that were found. */
  total: number;
  /** Why pages could not be converted. */
  problems: Problem[];
}

/**
 * Adds the pages of an import to the content as it is now, and ends the import in the same batch: it is never applied twice. `store`
 * stores them again where what was stored may have been removed meanwhile. Throws `Cancelled` when there is no such import any more.
 */
export async function commitContentImport(
  deps: HasStore & HasOutbox & HasCallAsSystem & HasJobs & HasTrees & HasRevisions & HasLedger & HasIndexer & HasTurns,
  commit: CommitContentImport,
  store: () => Promise<StoredImport>,
): Promise<void> {
  const { space, changeRequest, _id } = commit.item;
  await deps.turns.run(`content ${changeRequest ?? space}`, () =>
    again(async () => {
      const now = await deps.store.get(contentImports, _id, { fields: ['state'] });
      if (!now || hasEnded(now)) throw new Cancelled();
      await checkImporter(deps, commit.item);
      if ((await deps.ledger.readSweeps(space)) !== commit.stored.sweeps) commit.stored = await store();
      await (changeRequest === undefined
        ? commitToSpace(deps, commit)
        : commitToChangeRequest(deps, commit, changeRequest));
    }),
  );
}

async function commitToSpace(
  deps: HasStore & HasOutbox & HasJobs & HasRevisions & HasLedger & HasIndexer,
  commit: CommitContentImport,
): Promise<void> {
  const { organization, space: id, createdBy: author } = commit.item;
  const space = await deps.store.get(spaces, id);
  if (!space || space.deletedAt) throw markLasting(conflict('The space was deleted meanwhile'));
  const tip = await deps.revisions.get(id, space.revision);
  await commitPrimary(deps, {
    organization,
    space: id,
    primary: tip,
    before: tip,
    installation: commit.item.installation,
    content: contentWithImport(commit, tip),
    sweeps: commit.stored.sweeps,
    fields: { ...carriedFields(tip), parents: [space.revision], type: 'edits', author },
    writes: (revision) => [...importEndWrites(deps, commit, revision), importAuditWrite(deps, commit, revision)],
  });
}

async function commitToChangeRequest(
  deps: HasStore & HasOutbox & HasJobs & HasRevisions & HasLedger,
  commit: CommitContentImport,
  id: string,
): Promise<void> {
  const { organization, space, createdBy: user } = commit.item;
  const before = await findChangeRequest(deps.store, { spaceId: space, changeRequestId: id });
  try {
    checkChangeable(before);
  } catch (error) {
    throw markLasting(error as Error);
  }
  const tip = await deps.revisions.get(space, before.revision);
  const contributors = [...new Set([...before.contributors, user])];
  await commitRevision(deps, {
    organization,
    space,
    before: tip,
    content: contentWithImport(commit, tip),
    sweeps: commit.stored.sweeps,
    fields: { ...carriedFields(tip), parents: [before.revision], type: 'edits', author: user },
    writes: (revision) => {
      const { item, writes } = planChange(before, { revision: revision._id, contributors });
      return [
        write.check(spaces, { _id: space, deletedAt: null }, 1),
        ...writes,
        contributionWrite({ space, changeRequest: id, user }),
        deps.outbox.add(changeRequestUpdated, changeRequestEventPayload(item)),
        ...importEndWrites(deps, commit, revision),
        importAuditWrite(deps, commit, revision),
      ];
    },
  });
}

const contentWithImport = ({ item, linked, stored }: CommitContentImport, tip: RevisionView) =>
  attachPages({ tip, page: item.page, pages: linked.pages, stored });

/** The end of the import, and the condition that nobody else ended it. */
function importEndWrites(
  { jobs }: HasJobs,
  { item, job, stored, total, problems: unconverted }: CommitContentImport,
  { _id: revision, createdAt }: RevisionDocument,
): Write[] {
  const importedResources = stored.pages.size + stored.files.length;
  const counts = { importedResources, totalResources: Math.max(total, importedResources) };
  const problems = trimProblems([...unconverted, ...stored.problems]);
  const reported = problems.length > 0 ? { problems } : {};
  return [
    jobs.stillHeld(job),
    write.update(
      contentImports,
      { _id: item._id, state: 'in-progress' },
      { $set: { state: 'completed', revision, ...counts, ...reported, updatedAt: createdAt, completedAt: createdAt } },
      { expect: 1 },
    ),
  ];
}

function importAuditWrite(
  { outbox }: HasOutbox,
  { item }: CommitContentImport,
  { _id: revision }: RevisionDocument,
): Write {
  const { organization, space, changeRequest, page, _id } = item;
  const operation = changeRequest
    ? page
      ? 'importContentInChangeRequestPageById'
      : 'importContentInChangeRequest'
    : page
      ? 'importContentInPageById'
      : 'importContent';
  const about = changeRequest ? { type: 'change-request', id: changeRequest } : { type: 'space', id: space };
  const details = { import: _id, revision };
  return outbox.add(
    auditRecorded,
    auditRecord({ operation, caller: system, organization, requestId: '' }, about, { details }),
  );
}

interface Attaching {
  /** The content that they are added to. */
  tip: RevisionView;
  /** The page that they become the last ones below. */
  page: string | undefined;
  pages: readonly NewPage[];
  stored: StoredImport;
}

/** Adds imported pages to content, at the end. Throws 409 where the page is gone by now, or there is no room. */
function attachPages({ tip, page, pages, stored }: Attaching): ContentChanges {
  const tree = new PageTree(tip);
  const parent = page === undefined ? undefined : tree.page(page);
  if (page !== undefined && !parent) throw markLasting(conflict('page: it was deleted meanwhile'));
  try {
    for (const each of pages) insertPage(tree, each, { parent: page ?? top, stored });
    checkRoom(tree.size);
    checkFileRoom(tip.files.length + stored.files.length);
  } catch (error) {
    throw markLasting(error as Error);
  }
  return {
    pages: tree.buildPages(),
    ...(stored.files.length > 0 ? { files: [...tip.files, ...stored.files] } : {}),
  };
}

function insertPage(tree: PageTree, page: NewPage, { parent, stored }: { parent: string; stored: StoredImport }): void {
  const found = stored.pages.get(page.id);
  if (!found && page.children.length === 0) return;
  tree.insert(newPageFields(tree, page, { parent, stored }), parent);
  checkDepth(tree, page.id, 'page');
  for (const child of page.children) insertPage(tree, child, { parent: page.id, stored });
}

function newPageFields(
  tree: PageTree,
  page: NewPage,
  { parent, stored }: { parent: string; stored: StoredImport },
): OwnFields {
  const { id, title, isGroup } = page;
  const found = stored.pages.get(id);
  const now = timestamp();
  const slug = freeSlug(tree, slugOf(title, 'page'), { parent });
  const own = { id, title, slug, path: '', createdAt: now, updatedAt: now };
  if (!found) return { ...own, type: isGroup && parent === top ? 'group' : 'document' };
  const aliases = stored.aliases.get(id);
  return {
    ...own,
    type: 'document',
    ...pageMetaFields(found.meta),
    document: found.oid,
    ...(aliases ? { aliases } : {}),
  };
}
