import type { Context } from '../../../shared/contract/service.js';
import type { Page, PageRequest } from '../../../shared/lists/paging.js';
import type { CatalogueDependencies } from '../catalogue/dependencies.js';
import { queryFilter } from '../catalogue/filters.js';
import { integrationsPage } from '../catalogue/present.js';
import type { Integration } from '../catalogue/resources.js';
import { type CoveredPlace, coveringInstallations } from '../installations/reach/coverage.js';

interface Asked {
  place: CoveredPlace;
  query: PageRequest & { search?: string | undefined };
}

/** A page of the integrations that work on a space or site, by name. */
export async function coveringPage(
  deps: CatalogueDependencies,
  { place, query: { search, ...request } }: Asked,
  context: Context,
): Promise<Page<Integration>> {
  const covering = await coveringInstallations(deps, place);
  const publications = covering.map(({ integration }) => integration.publication);
  const filter = { ...queryFilter({ search }), publication: { $in: publications } };
  return integrationsPage(deps, { filter, request }, context);
}
