import type { Caller, InstallationCaller } from '../../../../shared/contract/caller.js';
import type { IntegrationSubject } from '../../../../shared/contract/integration-token.js';
import { type IntegrationDocument, integrations } from '../../catalogue/model.js';
import type { IntegrationsDependencies } from '../../dependencies.js';
import { targetsOf } from '../find.js';
import { type InstallationDocument, installations, type PlaceKind } from '../model.js';
import { selectionOf } from './coverage.js';
import { granted } from './granted-scopes.js';

type Dependencies = Pick<IntegrationsDependencies, 'store'>;

/** The caller whom a token speaks for; null when the integration was unpublished or uninstalled since. */
export async function callerOf(
  { store }: Dependencies,
  { subject }: { subject: IntegrationSubject },
): Promise<Caller | null> {
  if ('installation' in subject) return callerOfInstallation({ store }, subject.installation);
  const { publication } = subject;
  const found = await store.findOne(integrations, { publication }, { fields: ['organization'] });
  return found?.organization === undefined
    ? null
    : { kind: 'integration', integration: found._id, owner: found.organization };
}

async function callerOfInstallation({ store }: Dependencies, id: string): Promise<Caller | null> {
  const installation = await store.get(installations, id);
  if (!installation || installation.status === 'paused') return null;
  const integration = await store.get(integrations, installation.integration, {
    fields: ['publication', 'organization', 'scopes'],
  });
  if (integration?.publication !== installation.publication) return null;
  const [spaces, sites] = await Promise.all([
    reachedBy({ store }, installation, 'space'),
    reachedBy({ store }, installation, 'site'),
  ]);
  return asInstallation(installation, integration, { spaces, sites });
}

export const asInstallation = (
  installation: InstallationDocument,
  integration: Pick<IntegrationDocument, 'scopes' | 'organization'>,
  reached: Pick<InstallationCaller, 'spaces' | 'sites'>,
): InstallationCaller => ({
  kind: 'installation',
  installation: installation._id,
  integration: installation.integration,
  organization: installation.organization,
  user: installation.user,
  scopes: [...granted(integration, installation).scopes],
  ...reached,
});

/** What an installation reaches, also before it is configured: the dialogue in which it is may show what is there. */
const reachedBy = async (
  deps: Dependencies,
  installation: InstallationDocument,
  kind: PlaceKind,
): Promise<'all' | string[]> =>
  selectionOf(installation, kind) === 'all' ? 'all' : targetsOf(deps, installation, kind);
