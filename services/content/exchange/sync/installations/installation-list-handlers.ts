import type { HandlersOf } from '../../../../../shared/contract/service.js';
import { notFound } from '../../../../../shared/errors/errors.js';
import { listPage } from '../../../../../shared/lists/paging.js';
import type { HasSecrets } from '../../../../../shared/secrets/secrets.js';
import type { HasStore } from '../../../../../shared/store/port.js';
import type { HasTrees } from '../../../core/access/tree/content-tree-cache.js';
import { findSpacesOfSite } from '../../../core/contract/sites.js';
import type { installationListOperations } from '../../contract/git-installation-lists.js';
import type { HasProxy } from '../../git/address/proxy.js';
import { gitInstallations } from '../model.js';
import { gitInstallationKind } from '../resources.js';
import { findSyncStates } from '../sync-payload.js';
import { readCredentials } from './installation-setup.js';
import { presentInstallation } from './present.js';

export function installationListHandlers(
  deps: HasStore & HasTrees & HasSecrets & HasProxy & { baseUrl: string },
): HandlersOf<typeof installationListOperations> {
  const { store, trees, baseUrl } = deps;
  return {
    async listSiteGitSyncInstallations({ path: { organizationId: organization, siteId: site }, query }, context) {
      const ofSite = await context.call(findSpacesOfSite, { organization, site });
      if (!ofSite) throw notFound('Site');
      const access = await trees.resolve({ caller: context.caller, ids: ofSite }, 'space');
      const roles: readonly (string | null)[] = gitInstallationKind.rights.view;
      const shown = ofSite.filter((_, at) => roles.includes(access[at]?.role ?? null));
      const list = { filter: { space: { $in: shown } }, sort: { space: 1 as const }, request: query };
      return listPage(store, gitInstallations, list, async (items) => {
        const stateOf = await findSyncStates(deps, items);
        return items.map((item) =>
          presentInstallation(item, { baseUrl, state: stateOf(item), credentials: readCredentials(deps, item) }),
        );
      });
    },
  };
}
