import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import { type HasStore, write } from '../../../../shared/store/port.js';
import { gitInstallations } from './model.js';
import { lookSoon } from './schedule.js';

type Dependencies = HasStore & HasJobs;

/** Has the connections of spaces looked at whose content changed. */
export async function lookAtChanged(deps: Dependencies, changes: readonly { space: string }[]): Promise<void> {
  const spaces = [...new Set(changes.map(({ space }) => space))];
  for (const space of spaces) {
    const item = await deps.store.findOne(gitInstallations, { space }, { fields: ['organization', 'paused'] });
    if (item && !item.paused) await deps.store.batch([lookSoon(deps, item)]);
  }
}

/** Has connections synced whose change request with what the branch says was archived: people decided. */
export async function lookAtSettled(
  deps: Dependencies,
  archived: readonly { space: string; changeRequest: string }[],
): Promise<void> {
  for (const { space, changeRequest } of archived) {
    const item = await deps.store.findOne(gitInstallations, { space, 'conflict.changeRequest': changeRequest });
    if (!item) continue;
    const asked = write.update(gitInstallations, { _id: item._id }, { $unset: { synced: true } });
    await deps.store.batch([asked, lookSoon(deps, item)]);
  }
}
