import type { HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import type { Filter } from '../../../shared/store/port.js';
import type { CatalogueDependencies } from '../catalogue/dependencies.js';
import { queryFilter } from '../catalogue/filters.js';
import { type IntegrationDocument, integrations } from '../catalogue/model.js';
import { integrationsPage } from '../catalogue/present.js';
import type { organizationIntegrationOperations } from '../contract/catalogue.js';
import { installations } from '../installations/model.js';
import { findInstallations } from '../installations/reach/coverage.js';
import type { InstallationStatus } from '../installations/resources.js';

type Operations = typeof organizationIntegrationOperations;

/** Lists what an organization may install, and what it has installed. */
export function organizationIntegrationHandlers(deps: CatalogueDependencies): HandlersOf<Operations> {
  const { store } = deps;
  return {
    async listOrganizationIntegrations({ path, query: { page, limit, owner, ...filters } }, context) {
      const { organizationId: organization } = path;
      const publications = (await findInstallations(store, organization)).map(({ publication }) => publication);
      const filter: Filter<IntegrationDocument> = {
        ...queryFilter(filters),
        ...(owner === undefined ? {} : { organization: owner }),
        $or: [{ visibility: 'public' }, { organization }, { publication: { $in: publications } }],
      };
      return integrationsPage(deps, { filter, request: { page, limit } }, context);
    },

    async listOrganizationIntegrationsStatus({ path: { organizationId }, query: { search, ...request } }, context) {
      const installed = await findInstallations(store, organizationId);
      const statuses = new Map(installed.map(({ integration, status }) => [integration, status]));
      const publications = installed.map(({ publication }) => publication);
      const filter = { ...queryFilter({ search }), publication: { $in: publications } };
      const page = await integrationsPage(deps, { filter, request }, context);
      const items = page.items.map((integration) => ({
        status: statuses.get(integration.name) as InstallationStatus,
        integration,
        target: { type: 'organization' as const, organizationId },
      }));
      return { ...page, items };
    },

    async getOrganizationIntegrationStatus({ path: { organizationId: organization, integrationName } }) {
      const integration = await store.get(integrations, integrationName, { fields: ['publication'] });
      const { publication } = integration ?? {};
      const found =
        publication && (await store.findOne(installations, { publication, organization }, { fields: ['status'] }));
      if (!found) throw notFound('Installation');
      return { status: found.status };
    },
  };
}
