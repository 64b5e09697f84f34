import type { NewEvent } from '../deliveries/queue/queue.js';
import type { InstalledDocument } from './model.js';
import type { InstallationConfiguration, InstallationStatus } from './resources.js';

/** State of an installation before a change. */
export interface PreviousState {
  status: InstallationStatus;
  configuration: InstallationConfiguration;
}

/** The event for an integration that was installed, or whose installation was changed; `isEcho`: by its own script. */
export const setupEvent = (
  installed: InstalledDocument,
  { previous, isEcho = false }: { previous?: PreviousState; isEcho?: boolean } = {},
): NewEvent => ({
  ...lifecycleEvent(installed, 'setup', { status: installed.status, ...(previous ? { previous } : {}) }),
  isEcho,
});

/** The event for an integration that was uninstalled. `before` is what its script gets as the installation, which is gone. */
export const deletedEvent = (
  installed: InstalledDocument,
  { previous, before, id }: { previous: PreviousState; before: string; id?: string },
): NewEvent => ({
  ...lifecycleEvent(installed, 'deleted', { previous }),
  before,
  ...(id === undefined ? {} : { id }),
});

function lifecycleEvent(installed: InstalledDocument, verb: 'setup' | 'deleted', details: object): NewEvent {
  const { integration, publication, organization } = installed;
  const about = { integration: { _id: integration, publication }, organization };
  if (!('kind' in installed)) {
    const installation = installed._id;
    return { ...about, installation, type: `installation_${verb}`, data: { installationId: installation, ...details } };
  }
  const { installation, kind, target } = installed;
  return {
    ...about,
    installation,
    place: { [kind]: target },
    type: `${kind}_installation_${verb}`,
    data: { installationId: installation, [`${kind}Id`]: target, ...details },
  };
}
