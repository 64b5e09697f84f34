import type { JobKind } from '../../../shared/jobs/jobs.js';
import { eachDocument, type Write } from '../../../shared/store/port.js';
import { siteScriptsChanged } from '../../sites/events.js';
import { type ScriptsOfPublication, tellScriptsKind } from '../catalogue/publishing/scripts.js';
import type { InstallationDependencies } from './find.js';
import { type InstalledDocument, installations } from './model.js';

type Dependencies = Pick<InstallationDependencies, 'store' | 'outbox'>;

/** Writes that notify sites when an installation is added, removed or changed; add them to the same batch. */
export function scriptsTold({ outbox }: Pick<Dependencies, 'outbox'>, installed: InstalledDocument): Write[] {
  const { organization } = installed;
  if (!('kind' in installed)) return [outbox.add(siteScriptsChanged, { organization })];
  return installed.kind === 'site' ? [outbox.add(siteScriptsChanged, { organization, site: installed.target })] : [];
}

/** Notifies sites of other scripts wherever an integration is installed. */
export async function tellScripts(
  { store, outbox }: Dependencies,
  { publication, signal }: ScriptsOfPublication & { signal: AbortSignal },
): Promise<void> {
  for await (const { organization } of eachDocument(store, installations, { publication }, ['organization'])) {
    signal.throwIfAborted();
    await store.batch([outbox.add(siteScriptsChanged, { organization })]);
  }
}

/** Notifies sites of a new version of an integration, by which the URLs of its scripts differ. */
export const tellScriptsJob = (deps: Dependencies): JobKind<ScriptsOfPublication> => ({
  kind: tellScriptsKind,
  attempts: 20,
  run: ({ job, signal }) => tellScripts(deps, { ...job.payload, signal }),
});
