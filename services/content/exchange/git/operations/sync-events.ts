import type { HasOutbox } from '../../../../../shared/jobs/outbox.js';
import type { HasStore, Write } from '../../../../../shared/store/port.js';
import { type SpaceDocument, spaces } from '../../../core/nodes/model.js';
import type { GitOperation } from '../../../core/nodes/resources.js';
import { gitSyncCompleted, gitSyncStarted } from '../../events.js';

/** The space and the operation that a job is about. */
interface Synced {
  space: string;
  operation: string;
  /** The installation that started it. */
  installation?: string;
}

type SyncedSpace = Pick<SpaceDocument, '_id' | 'organization' | 'revision' | 'git'>;

const syncEventFields = (
  payload: Synced,
  { _id: space, organization }: SyncedSpace,
  direction: GitOperation['direction'],
) => ({
  organization,
  space,
  operation: payload.operation,
  direction,
  installation: payload.installation,
});

/** The write of the event that an operation has started, for the batch that starts it. */
export const syncStartedWrite = (
  { outbox }: HasOutbox,
  payload: Synced,
  { space, direction }: { space: SyncedSpace; direction: GitOperation['direction'] },
): Write =>
  outbox.add(gitSyncStarted, {
    ...syncEventFields(payload, space, direction),
    revision: space.revision,
    commit: space.git?.commit ?? '',
  });

interface Ending {
  state: 'success' | 'failure';
  direction: GitOperation['direction'];
  /** The commit or revision that the operation made, if its progress does not have it yet. */
  made?: Pick<GitOperation, 'commit' | 'revision'>;
}

/** The writes of the event that an operation ended, for the batch that ends it; none for a space that is gone. */
export async function syncCompletedWrites(
  { store, outbox }: HasStore & HasOutbox,
  payload: Synced,
  { state, direction, made = {} }: Ending,
): Promise<Write[]> {
  const space = await store.get(spaces, payload.space);
  if (!space) return [];
  const { gitOperation } = space;
  const own = gitOperation?.id === payload.operation ? gitOperation : undefined;
  return [
    outbox.add(gitSyncCompleted, {
      ...syncEventFields(payload, space, direction),
      revision: made.revision ?? own?.revision ?? space.revision,
      commit: made.commit ?? own?.commit ?? space.git?.commit ?? '',
      state,
    }),
  ];
}
