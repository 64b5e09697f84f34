import type { HasBlobs } from '../../../../shared/blobs/port.js';
import type { HasJobs, JobKind } from '../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import { again } from '../../../../shared/store/again.js';
import { eachDocument, type HasStore } from '../../../../shared/store/port.js';
import { spaces } from '../../core/nodes/model.js';
import { carriedFields } from '../../core/revisions/commit.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { specsIn, withComputedPages } from '../../openapi/pages/computed-pages.js';
import { type SpecUseDocument, specUses } from '../../openapi/pages/spec-uses.js';
import { type RefreshDependents, refreshDependents } from '../../openapi/specs/dependents.js';
import type { HasIndexer } from '../../reading/search/indexer.js';
import { commitPrimary } from '../changes/commit-primary.js';

type Dependencies = HasStore & HasBlobs & HasOutbox & HasJobs & HasRevisions & HasWork & HasLedger & HasIndexer;

/** The job that makes the pages of a specification again in all spaces that have them, or in one space. Safe to run again from any point. */
export const refreshJob = (deps: Dependencies): JobKind<RefreshDependents> => ({
  kind: refreshDependents,
  attempts: 10,
  async run({ job: { payload }, signal }) {
    const { organization } = payload;
    const uses = 'slug' in payload ? { organization, spec: payload.slug } : { space: payload.space };
    for await (const use of eachDocument(deps.store, specUses, uses)) {
      signal.throwIfAborted();
      await again(() => refresh(deps, use), { duplicates: true });
    }
  },
});

/** Makes new content of a space, of the type `computed`, if what its computed pages are made from has changed. */
async function refresh(deps: Dependencies, { space, organization, spec }: SpecUseDocument): Promise<void> {
  const { store, revisions, ledger } = deps;
  const found = await store.get(spaces, space, { fields: ['revision', 'deletedAt'] });
  if (!found || found.deletedAt) return;
  const view = await revisions.get(space, found.revision);
  if (!specsIn(view.pages).includes(spec)) return;
  const sweeps = await ledger.readSweeps(space);
  const pages = await withComputedPages(deps, { organization, space, pages: view.pages, before: view.pageById });
  if (pages === view.pages) return;
  await commitPrimary(deps, {
    organization,
    space,
    primary: view,
    before: view,
    content: { pages },
    sweeps,
    fields: { ...carriedFields(view), parents: [view.revision._id], type: 'computed', subject: `OpenAPI: ${spec}` },
    writes: () => [],
  });
}
