import { type Access, type AccessQuestion, accessOf } from '../../../../shared/contract/access.js';
import { type Caller, membershipOf } from '../../../../shared/contract/caller.js';
import { type IntegrationDocument, integrations } from '../../catalogue/model.js';
import type { IntegrationsDependencies } from '../../dependencies.js';
import { type InstallationDocument, installations } from '../model.js';

type Owned = Pick<InstallationDocument, '_id' | 'organization' | 'integration' | 'publication'>;
type Published = Pick<IntegrationDocument, '_id' | 'organization' | 'publication'>;

/** Resolves what a caller is to installations: its role in their organizations, their integration, or one of them. */
export async function resolveInstallations(
  { store }: Pick<IntegrationsDependencies, 'store'>,
  { caller, ids }: AccessQuestion,
): Promise<(Access | null)[]> {
  const found: Owned[] = await store.getMany(installations, [...new Set(ids)], {
    fields: ['organization', 'integration', 'publication'],
  });
  const names = [...new Set(found.map(({ integration }) => integration))];
  const published: Published[] = await store.getMany(integrations, names, { fields: ['organization', 'publication'] });
  const byName = new Map(published.map((each) => [each._id, each]));
  const byId = new Map(found.map((each) => [each._id, each]));
  return ids.map((id) => {
    const installation = byId.get(id);
    const integration = installation && byName.get(installation.integration);
    if (!installation || integration?.publication !== installation.publication) return null;
    return accessTo(caller, installation, integration);
  });
}

function accessTo(caller: Caller, installation: Owned, integration: Published): Access | null {
  const { organization } = installation;
  const isIntegration =
    caller.kind === 'integration' &&
    caller.integration === integration._id &&
    caller.owner === integration.organization;
  if (isIntegration) return { organization, role: 'integration', state: 'active' };
  if (caller.kind === 'installation')
    return caller.installation === installation._id ? { organization, role: 'installation', state: 'active' } : null;
  return accessOf(caller, organization, membershipOf(caller, organization)?.role);
}
