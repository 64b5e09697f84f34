import { auditRecord, auditRecorded } from '../../../../shared/contract/audit.js';
import { type Caller, system } from '../../../../shared/contract/caller.js';
import type { HasCallAsSystem } from '../../../../shared/contract/context.js';
import type { Call } from '../../../../shared/contract/service.js';
import type { HasJobs, JobKind } from '../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import { again } from '../../../../shared/store/again.js';
import type { HasStore, Write } from '../../../../shared/store/port.js';
import { timeIn } from '../../../../shared/values/ids.js';
import { checkStarter } from '../../core/access/starters.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { spaceDeleted } from '../../core/events.js';
import { spaces } from '../../core/nodes/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import { removeSpaceContent } from '../../core/storage/unreached.js';
import { specsIn } from '../../openapi/pages/computed-pages.js';
import { specUseWrites } from '../../openapi/pages/spec-uses.js';
import type { HasIndexer } from '../../reading/search/indexer.js';
import { copyOperations } from '../contract/copies.js';
import { copyContent } from './copied-content.js';
import { makeCopy, type NewCopy } from './copied-space.js';

type Dependencies = HasStore & HasTrees & HasRevisions & HasLedger & HasJobs & HasOutbox & HasIndexer;

export type Copying = Pick<NewCopy, 'organization' | 'source' | 'copy' | 'user' | 'role'>;

const copySpace = 'copySpace';
const discardCopy = 'discardCopy';
const hourMs = 3_600_000;
/** By then a copy is complete, or will never be. */
const discardMs = 6 * hourMs;

/** The write that has what was stored for a copy removed, unless it is complete by then. */
export const discardLater = (jobs: HasJobs['jobs'], { organization, copy }: Copying, when = timeIn(discardMs)): Write =>
  jobs.enqueue(discardCopy, { organization, copy }, { runAt: when });

/** The write that has a large space copied. */
export const copyLater = (jobs: HasJobs['jobs'], copying: Copying): Write =>
  jobs.enqueue(copySpace, copying, { orderKey: `copy ${copying.source}`, share: copying.organization });

interface Running {
  call: Call;
  signal?: AbortSignal;
  audit: Write;
}

/** Stores the content of a space for its copy, then makes the copy of it: nobody sees half of one. Safe to repeat. */
export async function runCopy(deps: Dependencies, copying: Copying, { call, signal, audit }: Running): Promise<void> {
  const { revisions, ledger, jobs } = deps;
  const { organization, source, copy: space } = copying;
  const owner = { organization, space };
  await ledger.openUsage(owner);
  await again(
    async () => {
      const view = await revisions.current(source);
      const content = await copyContent(deps, view, { owner, ...(signal ? { signal } : {}) });
      const uses = specsIn(view.pages).flatMap((spec) => specUseWrites(jobs, { organization, space, spec }));
      deps.indexer.soon(space, await makeCopy(deps, { ...copying, content, writes: [...uses, audit] }, call));
    },
    { duplicates: true },
  );
}

/** The job that copies a large space. Safe to run again from any point. */
export const copySpaceJob = (deps: Dependencies & HasCallAsSystem): JobKind<Copying> => ({
  kind: copySpace,
  attempts: 5,
  async run({ job: { payload }, signal }) {
    const { organization, source, copy, user } = payload;
    if (await deps.store.get(spaces, copy, { fields: [] })) return;
    const rule = copyOperations.duplicateSpace.access;
    await checkStarter(deps, { starter: { user }, organization, space: source, rule });
    const audit = deps.outbox.add(auditRecorded, copyRecord(payload));
    await runCopy(deps, payload, { call: deps.callAsSystem(), signal, audit });
  },
  failed: ({ payload }) => deps.store.batch([discardLater(deps.jobs, payload, timeIn(0))]),
});

const copyRecord = ({ organization, copy, source }: Copying, caller: Caller = system) =>
  auditRecord(
    { operation: 'duplicateSpace', caller, organization, requestId: '' },
    { type: 'space', id: copy },
    { details: { source } },
  );

/** The job that removes what was stored for a copy that was never made, and tells those who wait for it. */
export const discardCopyJob = (
  deps: HasStore & HasLedger & HasOutbox,
): JobKind<Pick<Copying, 'organization' | 'copy'>> => ({
  kind: discardCopy,
  attempts: 10,
  async run({ job: { payload }, signal }) {
    const { organization, copy: space } = payload;
    if (await deps.store.get(spaces, space, { fields: [] })) return;
    await removeSpaceContent(deps, { organization, space }, signal);
    await deps.store.batch([deps.outbox.add(spaceDeleted, { organization, space })]);
  },
});
