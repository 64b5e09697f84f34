import { type Job, jobCollections } from '../../../../../shared/jobs/jobs.js';
import { StoreConflict } from '../../../../../shared/store/port.js';
import { timestamp } from '../../../../../shared/values/ids.js';
import { spaces } from '../../../core/nodes/model.js';
import { importedSpace } from '../testing/imported-space.js';
import { type GitImportPayload, gitImport, gitImportJob } from './git-import-job.js';

const { space, opened } = importedSpace();

test('only the run that holds the job ends an operation, and not before the content is indexed', async () => {
  const { store } = opened;
  const now = timestamp();
  const payload = { space, operation: 'op', url: '', ref: 'refs/heads/main', force: false, standalone: false };
  const job: Job<GitImportPayload> = {
    _id: 'job',
    kind: gitImport,
    state: 'running',
    payload,
    orderKey: `git ${space}`,
    sequence: now,
    attempts: 2,
    runAt: now,
    fence: 'second run',
    createdAt: now,
    updatedAt: now,
  };
  await store.insert(jobCollections('content').jobs, job as Job);
  const gitOperation = { id: 'op', direction: 'import', state: 'running', ref: payload.ref, revision: 'made' } as const;
  await store.update(spaces, { _id: space }, { $set: { gitOperation }, $unset: { indexed: true } });
  const { run } = gitImportJob(opened.deps as never);
  const { signal } = new AbortController();

  await expect(run({ job: { ...job, fence: 'first run' }, signal })).rejects.toThrow(StoreConflict);
  expect((await store.get(spaces, space))?.gitOperation?.state).toBe('running');

  await run({ job, signal });
  const after = await store.get(spaces, space);
  expect([after?.gitOperation?.state, after?.indexed]).toEqual(['success', after?.revision]);
});
