import type { Caller, InstallationCaller, IntegrationCaller } from '../../../../shared/contract/caller.js';
import type { IntegrationSubject } from '../../../../shared/contract/integration-token.js';
import { type IntegrationDocument, integrations } from '../../catalogue/model.js';
import { standingTunnel } from '../../catalogue/tunnels.js';
import { type InstallationDependencies, installedTargets } from '../find.js';
import { type InstallationDocument, installations, type PlaceKind } from '../model.js';
import { selectionOf } from './coverage.js';
import { withGrantedScopes } from './granted-scopes.js';

type Dependencies = Pick<InstallationDependencies, 'store' | 'callAsSystem' | 'administering'>;

const fields: (keyof IntegrationDocument)[] = ['publication', 'organization', 'visibility', 'scopes', 'dev'];

/** The caller whom a token speaks for; null when the integration was unpublished or uninstalled, or the tunnel closed, since. */
export async function callerOfToken(
  deps: Dependencies,
  { subject }: { subject: IntegrationSubject },
): Promise<Caller | null> {
  const { tunnel } = subject;
  const found = await ('installation' in subject
    ? callerOfInstallation(deps, subject.installation)
    : callerOfPublication(deps, subject.publication));
  if (!found || tunnel === undefined) return found?.caller ?? null;
  return (await standingTunnel(deps, found.integration))?.id === tunnel ? { ...found.caller, tunnel } : null;
}

async function callerOfPublication({ store }: Dependencies, publication: string) {
  const integration = await store.findOne(integrations, { publication }, { fields });
  if (integration?.organization === undefined) return null;
  const caller: IntegrationCaller = {
    kind: 'integration',
    integration: integration._id,
    owner: integration.organization,
  };
  return { integration, caller };
}

async function callerOfInstallation(deps: Dependencies, id: string) {
  const { store } = deps;
  const installation = await store.get(installations, id);
  if (!installation || installation.status === 'paused') return null;
  const integration = await store.get(integrations, installation.integration, { fields });
  if (integration?.publication !== installation.publication) return null;
  const [spaces, sites] = await Promise.all([
    placesReachedBy(deps, installation, 'space'),
    placesReachedBy(deps, installation, 'site'),
  ]);
  return { integration, caller: asInstallation(installation, integration, { spaces, sites }) };
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
  scopes: [...withGrantedScopes(integration, installation).scopes],
  ...reached,
});

/** Places that an installation reaches, even before it is configured: the dialogue that configures it may show what is there. */
const placesReachedBy = async (
  deps: Pick<Dependencies, 'store'>,
  installation: InstallationDocument,
  kind: PlaceKind,
): Promise<'all' | string[]> =>
  selectionOf(installation, kind) === 'all' ? 'all' : installedTargets(deps, installation, kind);
