import { type Access, type AccessQuestion, accessOfRole } from '../../../../shared/contract/access.js';
import { type Caller, membershipOf } from '../../../../shared/contract/caller.js';
import { type IntegrationDocument, integrations } from '../../catalogue/model.js';
import type { InstallationDependencies } from '../find.js';
import { type InstallationDocument, installations } from '../model.js';
import { administers } from './administering.js';

type Published = Pick<IntegrationDocument, '_id' | 'organization' | 'publication' | 'scopes'>;

/** Resolves what a caller is to installations: its role in their organizations, their integration, or one of them. */
export async function resolveInstallations(
  deps: Pick<InstallationDependencies, 'store' | 'callAs'>,
  { caller, ids }: AccessQuestion,
): Promise<(Access | null)[]> {
  const { store } = deps;
  const found = await store.getMany(installations, [...new Set(ids)]);
  const names = [...new Set(found.map(({ integration }) => integration))];
  const published: Published[] = await store.getMany(integrations, names, {
    fields: ['organization', 'publication', 'scopes'],
  });
  const byName = new Map(published.map((each) => [each._id, each]));
  const byId = new Map(found.map((each) => [each._id, each]));
  return Promise.all(
    ids.map(async (id) => {
      const installation = byId.get(id);
      const integration = installation && byName.get(installation.integration);
      if (!installation || integration?.publication !== installation.publication) return null;
      return accessToInstallation(deps, caller, { installation, integration });
    }),
  );
}

async function accessToInstallation(
  deps: Pick<InstallationDependencies, 'store' | 'callAs'>,
  caller: Caller,
  { installation, integration }: { installation: InstallationDocument; integration: Published },
): Promise<Access | null> {
  const { organization } = installation;
  const isIntegration =
    caller.kind === 'integration' &&
    caller.integration === integration._id &&
    caller.owner === integration.organization;
  if (isIntegration) return { organization, role: 'integration', state: 'active' };
  if (caller.kind === 'installation')
    return caller.installation === installation._id ? { organization, role: 'installation', state: 'active' } : null;
  const role = membershipOf(caller, organization)?.role;
  const isLimited = role === 'create' && !(await administers(deps, caller, { installation, integration }));
  return accessOfRole(caller, organization, isLimited ? 'installer' : role);
}
