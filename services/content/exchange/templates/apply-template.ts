import type { HasBlobs } from '../../../../shared/blobs/port.js';
import type { Audit } from '../../../../shared/contract/audit.js';
import { actingInstallation, type Caller } from '../../../../shared/contract/caller.js';
import { conflict, notFound } from '../../../../shared/errors/errors.js';
import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import { packageFile } from '../../../../shared/process/package-root.js';
import { again } from '../../../../shared/store/again.js';
import type { HasStore, Write } from '../../../../shared/store/port.js';
import { changeRequestEventPayload, checkChangeable, planChange } from '../../core/change-requests/changes.js';
import { findChangeRequest } from '../../core/change-requests/find.js';
import { contributionWrite } from '../../core/change-requests/model.js';
import { changeRequestUpdated, contentChanged } from '../../core/events.js';
import { commitRevision, primaryMoveWrite } from '../../core/revisions/commit.js';
import type { RevisionDocument } from '../../core/revisions/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { NewRevision } from '../../core/revisions/revision-view.js';
import { creatorId, type Templates } from '../../core/spaces/new-space.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { type HasIndexer, indexLater } from '../../reading/search/indexer.js';
import { spaceTemplates } from '../contract/templates.js';
import { openFolderTree } from '../git/tree/source-tree.js';
import { importTree } from '../imports/import-tree.js';

type Dependencies = HasStore & HasBlobs & HasOutbox & HasJobs & HasRevisions & HasWork & HasLedger & HasIndexer;

export interface ApplyTemplate {
  organization: string;
  space: string;
  /** A change request that it fills, by its id or number; the content of the space by default. */
  changeRequest?: string | undefined;
  /** The id of the template. */
  template: string;
  caller: Caller;
  audit: Audit;
}

/** Throws 404 for a template that is not there. */
function checkTemplate(id: string): void {
  if (!(spaceTemplates as readonly string[]).includes(id)) throw notFound(`id: template ${id}`);
}

/** The templates, for whoever makes a space of one. */
export const openTemplates = (deps: Dependencies): Templates => ({
  check: checkTemplate,
  fill: (filled) => applyTemplate(deps, filled),
});

/** Fills a space or a change request that has no pages yet. Throws 404 for an unknown template, 409 where there are pages. */
export async function applyTemplate(deps: Dependencies, applied: ApplyTemplate): Promise<void> {
  const { organization, space, template } = applied;
  checkTemplate(template);
  await deps.ledger.openUsage({ organization, space });
  const tree = await openFolderTree(packageFile(`templates/${template}`));
  const change = applied.changeRequest === undefined ? changeOfSpace : changeOfRequest;
  await again(
    async () => {
      const sweeps = await deps.ledger.readSweeps(space);
      const { from, fields = {}, writes } = await change(deps, applied);
      const before = await deps.revisions.get(space, from);
      if (before.pages.length > 0)
        throw conflict('There are pages already: a template fills only what is empty', 'wrong_state');
      const content = await importTree(deps, { tree, organization, space, before });
      const author = creatorId(applied.caller);
      const { _id } = await commitRevision(deps, {
        organization,
        space,
        sweeps,
        content: listsOf(content),
        fields: { parents: [from], type: 'edits', author, ...documentFieldsOf(content), ...fields },
        writes,
      });
      if (applied.changeRequest === undefined) deps.indexer.soon(space, _id);
    },
    { duplicates: true },
  );
}

const listsOf = ({ pages, files, reusable, redirects = [], outside }: NewRevision) => ({
  pages,
  files,
  reusable,
  redirects,
  outside,
});

const documentFieldsOf = ({ variables, tags, repository }: NewRevision): Partial<RevisionDocument> => ({
  ...(Object.keys(variables).length > 0 ? { variables } : {}),
  ...(tags.length > 0 ? { tags } : {}),
  ...(repository ? { repository } : {}),
});

/** The revision whose place the content of a template takes, and the writes that put it there. */
interface Change {
  from: string;
  fields?: Partial<RevisionDocument>;
  writes: (revision: RevisionDocument) => Write[];
}

async function changeOfSpace(
  { revisions, outbox, jobs }: Dependencies,
  { organization, space, template, caller, audit }: ApplyTemplate,
): Promise<Change> {
  const from = (await revisions.current(space)).revision._id;
  return {
    from,
    fields: { primary: true },
    writes: (to) => [
      primaryMoveWrite({ space, from, to }),
      outbox.add(contentChanged, {
        organization,
        space,
        revision: to._id,
        installation: actingInstallation(caller),
      }),
      indexLater(jobs, { space, revision: to._id }),
      audit('space', space, { details: { template, revision: to._id } }),
    ],
  };
}

async function changeOfRequest(
  { store, outbox }: Dependencies,
  { space, changeRequest = '', template, caller, audit }: ApplyTemplate,
): Promise<Change> {
  const before = await findChangeRequest(store, { spaceId: space, changeRequestId: changeRequest });
  checkChangeable(before);
  const user = creatorId(caller);
  const contributors = [...new Set([...before.contributors, user])];
  return {
    from: before.revision,
    writes: ({ _id: revision }) => {
      const { item, writes } = planChange(before, { revision, contributors });
      return [
        ...writes,
        contributionWrite({ space, changeRequest: before._id, user }),
        outbox.add(changeRequestUpdated, changeRequestEventPayload(item)),
        audit('change-request', before._id, { details: { template, revision } }),
      ];
    },
  };
}
