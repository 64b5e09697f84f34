import type { JobKind, JobRun } from '../../../../../shared/jobs/jobs.js';
import type { HasOutbound } from '../../../../../shared/outbound/client.js';
import { write } from '../../../../../shared/store/port.js';
import { timestamp } from '../../../../../shared/values/ids.js';
import { spaces } from '../../../core/nodes/model.js';
import { fetchTree } from '../../git/fetch.js';
import { transferLanes } from '../../git/operations/lanes.js';
import { commitURL } from '../../git/operations/repository.js';
import { runWithinLimit } from '../../git/operations/time-limit.js';
import { commitImport } from '../../imports/commit-import.js';
import { fetchOptions, noPagesText } from '../../imports/git-import/git-import-job.js';
import { importTree } from '../../imports/import-tree.js';
import { hostApiOf } from '../hosts/host-api.js';
import { hostTokenOf, withHostToken } from '../hosts/host-token.js';
import { statusWrites } from '../hosts/status-job.js';
import { type GitInstallationDocument, gitInstallations } from '../model.js';
import { type SyncDependencies, stepOf } from '../sync-run.js';
import { type GitPreviewDocument, gitPreviews, type PreviewPayload, previewGitPull } from './model.js';

type Dependencies = SyncDependencies & HasOutbound;
type Run = JobRun<PreviewPayload>;

/** Previews of a connection that are kept; those that were not updated for the longest time go. */
const maxPreviews = 50;

/** The job that makes a revision of what a pull request would make of a space, and tells the host where it is. */
export function previewGitPullJob(deps: Dependencies): JobKind<PreviewPayload> {
  return {
    kind: previewGitPull,
    attempts: 3,
    lanes: transferLanes,
    async run(run) {
      const { installation, isOpen, number } = run.job.payload;
      const item = await deps.store.get(gitInstallations, installation);
      if (!item || item.paused || !item.previews) return;
      if (!isOpen) return void (await deps.store.delete(gitPreviews, { _id: previewId(installation, number) }));
      if (await isMade(deps, run.job.payload)) return;
      const revision = await makeRevision(deps, item, run);
      if (revision !== undefined) await tellPreview(deps, item, { run, revision });
    },
    async failed({ payload }, error) {
      const item = await deps.store.get(gitInstallations, payload.installation);
      if (!item) return;
      const { type, reason } = error as { type?: string; reason?: string };
      const description = type || reason ? error.message : 'The preview failed on our side';
      await deps.store.batch(statusOf(deps, item, { payload, state: 'failure', description }));
    },
  };
}

/** Hosts also tell of labels, assignees and comments of a pull request, and tell twice what was not answered in time. */
async function isMade({ store }: Dependencies, { installation, number, commit }: PreviewPayload): Promise<boolean> {
  const made = await store.get(gitPreviews, previewId(installation, number));
  return made?.commit === commit && made.told === true;
}

const previewId = (installation: string, number: number) => `${installation}:${number}`;

const statusOf = (
  deps: Dependencies,
  item: GitInstallationDocument,
  { payload, state, description }: { payload: PreviewPayload; state: 'success' | 'failure'; description: string },
  url = `${deps.baseUrl}/app/s/${item.space}`,
) =>
  statusWrites(deps, item, {
    commit: payload.commit,
    status: { state, description: description.slice(0, 140), url, context: 'bindery/preview' },
  });

/** Returns the id of the revision; undefined where the space is gone. */
async function makeRevision(deps: Dependencies, item: GitInstallationDocument, run: Run): Promise<string | undefined> {
  const space = await deps.store.get(spaces, item.space);
  if (!space || space.deletedAt) return undefined;
  const { organization } = space;
  const step = stepOf(
    deps,
    {
      item: await withHostToken(deps, item),
      run: { ...run, job: { ...run.job, payload: { installation: item._id } } },
    },
    { direction: 'import' },
  );
  await deps.ledger.openUsage({ organization, space: space._id });
  await deps.ledger.checkRoom(organization, 1);
  return runWithinLimit(step, async (signal) => {
    const tree = await fetchTree({
      ...fetchOptions(deps, { ...step, signal }, space),
      ref: run.job.payload.ref,
    });
    try {
      const before = await deps.revisions.get(space._id, space.revision);
      const { repoProjectDirectory: projectDirectory } = step.job.payload;
      const content = await importTree(deps, {
        tree,
        organization,
        space: space._id,
        projectDirectory,
        before,
        signal,
      });
      if (content.pages.length === 0)
        throw Object.assign(new Error(noPagesText(step.job.payload)), { permanent: true, type: 'CONFLICT' });
      const { oid = '', message = '' } = tree.commit ?? {};
      const made = await commitImport(deps, {
        organization,
        space: space._id,
        parent: space.revision,
        content,
        git: { oid, message, createdByService: false, ref: run.job.payload.ref, ...commitURL(step.job.payload, oid) },
        treeURL: step.job.payload.repoTreeURL,
        standalone: true,
        writes: (revision) => [deps.jobs.stillHeld(run.job), ...previewWrites(item, run.job.payload, revision)],
      });
      return made._id;
    } finally {
      await tree.close();
    }
  });
}

function previewWrites(item: GitInstallationDocument, { number, title, commit }: PreviewPayload, revision: string) {
  const { _id: installation, organization, space } = item;
  const fields = { installation, organization, space, number, title, commit, revision, updatedAt: timestamp() };
  return [
    write.check(gitInstallations, { _id: installation }, 1),
    write.upsert(gitPreviews, { _id: previewId(installation, number) }, { $set: fields, $unset: { told: true } }),
  ];
}

/** Tells people at the host where the preview is: by the status of the commit, and by one comment. */
async function tellPreview(
  deps: Dependencies,
  item: GitInstallationDocument,
  { run, revision }: { run: Run; revision: string },
): Promise<void> {
  const { payload } = run.job;
  const url = `${deps.baseUrl}/app/s/${item.space}/~/revisions/${revision}`;
  await deps.store.batch([
    deps.jobs.stillHeld(run.job),
    ...statusOf(deps, item, { payload, state: 'success', description: 'The preview is ready' }, url),
  ]);
  await dropOldPreviews(deps, item);
  const { organization: owner, provider, url: repository = '' } = item;
  const api = hostApiOf(deps.outbound, { owner, provider, url: repository, token: await hostTokenOf(deps, item) });
  const _id = previewId(item._id, payload.number);
  if (!api) return void (await deps.store.update(gitPreviews, { _id }, { $set: { told: true } }));
  const { comment: before } = ((await deps.store.get(gitPreviews, _id)) ?? {}) as Partial<GitPreviewDocument>;
  const comment = await api.comment(payload.number, `[Preview of ${payload.commit.slice(0, 7)}](${url})`, before);
  await deps.store.update(gitPreviews, { _id }, { $set: { comment, told: true } });
}

async function dropOldPreviews({ store }: Dependencies, { _id: installation }: GitInstallationDocument): Promise<void> {
  const { items } = await store.page(gitPreviews, {
    filter: { installation },
    sort: { updatedAt: -1 },
    limit: maxPreviews + 10,
  });
  const old = items.slice(maxPreviews).map(({ _id }) => _id);
  if (old.length > 0) await store.deleteMany(gitPreviews, { _id: { $in: old } });
}
